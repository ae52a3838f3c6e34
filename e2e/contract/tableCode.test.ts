/**
 * The Python and SQL code that the table viewer generates is run on the table that it shows, and must return the same
 * rows in the same order. Rows are identified by the column `id`.
 */

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TableCache } from '../../src-main/table/service/tableCache.ts';
import { type Chart, chartCode } from '../../src-renderer/outputs/table/code/chartCode.ts';
import { codeOf } from '../../src-renderer/outputs/table/code/codeOf.ts';
import type { CodeStyle, CodeTable } from '../../src-renderer/outputs/table/code/codeTable.ts';
import { groupCode, type Measure } from '../../src-renderer/outputs/table/code/groupCode.ts';
import { columnKind } from '../../src-renderer/outputs/table/columnKind.ts';
import type { FilterValue, TableQuery } from '../../src-renderer/outputs/table/tableQuery.ts';
import { plainQuery } from '../../src-renderer/outputs/table/tableQuery.ts';

const python = process.env['CELLAR_TEST_PYTHON'] ?? 'python3';
const dir = mkdtempSync(join(tmpdir(), 'table-code-'));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

const MAKE = `
import datetime, json, sys
import pandas as pd, pyarrow as pa, pyarrow.parquet as pq
n = 40
def pick(values, step, at=0):
    return [values[(i * step + at) % len(values)] for i in range(n)]
df = pd.DataFrame({
    "id": list(range(n)),
    "km": pick([0.5, 1.25, None, -3.0, 0.5, 1e12, 0.0], 3),
    "count": pick([3, 1, 2, 2**60, -5, 3], 5),
    "station": pick(["Vaise", "perrache", None, "Part-Dieu", "vaise 2", "A1 b", "x\\"y'z", ""], 3),
    "kind": pd.Categorical(pick(["b", "a", None, "c"], 3), categories=["c", "b", "a"]),
    "at": pd.to_datetime(pick(["2025-01-01", "2025-01-02 12:30:00.5", None, "2024-12-31 23:59:59", "2025-01-01"], 2), format="ISO8601"),
    "zoned": pd.to_datetime(pick(["2025-01-01 00:00", "2025-07-01 12:00", None], 2)).tz_localize("Europe/Paris"),
    "day": pick([datetime.date(2025, 1, 1), datetime.date(2024, 2, 29), None], 2),
    "member": pick([True, False], 1),
    "order": pick([2, 1], 1),
})
table = pa.Table.from_pandas(df)
with pa.ipc.new_stream(sys.argv[1] + "/table.arrow", table.schema) as out:
    out.write_table(table)
pq.write_table(table, sys.argv[1] + "/table.parquet")
`;

/** A script that runs each piece of generated code and writes the rows that its last line shows. */
const RUN = `
import json, sys, warnings
from unittest.mock import MagicMock
import pyarrow as pa
# Charts are not drawn here: only the pandas code that makes their data is tested.
sys.modules["altair"] = MagicMock()
exec(open(sys.argv[1] + "/make.py").read())
import polars as pl
warnings.simplefilter("error")
warnings.simplefilter("ignore", ResourceWarning)
answers = []
for case in json.load(open(sys.argv[1] + "/cases.json")):
    names = {"df": df if case["pandas"] else pl.from_arrow(table)}
    *body, last = case["source"].split("\\n")
    try:
        exec(case["source"] if case["kind"] == "chart" else "\\n".join(body), names)
        if case["kind"] == "chart":
            answers.append({"points": len(names["points"])})
            continue
        shown = eval(last, names)
        if case["kind"] == "groups":
            answers.append({"rows": json.loads(shown.to_json(orient="values")), "columns": list(shown.columns)})
        else:
            answers.append({"rows": shown["id"].to_list(), "columns": list(shown.columns)})
    except Exception as error:
        answers.append({"error": repr(error)})
json.dump(answers, open(sys.argv[1] + "/answers.json", "w"))
`;

type Case = readonly [what: string, query: Partial<TableQuery>, shown?: readonly string[]];
const one = (col: string, op: string, value?: FilterValue, value2?: FilterValue) =>
  ({
    filters: [
      { col, op, ...(value === undefined ? {} : { value }), ...(value2 === undefined ? {} : { value2 }) },
    ],
  }) as Partial<TableQuery>;
const list = (col: string, op: 'in' | 'not_in', values: readonly unknown[]) =>
  ({ filters: [{ col, op, values }] }) as Partial<TableQuery>;
const sorted = (...keys: readonly (readonly [string, 'asc' | 'desc'])[]): Partial<TableQuery> => ({
  sorts: keys.map(([column, dir]) => ({ column, dir })),
});

const COMPARISONS = ['eq', 'ne', 'gt', 'ge', 'lt', 'le'] as const;
const CASES: readonly Case[] = [
  ['everything', {}],
  ...COMPARISONS.flatMap((op): Case[] => [
    [`a float column ${op}`, one('km', op, 0.5)],
    [`an integer column ${op}`, one('count', op, 2)],
    [`a text column ${op}`, one('station', op, 'Vaise')],
    [`a timestamp ${op}`, one('at', op, '2025-01-01')],
    [`a timestamp with a time zone ${op}`, one('zoned', op, '2025-01-01 00:00:00')],
    [`a date ${op}`, one('day', op, '2025-01-01')],
    [`a category ${op}`, one('kind', op, 'b')],
  ]),
  ['an integer above 2^53', one('count', 'eq', '1152921504606846976')],
  ['true', one('member', 'eq', true)],
  ['false', one('member', 'eq', false)],
  ['between floats', one('km', 'between', 0, 2)],
  ['between timestamps', one('at', 'between', '2025-01-01', '2025-01-02 12:30:00.5')],
  ['between texts', one('station', 'between', 'A', 'W')],
  ['in a list of floats', list('km', 'in', [0.5, -3])],
  ['not in a list of floats', list('km', 'not_in', [0.5, -3])],
  ['in a list of texts', list('station', 'in', ['Vaise', 'x"y\'z', ''])],
  ['not in a list of texts', list('station', 'not_in', ['Vaise'])],
  ['in a list of categories', list('kind', 'in', ['a', 'c'])],
  ['not in a list of categories', list('kind', 'not_in', ['a'])],
  ['in a list of timestamps', list('at', 'in', ['2025-01-01', '2024-12-31 23:59:59'])],
  ['in a list of timestamps with a time zone', list('zoned', 'in', ['2025-07-01 12:00:00'])],
  ['not in a list of timestamps with a time zone', list('zoned', 'not_in', ['2025-07-01 12:00:00'])],
  ['in a list of dates', list('day', 'in', ['2024-02-29'])],
  ['null', one('station', 'is_null')],
  ['not null', one('km', 'not_null')],
  ['contains', one('station', 'contains', 'VAISE')],
  ['does not contain', one('station', 'not_contains', 'vaise')],
  ['starts with', one('station', 'starts_with', 'VA')],
  ['ends with', one('station', 'ends_with', 'Z')],
  ['a pattern', one('station', 'regex', '^(V|p)a?[\\w\\s]*\\d?$')],
  ['a pattern that ignores case', one('station', 'regex', '(?i)^VAISE')],
  ['a quote and a bracket', one('station', 'contains', '"y\'')],
  ['a pattern on categories', one('kind', 'regex', '[ab]')],
  ['a search for two words', { search: 'vaise x' }],
  ['a search for part of a word', { search: 'perr' }],
  [
    'alternatives and another condition',
    {
      filters: [
        {
          any: [
            { col: 'km', op: 'gt', value: 1 },
            { col: 'station', op: 'is_null' },
          ],
        },
        { col: 'count', op: 'ge', value: 2 },
      ],
    },
  ],
  ['one sort key', sorted(['km', 'asc'])],
  ['one sort key, descending', sorted(['km', 'desc'])],
  ['a text column, descending', sorted(['station', 'desc'])],
  ['categories by their text, then floats descending', sorted(['kind', 'asc'], ['km', 'desc'])],
  ['booleans descending, then timestamps', sorted(['member', 'desc'], ['at', 'asc'])],
  ['a name that SQL reserves', { ...one('order', 'eq', 1), ...sorted(['order', 'asc'], ['count', 'desc']) }],
  ['some columns in another order', sorted(['count', 'desc']), ['station', 'id']],
];

const rows = { col: null, agg: 'rows' } as const;
const GROUPS: readonly (readonly [
  what: string,
  by: readonly string[],
  measures: readonly Measure[],
  query?: Partial<TableQuery>,
])[] = [
  ['texts', ['station'], [rows]],
  [
    'categories, with every aggregate of numbers',
    ['kind'],
    [
      rows,
      ...(['count', 'sum', 'mean', 'median', 'std', 'min', 'max', 'distinct'] as const).map((agg) => ({
        col: 'km',
        agg,
      })),
    ],
  ],
  [
    'two group keys',
    ['member', 'kind'],
    [
      { col: 'station', agg: 'distinct' },
      { col: 'station', agg: 'count' },
    ],
  ],
  ['filtered rows', ['station'], [{ col: 'km', agg: 'sum' }], one('km', 'gt', 0)],
];
const chart: Chart = { kind: 'bar', x: 'station', y: null, agg: 'mean', color: null };
const CHART_CASES: readonly (readonly [what: string, chart: Chart, query?: Partial<TableQuery>])[] = [
  ['rows per station', chart],
  ['a mean by station and kind', { ...chart, y: 'km', color: 'kind' }],
  ['a line over timestamps', { ...chart, kind: 'line', x: 'at', y: 'km', agg: 'sum' }],
  ['points', { ...chart, kind: 'scatter', x: 'km', y: 'count', color: 'member' }],
  ['a histogram of filtered rows', { ...chart, kind: 'histogram', x: 'km' }, one('day', 'ge', '2024-06-01')],
  ['a heat map of numbers and texts', { ...chart, kind: 'heat', x: 'km', y: 'station' }],
  ['a heat map of texts', { ...chart, kind: 'heat', x: 'kind', y: 'station' }],
];

let columns: CodeTable['columns'] = [];
const codeTable = (): CodeTable => ({ variable: 'df', columns, shown: null, isPandas: true });
const cache = new TableCache(1 << 24);
const file = { path: join(dir, 'table.arrow'), sha256: 'table' };

function expectedRows(query: TableQuery): unknown[] {
  const page = cache.page({
    ...file,
    offset: 0,
    limit: 500,
    search: query.search,
    filters: query.filters,
    sorts: query.sorts.map(({ column, dir }) => ({ col: column, dir })),
  });
  if (!page.pageable) throw new Error(page.reason);
  return page.rows.map(([id]) => id);
}

function sourceOf(style: CodeStyle, [, query, shown]: Case, isPandas: boolean): string {
  const table: CodeTable = { variable: 'df', columns, shown: shown ?? null, isPandas };
  const code = codeOf(style, table, { ...plainQuery, ...query });
  if (code.kind === 'none') throw new Error(code.words);
  return code.source;
}

describe('[TB-5] the code of a table returns the rows it shows, in order', () => {
  const runs: { readonly style: CodeStyle; readonly isPandas: boolean }[] = [
    { style: 'pandas', isPandas: true },
    { style: 'pandas', isPandas: false },
    { style: 'polars', isPandas: true },
    { style: 'polars', isPandas: false },
  ];
  let answers: { rows?: unknown[]; columns?: string[]; error?: string; points?: number }[] = [];
  beforeAll(async () => {
    writeFileSync(join(dir, 'make.py'), MAKE);
    writeFileSync(join(dir, 'run.py'), RUN);
    execFileSync(python, [join(dir, 'make.py'), dir]);
    const summary = await cache.summary(file);
    if (!summary.pageable) throw new Error(summary.reason);
    columns = summary.columns.map(({ name, dtype }) => ({ name, dtype, kind: columnKind(dtype, [], 0) }));
    const cases = runs.flatMap(({ style, isPandas }) =>
      CASES.map((one) => ({ kind: 'rows', pandas: isPandas, source: sourceOf(style, one, isPandas) })),
    );
    const made = [
      ...GROUPS.map(([, by, measures, query]) => ({
        kind: 'groups',
        source: groupCode(codeTable(), { ...plainQuery, ...query }, { by, measures }),
      })),
      ...CHART_CASES.map(([, chart, query]) => ({
        kind: 'chart',
        source: chartCode(codeTable(), { ...plainQuery, ...query }, chart),
      })),
    ];
    writeFileSync(
      join(dir, 'cases.json'),
      JSON.stringify([...cases, ...made.map((one) => ({ ...one, pandas: true }))]),
    );
    execFileSync(python, [join(dir, 'run.py'), dir]);
    answers = JSON.parse(readFileSync(join(dir, 'answers.json'), 'utf8'));
  });

  it.each(runs.map((run, place) => ({ ...run, place })))(
    '$style, from a pandas frame: $isPandas',
    ({ style, isPandas, place }) => {
      const all = columns.map(({ name }) => name);
      const wrong = CASES.flatMap((one, at) => {
        const answer = answers[place * CASES.length + at];
        const expected = { rows: expectedRows({ ...plainQuery, ...one[1] }), columns: one[2] ?? all };
        if (JSON.stringify(answer) === JSON.stringify(expected)) return [];
        return [{ what: one[0], source: sourceOf(style, one, isPandas), answer, expected }];
      });
      expect(wrong).toEqual([]);
    },
  );

  it('groups', () => {
    const at = runs.length * CASES.length;
    for (const [place, [what, by, measures, query]] of GROUPS.entries()) {
      const { filters = [] } = query ?? {};
      const groups = cache.groups({ ...file, by, measures, filters, sort: null, offset: 0, limit: 100 });
      if (groups.pageable !== true) throw new Error(groups.reason);
      const { error, rows: found = [], columns: names } = answers[at + place] ?? {};
      expect(error, what).toBeUndefined();
      expect(names, what).toEqual(groups.columns);
      expect(found, what).toHaveLength(groups.rows.length);
      for (const [row, values] of groups.rows.entries()) {
        for (const [column, value] of values.entries()) {
          const other: unknown = Array.isArray(found[row]) ? found[row][column] : undefined;
          // Sums of floats depend on the order of addition.
          if (typeof value === 'number')
            expect(Number(other) / (value || 1), `${what} ${row} ${column}`).toBeCloseTo(
              value === 0 ? 0 : 1,
              9,
            );
          else expect(other, `${what} ${row} ${column}`).toEqual(value);
        }
      }
    }
  });

  it('charts: the code reduces the rows to a few points', () => {
    const at = runs.length * CASES.length + GROUPS.length;
    for (const [place, [what, { kind, x, color }, query]] of CHART_CASES.entries()) {
      const answer = answers[at + place];
      expect(answer, what).toEqual({ points: expect.any(Number) });
      expect(answer?.points, what).toBeGreaterThan(0);
      expect(answer?.points, what).toBeLessThanOrEqual(40);
      if (kind !== 'bar' && kind !== 'line') continue;
      // The code makes as many points as the preview has groups.
      const by = [...new Set(color === null ? [x] : [x, color])];
      const { filters = [] } = query ?? {};
      const groups = cache.groups({
        ...file,
        by,
        measures: [rows],
        filters,
        sort: null,
        offset: 0,
        limit: 100,
      });
      if (groups.pageable !== true) throw new Error(groups.reason);
      expect(answer?.points, what).toBe(groups.total);
    }
  });

  it('SQL: every case', async () => {
    const instance = await DuckDBInstance.create(':memory:');
    const connection = await instance.connect();
    await connection.run(
      `SET TimeZone = 'UTC'; CREATE TABLE df AS SELECT * FROM read_parquet('${join(dir, 'table.parquet')}')`,
    );
    const wrong: unknown[] = [];
    for (const one of CASES) {
      const source = sourceOf('sql', one, true);
      const expected = expectedRows({ ...plainQuery, ...one[1] });
      const rows = (await connection.runAndReadAll(source))
        .getRowObjectsJson()
        .map((row) => Number(row['id']));
      if (JSON.stringify(rows) !== JSON.stringify(expected))
        wrong.push({ what: one[0], source, rows, expected });
    }
    expect(wrong).toEqual([]);
    connection.closeSync();
    instance.closeSync();
  });
});

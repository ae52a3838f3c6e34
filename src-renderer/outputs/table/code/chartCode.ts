/** Writes the Python cell that draws the current view of a table as an Altair chart. */

import type { AggregateName } from '../../../../src-shared/wire/routes/tables.ts';
import type { TableQuery } from '../tableQuery.ts';
import type { CodeColumn, CodeTable } from './codeTable.ts';
import { columnOf, isCategory, pythonText } from './codeTable.ts';
import { rowsCode } from './groupCode.ts';

export const CHARTS = ['bar', 'line', 'scatter', 'histogram', 'heat'] as const;
type ChartKind = (typeof CHARTS)[number];

/** The settings of a chart. Its kind determines which columns are used (`CHART_NEEDS`). */
export interface Chart {
  readonly kind: ChartKind;
  readonly x: string;
  /** The column of the y axis; null: the number of rows. */
  readonly y: string | null;
  readonly agg: Extract<AggregateName, 'sum' | 'mean' | 'median' | 'min' | 'max' | 'count'>;
  readonly color: string | null;
}

/** Which settings each kind of chart has. */
export const CHART_NEEDS: Readonly<
  Record<ChartKind, { readonly y: boolean; readonly agg: boolean; readonly color: boolean }>
> = {
  bar: { y: true, agg: true, color: true },
  line: { y: true, agg: true, color: true },
  scatter: { y: true, agg: false, color: true },
  histogram: { y: false, agg: false, color: false },
  heat: { y: true, agg: false, color: false },
};

/** The most points that Altair draws by default. */
const MAX_POINTS = 5_000;
const BINS = 30;

/**
 * A Python cell that draws the rows of a query with Altair. Values are counted and aggregated in pandas, so that the
 * chart contains few points at any table size. @throws NotWritable
 */
export function chartCode(table: CodeTable, query: TableQuery, chart: Chart): string {
  const rows = rowsCode({ ...table, shown: null }, { ...query, sorts: [] });
  const x = columnOf(table, chart.x);
  const y = chart.y === null ? null : columnOf(table, chart.y);
  const color = chart.color === null || !CHART_NEEDS[chart.kind].color ? null : columnOf(table, chart.color);
  const [imports, body] = bodyOf(chart, { x, y, color });
  const importsPandas = rows.startsWith('import pandas as pd\n\n');
  const own = importsPandas ? rows.slice('import pandas as pd\n\n'.length) : rows;
  const needed = [
    ...new Set(['import altair as alt', ...imports, ...(importsPandas ? ['import pandas as pd'] : [])]),
  ];
  return [...needed.sort(), '', own, ...body].join('\n');
}

interface Fields {
  readonly x: CodeColumn;
  readonly y: CodeColumn | null;
  readonly color: CodeColumn | null;
}

function bodyOf(
  chart: Chart,
  { x, y, color }: Fields,
): readonly [imports: readonly string[], lines: readonly string[]] {
  switch (chart.kind) {
    case 'histogram':
      return [
        ['import numpy as np', 'import pandas as pd'],
        [
          `counts, edges = np.histogram(rows[${pythonText(x.name)}].dropna().astype(float), bins=${BINS})`,
          'points = pd.DataFrame({"from": edges[:-1], "to": edges[1:], "rows": counts})',
          'alt.Chart(points).mark_bar().encode(',
          `    x=alt.X(field="from", type="quantitative", bin="binned", title=${pythonText(x.name)}),`,
          '    x2="to",',
          '    y=alt.Y(field="rows", type="quantitative"),',
          ')',
        ],
      ];
    case 'scatter':
      return [
        [],
        [
          `points = rows[[${namesOf([x, y, color])}]]`,
          `points = points.sample(min(len(points), ${MAX_POINTS}), random_state=0)`,
          'alt.Chart(points).mark_circle(opacity=0.6).encode(',
          channel('x', x),
          ...(y === null ? [] : [channel('y', y)]),
          ...colorOf(color),
          ')',
        ],
      ];
    case 'heat':
      return [
        y?.kind === 'number' || x.kind === 'number' ? ['import pandas as pd'] : [],
        [
          `points = rows[[${namesOf([x, y])}]].copy()`,
          ...[x, ...(y === null || y === x ? [] : [y])].flatMap(binned),
          `points = points.groupby([${namesOf([x, y])}], observed=True, dropna=False).size().reset_index(name="rows")`,
          'alt.Chart(points).mark_rect().encode(',
          channel('x', x, { ordinal: true }),
          ...(y === null ? [] : [channel('y', y, { ordinal: true })]),
          '    color=alt.Color(field="rows", type="quantitative"),',
          ')',
        ],
      ];
    case 'bar':
    case 'line': {
      const keys = namesOf([x, color]);
      const value = y === null ? 'rows' : `${y.name} ${chart.agg}`;
      const grouped = `rows.groupby([${keys}], observed=True, dropna=False)`;
      const points =
        y === null
          ? `${grouped}.size().reset_index(name="rows")`
          : `${grouped}[${pythonText(y.name)}].agg(${pythonText(chart.agg)}).reset_index(name=${pythonText(value)})`;
      return [
        [],
        [
          `points = ${points}`,
          `alt.Chart(points).mark_${chart.kind}().encode(`,
          channel('x', x, { ordinal: chart.kind === 'bar' }),
          `    y=alt.Y(field=${fieldText(value)}, type="quantitative", title=${pythonText(value)}),`,
          ...colorOf(color),
          ')',
        ],
      ];
    }
  }
}

function namesOf(columns: readonly (CodeColumn | null)[]): string {
  const names = columns.flatMap((column) => (column === null ? [] : [column.name]));
  return [...new Set(names)].map(pythonText).join(', ');
}

/** Groups numbers into intervals, each represented by its middle. */
function binned(column: CodeColumn): string[] {
  if (column.kind !== 'number') return [];
  const own = `points[${pythonText(column.name)}]`;
  return [`${own} = pd.IntervalIndex(pd.cut(${own}, ${BINS})).mid`];
}

function channel(name: 'x' | 'y', column: CodeColumn, { ordinal = false } = {}): string {
  const type =
    column.kind === 'temporal'
      ? 'temporal'
      : column.kind === 'number' && !ordinal
        ? 'quantitative'
        : column.kind === 'number'
          ? 'ordinal'
          : 'nominal';
  return `    ${name}=alt.${name.toUpperCase()}(field=${fieldText(column.name)}, type="${type}", title=${pythonText(column.name)}),`;
}

function colorOf(color: CodeColumn | null): string[] {
  if (color === null) return [];
  const type = color.kind === 'number' && !isCategory(color) ? 'quantitative' : 'nominal';
  return [
    `    color=alt.Color(field=${fieldText(color.name)}, type="${type}", title=${pythonText(color.name)}),`,
  ];
}

/** A column's name for Vega, which would read dots and brackets in it as a path. */
function fieldText(name: string): string {
  return pythonText(name.replaceAll(/[.[\]\\"']/g, '\\$&'));
}

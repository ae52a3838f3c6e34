/**
 * Tests SQL cells on a real server with SQLite and DuckDB: bound values, policies, cancels, large results, data frames.
 */

import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Cell } from '../../src-shared/wire/cell.ts';
import { IS_LONG } from '../support/longRun.ts';
import type { CellText } from '../support/notebookFolder.ts';
import { type OpenNotebook, openNotebook } from '../support/openNotebook.ts';
import { copyEnvironment, writeReadyNotebook } from '../support/preparedEnvironment.ts';
import { rest } from '../support/rest.ts';
import { type ServerProcess, startServerProcess } from '../support/serverProcess.ts';

let root = '';
let server: ServerProcess;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'cellar-sql-cells-'));
  server = await startServerProcess({ grants: [root] });
});
afterAll(async () => {
  await server?.dispose();
  await rm(root, { recursive: true, force: true });
});

const CONNECTIONS = `
[connections.db]
driver = "sqlite"
path = "ev.db"

[connections.mem]
driver = "duckdb"

[connections.secretive]
driver = "sqlite"
path = "ev.db"
auth = { password = "\${NOT_SET_ANYWHERE}" }
`;

const PYARROW = ['pyarrow>=18.0.0'];
/** The first notebook with pyarrow; the others use its environment, because installing it takes long. */
let withPyarrow: string | null = null;

async function opened(
  name: string,
  cells: readonly CellText[],
  dependencies: readonly string[] = [],
): Promise<OpenNotebook> {
  const dir = await writeReadyNotebook(join(root, name), { cells, toml: CONNECTIONS, dependencies });
  if (dependencies === PYARROW && withPyarrow !== null)
    await copyEnvironment(withPyarrow, dir, { isLinked: true });
  seed(dir, 'CREATE TABLE ev (id INTEGER, v REAL); INSERT INTO ev VALUES (1, 1.5), (2, 2.5), (3, 3.5)');
  const notebook = await openNotebook(server, dir);
  if (dependencies === PYARROW) withPyarrow ??= dir;
  return notebook;
}

function seed(dir: string, sql: string): void {
  const database = new Database(join(dir, 'ev.db'));
  database.exec(sql);
  database.close();
}

const sql = (id: string, source: string): CellText => ({ id, source, language: 'sql' });
const python = (id: string, source: string): CellText => ({ id, source });

async function statuses(notebook: OpenNotebook): Promise<Readonly<Record<string, string>>> {
  const { body } = await notebook.get<{ cells: Cell[] }>('/cells');
  return Object.fromEntries(body.cells.map(({ id, status }) => [id, status]));
}

describe('SQL cells', () => {
  it('[SQ-24] the worked example binds values, is cached, writes, runs again after the data changed, and is idle after reopening', async () => {
    const notebook = await opened(
      'example',
      [
        python('p', 'lim = 2'),
        sql('q', '# @name big\n# @sql connection=db\nSELECT id, v FROM ev WHERE id >= :lim ORDER BY id'),
        python('u', 'big.num_rows'),
        sql(
          'w',
          '# @name wrote\n# @sql connection=db write=true\nINSERT INTO ev VALUES (9, 9.0); UPDATE ev SET v = 0 WHERE id = :lim',
        ),
      ],
      PYARROW,
    );
    const first = await notebook.execute('u');
    expect([first.status, first.error, first.display?.preview]).toEqual(['ready', null, 2]);
    const cell = await notebook.cell('q');
    expect([cell.defines, cell.references, cell.execution_method]).toEqual([['big'], ['lim'], 'sql']);
    expect(cell.display_outputs[0]?.markdown_text).toMatch(/^\*\*2 rows × 2 cols\*\*\n\n\| id \| v \|\n/);
    expect(await notebook.execute('q')).toMatchObject({ cache_hit: true, execution_method: 'cached' });
    const wrote = await notebook.execute('w');
    expect(wrote.outputs['wrote']?.preview).toEqual([
      [1, 'INSERT', 1],
      [2, 'UPDATE', 1],
    ]);
    expect((await notebook.execute('w')).cache_hit).toBe(true);
    // The write changed data that q reads: q detects that when it runs, and u becomes stale with it.
    expect((await notebook.execute('q')).cache_hit).toBe(false);
    expect(await statuses(notebook)).toMatchObject({ p: 'ready', q: 'ready', w: 'ready' });
    expect((await statuses(notebook))['u']).not.toBe('ready');
    expect((await notebook.execute('u')).display?.preview).toBe(3);
    await notebook.close();
    const again = await openNotebook(server, notebook.path);
    expect(await statuses(again)).toMatchObject({ p: 'ready', q: 'idle', u: 'stale' });
    expect((await again.execute('q')).cache_hit).toBe(true);
    expect(await statuses(again)).toMatchObject({ q: 'ready', u: 'ready' });
    await again.close();
  });

  it('[SQ-24] a cell that depends only on a write is stale after another write has run', async () => {
    const write = (id: number): string =>
      `# @name wrote\n# @sql connection=db write=true\nDELETE FROM ev WHERE id = ${id}`;
    const notebook = await opened('awaited', [
      sql('w', write(1)),
      sql('q', '# @name n\n# @sql connection=db\n# @after w\nSELECT count(*) AS n FROM ev'),
    ]);
    expect((await notebook.execute('q')).outputs['n']?.preview).toEqual([[2]]);
    expect(await statuses(notebook)).toEqual({ w: 'ready', q: 'ready' });
    await notebook.edit('w', write(2));
    await notebook.execute('w');
    expect(await statuses(notebook)).toEqual({ w: 'ready', q: 'stale' });
    expect((await notebook.execute('q')).outputs['n']?.preview).toEqual([[1]]);
    expect(await statuses(notebook)).toEqual({ w: 'ready', q: 'ready' });
    await notebook.close();
  });

  it('[SQ-25] a Python cell gets a pyarrow table with exact types, and SQL cells bind Python values', async () => {
    const notebook = await opened(
      'types',
      [
        python(
          'values',
          [
            'import datetime as dt, decimal, uuid',
            `evil = "'; DROP TABLE ev; --"`,
            'i = 2**62 + 1; f = 1.0; yes = True; nothing = None; raw = b"\\x00\\xff"',
            'd = decimal.Decimal("-12.340"); id_ = uuid.UUID(int=7); day = dt.date(2024, 2, 29); at = dt.time(13, 5, 9, 120)',
            'when = dt.datetime(2024, 2, 29, 13, 5, 9, 120); there = when.replace(tzinfo=dt.timezone(dt.timedelta(hours=2)))',
          ].join('\n'),
        ),
        sql(
          'ask',
          "# @name got\n# @sql connection=mem\nSELECT :evil AS evil, :i AS i, :f AS f, :yes AS yes, :nothing AS nothing, :raw AS raw, :d AS d, :id_ AS id, :day AS day, :at AS t, :when AS w, :there AS z, [1, NULL] AS l, {'a': 1} AS s, 1 AS i",
        ),
        python(
          'show',
          [
            'row = got.to_pylist()[0]',
            'print(type(got).__module__.split(".")[0], type(got).__name__)',
            'print({f.name: str(f.type) for f in got.schema})',
            'print(row["evil"] == evil, row["i"] == i, type(row["f"]), row["yes"], row["nothing"], row["raw"] == raw, row["d"] == d)',
            'print(row["id"] == str(id_), row["day"] == day, row["t"] == at, row["w"] == when, row["z"] == there, row["l"], row["s"], row["i_1"])',
          ].join('\n'),
        ),
        python('listed', 'several = [1, 2]'),
        sql('bad', '# @name bad\n# @sql connection=mem\nSELECT :several'),
        sql('none', '# @name none_\n# @sql connection=mem\nSELECT :nobody'),
      ],
      PYARROW,
    );
    const { stdout, error } = await notebook.execute('show');
    expect(error).toBeNull();
    const [kind, types, ...rows] = stdout.trim().split('\n');
    expect(kind).toBe('pyarrow Table');
    expect(types).toContain("'i': 'int64'");
    expect(types).toContain("'d': 'decimal128(5, 3)'");
    expect(types).toContain("'z': 'timestamp[us, tz=UTC]'");
    expect(rows).toEqual([
      "True True <class 'float'> True None True True",
      "True True True True True [1, None] {'a': 1} 1",
    ]);
    expect((await notebook.execute('bad')).error).toMatch(/:several is a list/);
    expect((await notebook.execute('none')).error).toMatch(/:nobody has no value/);
    await notebook.close();
  });

  const REFUSED: readonly (readonly [what: string, source: string, says: RegExp])[] = [
    [
      'a cell without a connection',
      'SELECT 1',
      /This cell has no connection\. Add a line # @sql connection=<name>/,
    ],
    ['an unknown connection', '# @sql connection=gone\nSELECT 1', /declares no connection "gone"/],
    ['a write that is not declared', '# @sql connection=db\nDELETE FROM ev', /DELETE does more than read/],
    ['invalid SQL', '# @sql connection=db\nSELECT (1', /never closed[\s\S]*line 2, column 8/],
    [
      'a column that the table does not have',
      '# @sql connection=db\nSELECT id,\n  oops FROM ev',
      /oops[\s\S]*line 3, column 3/,
    ],
    [
      '@cache fingerprint on a write',
      '# @sql connection=db write=true\n# @cache fingerprint\nDELETE FROM ev',
      /cannot use @cache fingerprint/,
    ],
    [
      '@cache snapshot on SQLite',
      '# @sql connection=db\n# @cache snapshot\nSELECT 1',
      /connection does not support snapshots\. Use/,
    ],
    ['an unset variable', '# @sql connection=secretive\nSELECT 1', /needs NOT_SET_ANYWHERE/],
  ];
  const GONE = 'Hint: The connection "mem" has no file: a table that another cell made on it is gone.';
  const REASONS: readonly (readonly [
    what: string,
    driver: string,
    source: string,
    has: string,
    not: string,
  ])[] = [
    ['a read of a table that another cell made in memory', 'mem', 'SELECT * FROM made', GONE, '(statement'],
    ['a write to such a table', 'mem write=true', 'INSERT INTO made VALUES (1)', GONE, '(statement'],
    ['any other error in memory', 'mem', 'SELECT nope FROM made_up(1)', 'made_up', 'no file'],
    ['a read of a missing table in a file', 'db', 'SELECT * FROM made', 'no such table: made', 'no file'],
    [
      'an error in the only statement',
      'db write=true',
      "INSERT INTO ev VALUES (json('{'), 1)",
      'JSON',
      '(statement',
    ],
    [
      'an error in the second statement',
      'db write=true',
      "DELETE FROM ev; INSERT INTO ev VALUES (json('{'), 1)",
      '(statement 2)',
      'no file',
    ],
  ];
  it('[SQ-46] [SQ-15] a failure reports the reason', async () => {
    const notebook = await opened('gone', [
      sql('make', '# @name a\n# @sql connection=mem write=true\nCREATE TABLE made AS SELECT 1 AS x'),
      ...REASONS.map(([, connection, source], i) =>
        sql(`use${i}`, `# @name b${i}\n# @sql connection=${connection}\n${source}`),
      ),
    ]);
    for (const [i, [what, , , has, not]] of REASONS.entries()) {
      expect((await notebook.execute('make')).error).toBeNull();
      const { error } = await notebook.execute(`use${i}`);
      expect([what, error]).toEqual([what, expect.stringContaining(has)]);
      expect([what, error]).toEqual([what, expect.not.stringContaining(not)]);
      expect((await notebook.cell('make')).annotation_diagnostics).toMatchObject([
        { code: 'sql_table_not_kept', line: 3 },
      ]);
    }
    await notebook.close();
  });

  it('[SQ-26] a cell that cannot run shows the reason and the fix', async () => {
    const notebook = await opened(
      'refused',
      REFUSED.map(([, source], i) => sql(`c${i}`, source)),
    );
    for (const [i, [what, , says]] of REFUSED.entries()) {
      const { status, error } = await notebook.execute(`c${i}`);
      expect([what, status, error]).toEqual([what, 'error', expect.stringMatching(says)]);
    }
    await notebook.close();
  });

  it('[SQ-27] policies: forever survives reopening, session does not; a query of a file is never a hit', async () => {
    const notebook = await opened('policies', [
      sql('ever', '# @name a\n# @sql connection=db\n# @cache forever\nSELECT count(*) AS n FROM ev'),
      sql('session', '# @name b\n# @sql connection=db\n# @cache session\nSELECT count(*) AS n FROM ev'),
      sql('ttl', '# @name c\n# @sql connection=db\n# @cache ttl=1000000000\nSELECT count(*) AS n FROM ev'),
      sql('never', '# @name d\n# @sql connection=db\n# @nocache\nSELECT count(*) AS n FROM ev'),
      sql('file', "# @name e\n# @sql connection=mem\nSELECT count(*) AS n FROM read_text('notebook.toml')"),
    ]);
    const hits = async (open: OpenNotebook): Promise<boolean[]> => {
      const hitList: boolean[] = [];
      for (const id of ['ever', 'session', 'ttl', 'never', 'file']) {
        const { cache_hit, error } = await open.execute(id);
        expect([id, error]).toEqual([id, null]);
        hitList.push(cache_hit);
      }
      return hitList;
    };
    expect(await hits(notebook)).toEqual([false, false, false, false, false]);
    seed(notebook.path, 'DELETE FROM ev');
    expect(await hits(notebook)).toEqual([true, true, true, false, false]);
    await notebook.close();
    const again = await openNotebook(server, notebook.path);
    expect(await statuses(again)).toMatchObject({ ever: 'ready', session: 'idle' });
    expect(await hits(again)).toEqual([true, false, true, false, false]);
    await again.close();
  });

  it('[SQ-28] a cancel ends the run immediately, even if the database does not respond', async () => {
    const notebook = await opened('cancel', [
      sql(
        'slow',
        '# @sql connection=mem\nSELECT count(*) FROM range(10000000000) a, range(10000000000) b WHERE (a.range * b.range) % 7 = 3',
      ),
      sql(
        'stuck',
        '# @sql connection=db\nWITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n',
      ),
      sql('next', '# @sql connection=mem\nSELECT 1'),
    ]);
    const base = `/v1/notebooks/${notebook.sid}/cells`;
    await notebook.execute('next');
    for (const id of ['slow', 'stuck']) {
      const running = rest<{ error_code?: string }>(server.url, 'POST', `${base}/${id}/execute`);
      await expect.poll(async () => (await notebook.cell(id)).status).toBe('running');
      const from = performance.now();
      await rest(server.url, 'POST', `${base}/${id}/cancel`);
      const { body } = await running;
      process.stdout.write(`cancel of ${id}: ${Math.round(performance.now() - from)} ms\n`);
      expect(body.error_code).toBe('cancelled');
      expect((await notebook.execute('next', 'rerun')).status).toBe('ready');
    }
    await notebook.close();
  });

  /** How many rows, and how much the server may grow, in MiB: 0.92 of the bytes of the result. */
  const LARGE = IS_LONG ? { rows: 5_000_000, growthMb: 200 } : { rows: 3_000_000, growthMb: 120 };
  // The Linux kernel records the peak memory in /proc.
  it.skipIf(process.platform !== 'linux')(
    '[SQ-29] millions of rows reach the store while the server stays small',
    async () => {
      const notebook = await opened('large', [
        sql(
          'big',
          `# @name big\n# @sql connection=mem\nSELECT range AS i, 'one row of a large result: ' || range AS t FROM range(${LARGE.rows})`,
        ),
      ]);
      const before = memoryMb('VmRSS');
      const { status, outputs, duration_ms } = await notebook.execute('big');
      const growthMb = memoryMb('VmHWM') - before;
      process.stdout.write(
        `${LARGE.rows} rows × 2: ${Math.round(duration_ms)} ms, ${outputs['big']?.bytes} bytes, at most ${Math.round(growthMb)} MB more\n`,
      );
      expect([status, outputs['big']?.rows]).toEqual(['ready', LARGE.rows]);
      expect(growthMb).toBeLessThan(LARGE.growthMb);
      await notebook.close();
    },
  );
});

function memoryMb(field: 'VmRSS' | 'VmHWM'): number {
  const match = new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(
    readFileSync(`/proc/${server.pid}/status`, 'utf8'),
  );
  return Number(match?.[1]) / 1024;
}

describe('data frames of other cells', () => {
  const FROM =
    '# @name total\n# @sql connection=mem\nSELECT kind, sum(n)::INT AS n FROM df GROUP BY kind ORDER BY kind';
  const frame = (last: number): string =>
    `import pyarrow as pa\ndf = pa.table({"kind": ["a", "b", "a"], "n": pa.array([1, 2, ${last}], pa.int64())})`;

  it('[SQ-60] [SQ-61] an in-memory DuckDB connection reads a data frame as a table, which is in the graph and the key', async () => {
    const notebook = await opened(
      'frames',
      [
        python('f', frame(3)),
        sql('q', FROM),
        // The result of a SQL cell is a data frame too.
        python('l', 'least = 1'),
        sql('r', '# @name top\n# @sql connection=mem\nSELECT max(n) AS most FROM total WHERE n >= :least'),
        // A connection whose database has the table reads that table, not the variable.
        python('e', 'ev = 1'),
        sql('w', '# @name other\n# @sql connection=db\nSELECT id FROM ev'),
      ],
      PYARROW,
    );
    const { body: dag } = await notebook.get<{ edges: unknown[] }>('/dag');
    expect(dag.edges).toContainEqual({ from_cell_id: 'f', to_cell_id: 'q', variable: 'df' });
    expect(dag.edges).toContainEqual({ from_cell_id: 'q', to_cell_id: 'r', variable: 'total' });
    expect(JSON.stringify(dag.edges)).not.toContain('"ev"');
    const first = await notebook.execute('q');
    expect([first.error, first.outputs['total']?.preview]).toEqual([
      null,
      [
        ['a', 4],
        ['b', 2],
      ],
    ]);
    expect((await notebook.execute('q')).cache_hit).toBe(true);
    await notebook.edit('f', frame(30));
    expect(await statuses(notebook)).toMatchObject({ f: 'idle', q: 'stale' });
    const again = await notebook.execute('q');
    expect([again.cache_hit, again.outputs['total']?.preview]).toEqual([
      false,
      [
        ['a', 31],
        ['b', 2],
      ],
    ]);
    await notebook.close();
  });

  it('[SQ-60] a value that is no table is refused by name', async () => {
    const notebook = await opened('noFrames', [python('f', 'df = [1, 2]'), sql('q', FROM)]);
    expect((await notebook.execute('q')).error).toContain('`df` is a json/object value, not a table');
    await notebook.close();
  });
});

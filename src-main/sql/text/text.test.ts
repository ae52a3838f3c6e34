/**
 * What is read from the text of SQL statements in each dialect: placeholders, kinds of statements, tables and
 * functions.
 */

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { sqlBody } from '../../../src-shared/sql/body.ts';
import { DIALECTS, type DriverName } from '../../../src-shared/sql/dialect.ts';
import { render } from '../render.ts';
import { SqlError } from '../sqlError.ts';
import { insertAfterAliases } from './afterAlias.ts';
import { placeholderNames } from './placeholders.ts';
import { readStatements } from './readStatements.ts';
import { scanSql } from './scanSql.ts';

function read(text: string, name: DriverName = 'duckdb') {
  return readStatements(text, DIALECTS[name]).map(({ statement }) => statement);
}

describe('placeholders', () => {
  const rows: readonly (readonly [text: string, dialect: DriverName, sent: string, slots: string[]])[] = [
    ['SELECT :a', 'duckdb', 'SELECT ?', ['a']],
    ['SELECT :a, :b_1, :a', 'postgresql', 'SELECT $1, $2, $3', ['a', 'b_1', 'a']],
    ['SELECT x::int, y:: int', 'postgresql', 'SELECT x::int, y:: int', []],
    ['SELECT \':a\', ":a", :b', 'sqlite', 'SELECT \':a\', ":a", ?', ['b']],
    ["SELECT 'it''s :a', :b", 'sqlite', "SELECT 'it''s :a', ?", ['b']],
    ["SELECT 'it\\', :b", 'duckdb', "SELECT 'it\\', ?", ['b']],
    ["SELECT 'it\\' :a', :b", 'snowflake', "SELECT 'it\\' :a', ?", ['b']],
    ["SELECT E'it\\' :a', :b", 'postgresql', "SELECT E'it\\' :a', $1", ['b']],
    ['SELECT "it\\" :a", :b', 'bigquery', 'SELECT "it\\" :a", ?', ['b']],
    ["SELECT r'\\', :b", 'bigquery', "SELECT r'\\', ?", ['b']],
    ["SELECT '''a'b :c''', :d", 'bigquery', "SELECT '''a'b :c''', ?", ['d']],
    ['SELECT 1 -- :a\n, :b', 'duckdb', 'SELECT 1 -- :a\n, ?', ['b']],
    ['SELECT 1 # :a\n, :b', 'bigquery', 'SELECT 1 # :a\n, ?', ['b']],
    ['SELECT /* :a /* :b */ :c */ :d', 'postgresql', 'SELECT /* :a /* :b */ :c */ $1', ['d']],
    ['SELECT /* :a /* :b */ :c */ :d', 'duckdb', 'SELECT /* :a /* :b */ :c */ ?', ['d']],
    ['SELECT 1 // :a', 'duckdb', 'SELECT 1 // ?', ['a']],
    ["SELECT 1 // it's :a\n, :b", 'snowflake', "SELECT 1 // it's :a\n, ?", ['b']],
    ['SELECT 2*//:a\n:b', 'snowflake', 'SELECT 2*//:a\n?', ['b']],
    ['SELECT /* :a /* :b */ :c', 'sqlite', 'SELECT /* :a /* :b */ ?', ['c']],
    ['SELECT $$ :a $$, $t$ :b $$ $t$, :c', 'postgresql', 'SELECT $$ :a $$, $t$ :b $$ $t$, $1', ['c']],
    ['SELECT x[1:n], x[:n]', 'duckdb', 'SELECT x[1:n], x[?]', ['n']],
    ['SELECT é:a, (:a)', 'duckdb', 'SELECT é:a, (?)', ['a']],
    ['SELECT [:a]', 'sqlite', 'SELECT [:a]', []],
    ['SELECT a*--:b\n:c', 'duckdb', 'SELECT a*--:b\n?', ['c']],
    ['SELECT :1, : a, :é', 'duckdb', 'SELECT :1, : a, :é', []],
  ];
  test.each(rows)('[SQ-1] %s (%s)', (text, dialect, sent, slots) => {
    const [statement] = read(text, dialect);
    if (statement === undefined) throw new Error('no statement');
    const rendered = render(statement, DIALECTS[dialect]);
    expect([rendered.sql, rendered.slots]).toEqual([sent, slots]);
  });

  test('[SQ-1] positions in the sent text map to the original text', () => {
    const [statement] = read('SELECT :long_name, oops', 'postgresql');
    if (statement === undefined) throw new Error('no statement');
    const { sql, placeOf } = render(statement, DIALECTS.postgresql);
    expect(placeOf(sql.indexOf('oops'))).toBe(statement.text.indexOf('oops'));
    expect(placeOf(0)).toBe(0);
  });

  test.each([
    ['# @sql connection=db\nSELECT :a, :b, :a', ['a', 'b']],
    ["SELECT 'x\\', :b", ['b']],
    ['SELECT "never closed', []],
    ['', []],
  ])('[SQ-2] a cell reads the names it binds: %j', (source, names) => {
    expect(placeholderNames(source)).toEqual(names);
  });

  test('[SQ-3] scanning ends for any text, and only white space is between tokens', () => {
    const pieces = fc.constantFrom(
      "'",
      '"',
      '`',
      '[',
      ']',
      '$',
      '$$',
      '$a$',
      '--',
      '/*',
      '*/',
      ':a',
      '::',
      '\\',
      '\n',
      'x',
      '1',
      ' ',
      ';',
      'E',
      '#',
      '𝒳',
      '(',
    );
    fc.assert(
      fc.property(fc.array(pieces), fc.constantFrom(...Object.values(DIALECTS)), (parts, dialect) => {
        const text = parts.join('');
        try {
          let at = 0;
          for (const { start, end, text: own } of scanSql(text, dialect)) {
            expect(text.slice(at, start).trim()).toBe('');
            expect(text.slice(start, end)).toBe(own);
            expect(end).toBeGreaterThan(start);
            at = end;
          }
          expect(text.slice(at).trim()).toBe('');
        } catch (error) {
          if (!(error instanceof SqlError)) throw error;
        }
      }),
      { numRuns: 2000 },
    );
  });
});

describe('statements', () => {
  const kinds: [text: string, kind: string, reads: boolean, changes?: boolean][] = [
    ['SELECT 1', 'SELECT', true],
    ['(SELECT 1) UNION (SELECT 2)', 'SELECT', true],
    ['WITH a AS (SELECT 1), b(x) AS (SELECT 2) SELECT * FROM a, b', 'SELECT', true],
    ['WITH a AS (SELECT 1) INSERT INTO t SELECT * FROM a', 'INSERT', false, true],
    ['WITH a AS (DELETE FROM t RETURNING *) SELECT * FROM a', 'SELECT', false],
    ['SELECT * INTO t FROM u', 'SELECT', false],
    ['VALUES (1)', 'VALUES', true],
    ['FROM t', 'FROM', true],
    ['SHOW TABLES', 'SHOW', true],
    ['DESCRIBE t', 'DESCRIBE', true],
    ['SUMMARIZE t', 'SUMMARIZE', true],
    ['EXPLAIN DELETE FROM t', 'EXPLAIN', true],
    ['EXPLAIN ANALYZE SELECT 1', 'EXPLAIN', false],
    ['EXPLAIN (FORMAT json, ANALYZE) SELECT 1', 'EXPLAIN', false],
    ['EXPLAIN SELECT analyze FROM t', 'EXPLAIN', true],
    ['PRAGMA table_info(t)', 'PRAGMA', false],
    ['INSERT INTO t VALUES (1)', 'INSERT', false, true],
    ['UPDATE t SET a = 1', 'UPDATE', false, true],
    ['DELETE FROM t', 'DELETE', false, true],
    ['MERGE INTO t USING u ON a WHEN MATCHED THEN DELETE', 'MERGE', false, true],
    ['CREATE OR REPLACE TEMP TABLE t AS SELECT 1', 'CREATE TABLE', false],
    ['CREATE UNIQUE INDEX i ON t (a)', 'CREATE INDEX', false],
    ['CREATE MATERIALIZED VIEW v AS SELECT 1', 'CREATE MATERIALIZED VIEW', false],
    ['DROP VIEW v', 'DROP VIEW', false],
    ["COPY t TO 'x.csv'", 'COPY', false],
    ["ATTACH 'x.db' AS x", 'ATTACH', false],
    ['VACUUM', 'VACUUM', false],
    ['CALL f()', 'CALL', false],
  ];
  test.each([...kinds])('[SQ-4] %s is a %s', (text, kind, reads, changesRows = false) => {
    expect(read(text)[0]).toMatchObject({ kind, reads, changesRows });
  });

  const split: readonly (readonly [text: string, dialect: DriverName, statements: string[]])[] = [
    ['SELECT 1; SELECT 2;;', 'duckdb', ['SELECT 1', 'SELECT 2']],
    ["SELECT ';'; -- a;\nSELECT 2", 'duckdb', ["SELECT ';'", 'SELECT 2']],
    ['DO $$ BEGIN x; END $$; SELECT 1', 'postgresql', ['DO $$ BEGIN x; END $$', 'SELECT 1']],
    [
      'CREATE TRIGGER a AFTER INSERT ON t BEGIN UPDATE t SET a = CASE WHEN 1 THEN 2 END; DELETE FROM u; END; SELECT 1',
      'sqlite',
      [
        'CREATE TRIGGER a AFTER INSERT ON t BEGIN UPDATE t SET a = CASE WHEN 1 THEN 2 END; DELETE FROM u; END',
        'SELECT 1',
      ],
    ],
    ['BEGIN; DELETE FROM t; COMMIT', 'sqlite', ['BEGIN', 'DELETE FROM t', 'COMMIT']],
  ];
  test.each(split)('[SQ-5] %s is split into statements (%s)', (text, dialect, statements) => {
    expect(read(text, dialect).map((statement) => statement.text)).toEqual(statements);
  });

  const invalid: readonly (readonly [text: string, position: number | null, message: RegExp])[] = [
    ['', null, /no statement/],
    ['-- only words', null, /no statement/],
    ['SELEC 1', 0, /starts with "SELEC"/],
    ["SELECT 'a", 7, /never closed/],
    ['SELECT "a', 7, /never closed/],
    ['SELECT /* a', 7, /never closed/],
    ['SELECT $$a', 7, /never closed/],
    ['SELECT (1', 7, /never closed/],
    ['SELECT 1)', 8, /closes nothing/],
    ['SELECT (1]', 9, /does not close the "\("/],
    ['WITH a AS 1', 0, /This is not an SQL statement: it starts with "/],
  ];
  test.each(invalid)('[SQ-6] an error of the reader has its position: %j', (text, position, message) => {
    let thrown: unknown;
    try {
      read(text);
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toBeInstanceOf(SqlError);
    if (!(thrown instanceof SqlError)) return;
    expect([thrown.position, thrown.message]).toEqual([position, expect.stringMatching(message)]);
  });
});

describe('tables of a statement', () => {
  const rows: [text: string, tables: string[], unnameable?: RegExp | null][] = [
    ['SELECT * FROM t', ['t']],
    ['SELECT * FROM a.b."C d" x JOIN e ON x.i = e.i, f', ['a.b.C d', 'e', 'f']],
    ['SELECT * FROM a LEFT JOIN (SELECT * FROM b) ON 1 = 1 WHERE EXISTS (SELECT 1 FROM c)', ['a', 'b', 'c']],
    ['WITH a AS (SELECT * FROM t), b(x) AS (SELECT * FROM a) SELECT * FROM a, b, u', ['t', 'u']],
    ['WITH RECURSIVE r AS (SELECT 1 UNION SELECT * FROM r JOIN t ON 1=1) SELECT * FROM R', ['t']],
    ['WITH t AS (SELECT * FROM t WHERE a) SELECT * FROM t', ['t']],
    ['WITH a AS (SELECT * FROM b), b AS (SELECT 1) SELECT * FROM a, b', ['b']],
    ['WITH RECURSIVE a AS (SELECT * FROM b), b AS (SELECT 1) SELECT * FROM a, b', []],
    ['SELECT (WITH b AS (SELECT 1) SELECT * FROM b) FROM b', ['b']],
    ['SELECT * FROM t, (WITH RECURSIVE t AS (SELECT 1) SELECT * FROM t) x', ['t']],
    ['SELECT extract(year FROM d), trim(x FROM y) FROM t', ['t']],
    ['SELECT * FROM t WHERE a IS DISTINCT FROM b', ['t']],
    ['SELECT * FROM (a JOIN b ON 1=1), LATERAL (SELECT * FROM c)', ['a', 'b', 'c']],
    ['SELECT * FROM t, unnest([1, 2]) u, range(3)', ['t']],
    ['SELECT a, b FROM t ORDER BY a, b', ['t']],
    ['FROM t SELECT a, b', ['t']],
    ['SELECT 1', []],
    ['VALUES (1), (2)', []],
    ['SUMMARIZE t', ['t']],
    ['DESCRIBE SELECT * FROM t', ['t']],
    ["SELECT * FROM 'x.parquet'", [], /x\.parquet/],
    ['SELECT * FROM "x.csv"', [], /x\.csv/],
    ["SELECT * FROM t JOIN read_csv('x') ON 1=1", ['t'], /read_csv/],
    ['SELECT * FROM IDENTIFIER(:name)', [], /IDENTIFIER/],
    ['SELECT * FROM :name', [], /run time/],
  ];
  test.each([...rows])('[SQ-7] %s', (text, tables, unnameable = null) => {
    const [statement] = read(text);
    expect(statement?.tables.map(({ parts }) => parts.join('.'))).toEqual(tables);
    if (unnameable === null) expect(statement?.unnameable).toBeNull();
    else expect(statement?.unnameable).toMatch(unnameable);
    for (const { start, end, parts } of statement?.tables ?? []) {
      expect(statement?.text.slice(start, end).replaceAll('"', '')).toBe(parts.join('.'));
    }
  });
});

test.each<[DriverName, string, string[], RegExp?]>([
  ['sqlite', 'WITH t AS (SELECT 1 UNION SELECT * FROM t) SELECT * FROM t', []],
  ['snowflake', 'WITH t AS (SELECT 1 UNION SELECT * FROM t) SELECT * FROM t', []],
  ['postgresql', 'WITH t AS (SELECT * FROM t) SELECT * FROM t', ['t']],
  ['bigquery', 'WITH t AS (SELECT * FROM t) SELECT * FROM t', ['t']],
  ['duckdb', 'SELECT * FROM data.csv', [], /^the file data\.csv/],
  ['duckdb', "FROM x: 'a.csv'", [], /^the file/],
  ['duckdb', 'FROM x: t, y: u', ['t', 'u']],
  ['duckdb', "SELECT * FROM (SUMMARIZE 'a.csv')", [], /^the file/],
  ['duckdb', "WITH p AS (PIVOT 'a.csv' ON b USING sum(c)) FROM p", [], /^the file/],
  ['duckdb', 'SELECT * FROM (SELECT 1) PIVOT (sum(a) FOR b IN (1))', []],
  ['duckdb', 'SELECT * FROM "https://example.com/a"', [], /^the file/],
  ['duckdb', 'SELECT * FROM VALUES (1) v(a), t', ['t']],
  ['postgresql', 'SELECT * FROM raw.json', ['raw.json']],
  ['postgresql', 'SELECT * FROM "raw.json"', ['raw.json']],
  ['postgresql', 'SELECT * FROM a UNION TABLE b', ['a', 'b']],
  ['postgresql', 'WITH a AS (TABLE b) (TABLE c) UNION ALL TABLE a', ['b', 'c']],
  ['postgresql', 'WITH a AS (SELECT 1) TABLE b', ['b']],
  ['postgresql', 'SELECT * FROM a values, b set, c', ['a', 'b', 'c']],
  ['postgresql', 'SELECT a IS NOT DISTINCT FROM b FROM c', ['c']],
  ['postgresql', 'SELECT DISTINCT FROM c', ['c']],
  ['postgresql', 'SELECT * FROM U&"d\\0061ta"', [], /escapes/],
  ['postgresql', 'SHOW search_path', [], /SHOW/],
  ['snowflake', 'SHOW TABLES', [], /SHOW/],
  ['snowflake', 'DESC STAGE s', ['STAGE'], /DESC/],
  ['snowflake', 'SELECT * FROM a SAMPLE (10), b', ['a', 'b']],
  ['snowflake', 'SELECT * FROM @%a', [], /run time/],
  ['snowflake', 'SELECT * FROM $a', [], /run time/],
  [
    'bigquery',
    'SELECT * FROM my-project-1.ds.t AS x, other-1.`d s`.u',
    ['my-project-1.ds.t', 'other-1.d s.u'],
  ],
  ['bigquery', 'SELECT 1 FROM p.ds.2024_t t JOIN my-p.ds.20240101', ['p.ds.2024_t', 'my-p.ds.20240101']],
  ['bigquery', 'SELECT * FROM ds . t, my-table', ['ds.t', 'my-table']],
  ['bigquery', 'SELECT * FROM `my-project.ds.json`', ['my-project.ds.json']],
  ['bigquery', "SELECT * FROM a FOR SYSTEM_TIME AS OF '2026-01-01', b", ['a', 'b']],
  ['bigquery', 'SELECT * FROM UNNEST(x) WITH OFFSET AS o, b', ['b']],
  ['bigquery', 'SELECT a-b, c FROM d', ['d']],
  ['bigquery', 'SELECT 1 FROM ds.t AS o, o.items i, i.parts JOIN p.ds.u ON TRUE, u.tags', ['ds.t', 'p.ds.u']],
  ['bigquery', 'WITH c AS (SELECT [1] AS n) SELECT 1 FROM c, c.n, `p.ds.t` AS `T`, t.n', ['p.ds.t']],
  [
    'bigquery',
    'SELECT 1 FROM ds.t o WHERE EXISTS (SELECT 1 FROM o.items WHERE x IN (SELECT 1 FROM o.n))',
    ['ds.t'],
  ],
  ['bigquery', 'SELECT 1 FROM ds.t sales UNION ALL SELECT 1 FROM sales.u', ['ds.t', 'sales.u']],
  ['bigquery', 'SELECT 1 FROM (SELECT 1 FROM ds.t o), o.u', ['ds.t', 'o.u']],
  ['postgresql', 'SELECT 1 FROM a.t AS o, o.u', ['a.t', 'o.u']],
])('[SQ-7] of %s: %s', (driver, text, tables, unnameable) => {
  const [statement] = read(text, driver);
  expect(statement?.tables.map(({ parts }) => parts.join('.'))).toEqual(tables);
  if (unnameable === undefined) expect(statement?.unnameable).toBeNull();
  else expect(statement?.unnameable).toMatch(unnameable);
  for (const { start, end, parts } of statement?.tables ?? []) {
    expect(statement?.text.slice(start, end).replaceAll(/["`]| (?=\.)|(?<=\.) /g, '')).toBe(parts.join('.'));
  }
});

test('[SQ-7] lists the called functions, each name once', () => {
  const [statement] = read(
    'SELECT f(a), f (b), "F"(c), s.g(d), (e) FROM h(1) WHERE t.x[1] > 2',
    'postgresql',
  );
  expect(statement?.calls.map(({ parts, quoted }) => `${parts.join('.')} ${quoted.join()}`)).toEqual([
    'f false',
    'F true',
    's.g false,false',
    'h false',
  ]);
});

test.each<[DriverName, string, string]>([
  [
    'duckdb',
    'FROM a.b.c /* x /* y */ z */ AS "d e" WHERE 1',
    'FROM a.b.c /* x /* y */ z */ AS "d e" AT WHERE 1',
  ],
  ['duckdb', 'FROM a.b.c WHERE 1', 'FROM a.b.c AT WHERE 1'],
  ['bigquery', 'SELECT 1 FROM a-b.c.d # e\n x JOIN f', 'SELECT 1 FROM a-b.c.d # e\n x AT JOIN f AT'],
  ['bigquery', 'SELECT 1 FROM a AS `b`, c', 'SELECT 1 FROM a AS `b` AT, c AT'],
])('[SW-19] a clause is inserted after a table and its alias (%s): %j', (driver, text, sent) => {
  const [statement] = read(text, driver);
  if (statement === undefined) throw new Error('no statement');
  const insertions = insertAfterAliases(statement, DIALECTS[driver], () => 'AT');
  expect(render(statement, DIALECTS[driver], insertions).sql).toBe(sent);
});

test.each([
  ['# @name a\n\n# note\nSELECT 1\n# in the text', 'SELECT 1\n# in the text', 18],
  ['\uFEFF# @name a\r\nSELECT 1', 'SELECT 1', 12],
  ['-- @sql connection=x\nSELECT 1', '-- @sql connection=x\nSELECT 1', 0],
  ['# a', '', 3],
])(
  '[SQ-8] the SQL of a cell begins at its first line that is neither blank nor a comment: %j',
  (source, text, offset) => {
    expect(sqlBody(source)).toEqual({ text, offset });
  },
);

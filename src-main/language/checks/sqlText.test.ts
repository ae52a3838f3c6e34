import { expect, test } from 'vitest';
import { NO_GRAPH } from '../../../src-shared/notebook/graph.ts';
import { parseNotebookToml } from '../../notebook/file/notebookFile.ts';
import { readCell } from '../../sql/readCell.ts';
import { analyzeCell, createAnalyzer } from '../analyzeCell.ts';
import { sqlTextCheck } from './sqlText.ts';

const analyzer = await createAnalyzer();

/** The diagnostics of a SQL cell on a connection with this driver and path; `row` is `severity code line`. */
function diagnosticsOfSql(connection: string, source: string, read = readCell) {
  const [driver, path] = connection.split(' ');
  const place = path === undefined ? '' : `path = "${path}"\n`;
  const toml = `notebook_id = "n"\n[connections.db]\ndriver = "${driver}"\n${place}[[cells]]\nid = "a"\nfile = "cells/a.sql"\nlanguage = "sql"\norder = 0`;
  const file = parseNotebookToml(toml);
  const [entry] = file.cells;
  if (entry === undefined) throw new Error('the notebook has a cell');
  const analysis = analyzeCell(analyzer, { language: 'sql', source });
  const cell = { id: entry.id, entry, source, analysis };
  const diagnostics = sqlTextCheck(read)(cell, { file, cells: new Map([[cell.id, cell]]), graph: NO_GRAPH });
  return diagnostics.map(({ severity, code, line, message }) => ({
    row: `${severity} ${code} ${line}`,
    message,
  }));
}

const ON = '# @sql connection=db\n';
const WRITES = '# @sql connection=db write=true\n';

/** Driver and path, source, expected row, part of the message. */
const ROWS: [string, string, string | null, string?][] = [
  ['sqlite', `${ON}SELECT 1`, null],
  ['sqlite', ON, null],
  ['sqlite', 'SELECT (', null],
  ['sqlite', '# @sql connection=other\nSELECT (', null],
  ['sqlite', `${ON}-- nothing`, 'warn sql_parse_error null', 'no statement'],
  ['sqlite', `${ON}\nSELECT 'x\nFROM t`, 'warn sql_parse_error 3', 'never closed'],
  ['sqlite', `${ON}SELECT (1,\n  [2)`, 'warn sql_parse_error 3', 'never closed'],
  ['sqlite', `${ON}SELECT 1;\r\nSELECT 2);`, 'warn sql_parse_error 3', 'closes nothing'],
  ['sqlite', `${ON}SELEKT 1`, 'warn sql_parse_error 2', 'SELEKT'],
  ['sqlite', `${ON}SELECT 1;\n\nDELETE FROM t`, 'warn sql_parse_error 4', 'write=true'],
  ['duckdb', `${ON}PRAGMA database_size`, 'warn sql_parse_error 2', 'write=true'],
  ['sqlite', `${WRITES}DELETE FROM t`, null],
  ['sqlite', `${WRITES}SAVEPOINT a; DELETE FROM t; ROLLBACK TO a; RELEASE a`, null],
  ['sqlite', `${WRITES}DELETE FROM t;\nCOMMIT;\nDELETE FROM u`, 'warn sql_parse_error 3', 'one transaction'],
  ['postgresql', `${WRITES}BEGIN; DELETE FROM t; END`, 'warn sql_parse_error 2', 'BEGIN is not allowed'],
  ['postgresql', `${WRITES}DELETE FROM t;\nROLLBACK AND CHAIN`, 'warn sql_parse_error 3', 'ROLLBACK'],
  ['postgresql', `${WRITES}DELETE FROM t;\nPREPARE TRANSACTION 'x'`, 'warn sql_parse_error 3', 'PREPARE'],
  ['postgresql', `${WRITES}PREPARE p AS SELECT 1; EXECUTE p`, null],
  ['duckdb', `${WRITES}DELETE FROM t;\nabort`, 'warn sql_parse_error 3', 'ABORT'],
  ['snowflake', `${WRITES}START TRANSACTION; DELETE FROM t`, 'warn sql_parse_error 2', 'START'],
  ['bigquery', `${WRITES}DELETE FROM t WHERE 1 = 1;\nCOMMIT TRANSACTION`, 'warn sql_parse_error 3', 'COMMIT'],
  ['sqlite', `${WRITES}# @cache fingerprint\nDELETE FROM t`, 'warn sql_parse_error 2', 'fingerprint'],
  ['snowflake', `${WRITES}# @cache snapshot\nDELETE FROM t`, 'warn sql_parse_error 2', 'snapshot'],
  ['postgresql', `${ON}# @cache snapshot\nSELECT 1 FROM t`, 'warn sql_parse_error 2', 'snapshots'],
  ['snowflake', `${ON}# @cache snapshot\nSELECT 1 FROM t`, null],
  ['bigquery', `${ON}# @cache snapshot\nSELECT 1 FROM t`, null],
  // A backslash escapes in one of them and not in the other.
  ['bigquery', `${ON}SELECT 'it\\'s'`, null],
  ['postgresql', `${ON}SELECT 'it\\'s'`, 'warn sql_parse_error 2', 'never closed'],
  ['duckdb', `${ON}SELECT * FROM 'x.parquet'`, 'warn sql_dynamic_table null', "the file 'x.parquet'"],
  [
    'duckdb',
    `${ON}SELECT * FROM t;\nSELECT * FROM read_csv('x.csv')`,
    'warn sql_dynamic_table null',
    'read_csv()',
  ],
  ['snowflake', `${ON}SELECT * FROM identifier(:t)`, 'warn sql_dynamic_table null', 'identifier()'],
  ['duckdb', `${ON}# @cache session\nSELECT * FROM 'x.parquet'`, null],
  ['duckdb', `${ON}# @cache ttl=5\nSELECT * FROM 'x.parquet'`, null],
  ['duckdb', `${ON}# @cache nope\nSELECT * FROM 'x.parquet'`, 'warn sql_dynamic_table null', 'every time'],
  [
    'duckdb',
    `${WRITES}CREATE TABLE t AS SELECT * FROM 'x.parquet'`,
    'warn sql_table_not_kept 2',
    'gone once this cell has run',
  ],
  ['duckdb :memory:', `${WRITES}\nCREATE OR REPLACE VIEW v AS SELECT 1`, 'warn sql_table_not_kept 3', 'view'],
  [
    'sqlite :memory:',
    `${WRITES}CREATE TABLE t (a INT);\nCREATE TABLE u (a INT)`,
    'warn sql_table_not_kept 2',
  ],
  ['duckdb a.duckdb', `${WRITES}CREATE TABLE t AS SELECT 1`, null],
  ['sqlite a.db', `${WRITES}CREATE TABLE t (a INT)`, null],
  ['duckdb', `${WRITES}CREATE OR REPLACE TEMP TABLE t AS SELECT 1`, null],
  ['duckdb', `${WRITES}create table t as select temp from u`, 'warn sql_table_not_kept 2'],
  ['duckdb', `${WRITES}CREATE TABLE t AS SELECT 1; COPY t TO 'out.parquet'`, null],
  ['duckdb', `${WRITES}ATTACH 'a.duckdb' AS a; CREATE TABLE a.t AS SELECT 1`, null],
  ['postgresql', `${WRITES}CREATE TABLE t (a INT)`, null],
  ['duckdb', `${ON}SELECT * FROM range(3), unnest([1, 2])`, null],
  ['postgresql', `${ON}SELECT :x::int, a[1:2] FROM t WHERE b = :y`, null],
];

test.each<[string, string, string | null, string?]>(ROWS)(
  '[SQ-35] [SQ-46] %s: %j: %s',
  (driver, source, row, words) => {
    const diagnostics = diagnosticsOfSql(driver, source);
    expect(diagnostics.map((one) => one.row)).toEqual(row === null ? [] : [row]);
    if (words !== undefined) expect(diagnostics.map(({ message }) => message).join()).toContain(words);
  },
);

test('[SQ-35] a bug in the reader is reported as a diagnostic', () => {
  const diagnostics = diagnosticsOfSql('sqlite', `${ON}SELECT 1`, () => {
    throw new TypeError('cannot read properties of undefined');
  });
  expect(diagnostics.map(({ row }) => row)).toEqual(['warn sql_analysis_failed null']);
});

/** Makes the statements that read the first rows of a table or file for a preview. */

import type { DriverName } from '../../src-shared/sql/dialect.ts';
import type { BoundStatement } from './driver.ts';
import { SqlError } from './sqlError.ts';

/** A table as the schema of a connection names it. */
export interface SampledTable {
  readonly catalog: string | null;
  readonly schema: string | null;
  readonly name: string;
}

/** The rows of a preview. */
export const SAMPLE_ROWS = 50;

/**
 * The statement that reads the first rows of a table, for a preview.
 * @throws SqlError for a database that charges for whole tables, however few rows are read
 */
export function sampleOfTable(driver: DriverName, { catalog, schema, name }: SampledTable): BoundStatement {
  if (driver === 'bigquery') {
    throw new SqlError('BigQuery charges for the whole table even if few rows are read.', {
      hint: 'Insert a cell and choose the columns there',
    });
  }
  // PostgreSQL and SQLite cannot read the tables of another database.
  const hasCatalogs = driver === 'duckdb' || driver === 'snowflake';
  const parts = [hasCatalogs ? catalog : null, schema, name].filter((part) => part !== null);
  return reading(`SELECT * FROM ${parts.map(quoted).join('.')} LIMIT ${SAMPLE_ROWS}`);
}

/** How DuckDB reads a file of this name; null: not at all. */
export function readerOf(fileName: string): 'read_csv' | 'read_parquet' | 'read_json' | null {
  const name = fileName.toLowerCase().replace(/\.gz$/, '');
  if (/\.(?:csv|tsv)$/.test(name)) return 'read_csv';
  if (/\.(?:json|jsonl|ndjson)$/.test(name)) return 'read_json';
  return fileName.toLowerCase().endsWith('.parquet') ? 'read_parquet' : null;
}

/** The statement that reads the first rows of a file in DuckDB. */
export function sampleOfFile(path: string, reader: NonNullable<ReturnType<typeof readerOf>>): BoundStatement {
  // A path may contain what DuckDB takes for a pattern.
  const literal = path.replaceAll(/[[\]*?]/g, (char) => `[${char}]`).replaceAll("'", "''");
  return reading(`SELECT * FROM ${reader}('${literal}') LIMIT ${SAMPLE_ROWS}`);
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

function reading(sql: string): BoundStatement {
  const facts = { offset: 0, kind: 'SELECT', reads: true, changesRows: false, unnameable: null } as const;
  return { statement: { ...facts, text: sql, placeholders: [], tables: [], calls: [] }, sql, binds: [] };
}

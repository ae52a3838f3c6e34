/** The types of parsed SQL statements, and of statements as they are sent to a database. */

import type { CalledName, TableName } from '../../src-shared/sql/tableName.ts';

/** A `:name` in a statement. */
interface Placeholder {
  readonly name: string;
  /** UTF-16 offsets in the statement's text, including the colon. */
  readonly start: number;
  readonly end: number;
}

/** One parsed statement of a cell. Plain data, so it can be sent between threads. */
export interface Statement {
  /** As written, without the semicolon at its end. */
  readonly text: string;
  /** The UTF-16 position of `text` in the cell's source. */
  readonly offset: number;
  /** The kind of statement, in capitals: `SELECT`, `INSERT`, `CREATE TABLE`. */
  readonly kind: string;
  /** Whether it only reads (docs/spec/sql.md, 1). */
  readonly reads: boolean;
  /** Whether it has a number of affected rows: INSERT, UPDATE, DELETE, MERGE, REPLACE. */
  readonly changesRows: boolean;
  readonly placeholders: readonly Placeholder[];
  /** The base tables it reads, at each place that names them; without CTEs, functions and files. */
  readonly tables: readonly TableName[];
  /** Something it reads that has no table name: a file or a table function; null when there is none. */
  readonly unnameable: string | null;
  /** The functions that it calls, each once. */
  readonly calls: readonly CalledName[];
}

/** A statement as it is sent. */
export interface Rendered {
  /** The statement with `$n` or `?` in place of each placeholder, perhaps with a driver's insertions. */
  readonly sql: string;
  /** The name of the value for each slot, in order. */
  readonly slots: readonly string[];
}

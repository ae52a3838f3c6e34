import type { CalledName, TableName } from '../../src-shared/sql/tableName.ts';

/** A `:name` of a statement. */
export interface Placeholder {
  readonly name: string;
  /** UTF-16 offsets in the statement's text, the colon included. */
  readonly start: number;
  readonly end: number;
}

/** One statement of a cell, read but not changed. Plain data: it crosses threads. */
export interface Statement {
  /** As written, without the semicolon that ends it. */
  readonly text: string;
  /** Where `text` begins in the cell's source, UTF-16. */
  readonly offset: number;
  /** What it does in capitals: `SELECT`, `INSERT`, `CREATE TABLE`. */
  readonly kind: string;
  /** Whether it only reads (sql). */
  readonly reads: boolean;
  /** Whether it reports rows affected: INSERT, UPDATE, DELETE, MERGE, REPLACE. */
  readonly changesRows: boolean;
  readonly placeholders: readonly Placeholder[];
  /** Base tables it reads, each place it is named; no names of CTEs, no functions, no files. */
  readonly tables: readonly TableName[];
  /** What it reads that has no name beforehand: a file, a table function; null where there is none. */
  readonly unnameable: string | null;
  /** What it calls like a function, each once. */
  readonly calls: readonly CalledName[];
}

/** A statement as it is sent. */
export interface Rendered {
  /** The statement with `$n` or `?` in place of each placeholder, or as a driver's `atSnapshot` made it. */
  readonly sql: string;
  /** The name bound to each slot, in the order of the slots. */
  readonly slots: readonly string[];
}

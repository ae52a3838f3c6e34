import type { Dialect, DriverName } from '../../src-shared/sql/dialect.ts';
import type { CalledName, TableName } from '../../src-shared/sql/tableName.ts';
import type { ColumnBuilder } from './arrow/columnBuilder.ts';
import type { BindValue } from './bindValue.ts';
import type { Column, Row, RowValue } from './columnType.ts';
import type { Statement } from './statement.ts';

/**
 * The port of SQL connections. A driver's code runs in the SQL thread, never in the server's: it may compute for as
 * long as it likes between two messages. It never sees an open notebook; everything it needs is in `ConnectSettings`,
 * plain data with every `${VAR}` and credential already filled in.
 */

/** One `connections.<name>` block of notebook.toml (notebook-file 3.6), ready to connect with. */
export interface ConnectSettings {
  readonly name: string;
  readonly driver: DriverName;
  /** The driver's own top-level keys: `path`, `uri`, `host`, `database`, `role`, `account`, …, as written. */
  readonly keys: Readonly<Record<string, unknown>>;
  /** The credential's fields with the block's own `auth` over them; references resolved. Never part of a key. */
  readonly auth: Readonly<Record<string, string>>;
  readonly options: Readonly<Record<string, unknown>>;
  /** Absolute. Paths are relative to it. */
  readonly notebookDir: string;
  /** A server for several people: no files outside the notebook's folder, none of the server's own credentials. */
  readonly confined?: boolean;
  /** duckdb: mounts shown as views, by name, with their local root. */
  readonly mounts: Readonly<Record<string, string>>;
  /** duckdb: the catalog it shows. */
  readonly catalog?: AttachedCatalog | null;
}

/** A catalog of tables, ready to be attached: its credential's fields beneath its own, references resolved. */
export interface AttachedCatalog {
  readonly name: string;
  /** As Iceberg's libraries name them: uri, warehouse, token, s3.region, … */
  readonly properties: Readonly<Record<string, unknown>>;
}

/** `write` uses the credentials kept for writing where a driver has them. */
export type Access = 'read' | 'write';

export interface Driver {
  readonly name: DriverName;
  readonly dialect: Dialect;
  readonly capabilities: {
    /** What one freshness token speaks for. */
    readonly freshness: 'database' | 'table';
    /** Whether every table can be read as it was at a moment: the `snapshot` policy. */
    readonly snapshots: boolean;
  };
  /**
   * What tells this database, and who asks, from another: no secrets, nothing asked of the network (sql,
   * "Identity"). Its sorted JSON is hashed into keys, so a change of its form makes every result of the driver old.
   * @throws SqlError where settings are missing or wrong, naming the key
   */
  identity(settings: ConnectSettings, access: Access): Readonly<Record<string, unknown>>;
  /**
   * Opens a connection; with `read` the database itself refuses to change anything.
   * @throws SqlError that says what to mend; never with a secret in it
   */
  connect(
    settings: ConnectSettings,
    options: { readonly access: Access; readonly signal: AbortSignal },
  ): Promise<SqlConnection>;
}

/** A statement with what is bound to each of its slots, in order. */
export interface BoundStatement {
  readonly statement: Statement;
  readonly sql: string;
  readonly binds: readonly BindValue[];
}

/** A result on its way. Read `batches` to its end, or leave it: then the query ends. */
export interface ResultStream {
  readonly columns: readonly Column[];
  /** Rows in pieces of some thousands, so that memory stays small; none for a result without rows. */
  readonly batches: AsyncIterable<readonly Row[] | ColumnBatch>;
}

/** What a column-wise driver may give instead of rows. */
export interface ColumnBatch {
  readonly rows: number;
  /** Appends all values of a column. */
  write(column: number, into: ColumnBuilder): void;
  /** One value, for the preview. */
  value(column: number, row: number): RowValue;
}

/** What one statement of a write did. */
export interface WriteDone {
  /** Null unless the statement changes rows, or the database does not say. */
  readonly rowsAffected: bigint | null;
}

/** A data frame of another cell, which a statement names like a table. */
export interface Frame {
  readonly name: string;
  /** Its stored bytes: an Arrow stream. */
  readonly path: string;
}

export interface SqlConnection {
  /** Shows data frames as tables, before the query that reads them. Absent: this database cannot. */
  load?(frames: readonly Frame[], signal: AbortSignal): Promise<void>;
  /**
   * Runs one statement that reads. Aborting the signal ends it soon; the promise or the batches then reject.
   * @param options.snapshot what `takeSnapshot` gave: every table is read as it was then
   * @throws SqlError with the position in `sql` where the database gives one
   */
  query(
    bound: BoundStatement,
    options: { readonly signal: AbortSignal; readonly snapshot: string | null },
  ): Promise<ResultStream>;
  /**
   * Runs statements one by one in one transaction and commits once, at the end; the first failure undoes all, as far
   * as the database can (says so where it cannot).
   * @throws SqlError with `statement` set
   */
  write(
    statements: readonly BoundStatement[],
    options: { readonly signal: AbortSignal },
  ): Promise<readonly WriteDone[]>;
  /**
   * Tokens that change whenever what the tables hold may have changed, sorted and without repeats; equal tokens
   * promise equal data. Null: nobody can say, the cell runs every time.
   * @param tables as the statements name them, without repeats; a driver of `database` freshness ignores them
   * @param calls what the statements call like functions: one of the database's owner may read what no FROM names
   */
  freshness(
    tables: readonly TableName[],
    signal: AbortSignal,
    calls?: readonly CalledName[],
  ): Promise<readonly string[] | null>;
  /** The columns of those tables as text that changes with them: names, types and nullability, sorted. Missing tables count as absent. */
  schemaFingerprint(tables: readonly TableName[], signal: AbortSignal): Promise<readonly string[]>;
  /**
   * Where tables can be read as they were: what `query` takes to read them so, as plain text. A moment for all where
   * `capabilities.snapshots`; the snapshots of `tables` that lie in an attached catalog.
   */
  takeSnapshot?(signal: AbortSignal, tables?: readonly TableName[]): Promise<string>;
  /** Every table and view a query can name; those of the system left out. */
  schema(signal: AbortSignal): Promise<readonly SchemaTable[]>;
  /** Idempotent; never throws. */
  close(): Promise<void>;
}

/** A row of the schema route (rest-notebooks 7). */
export interface SchemaTable {
  readonly catalog: string | null;
  readonly schema: string | null;
  readonly name: string;
  readonly columns: readonly SchemaColumn[];
}

export interface SchemaColumn {
  readonly name: string;
  /** As the database spells it. */
  readonly type: string;
  readonly nullable: boolean | null;
}

/**
 * The interface of a SQL driver. Drivers run in the SQL thread, not in the server's, so they may compute for
 * any time between two messages. They do not use an open notebook; all they need is in `ConnectSettings`:
 * plain data in which every `${VAR}` and credential is already resolved.
 */

import type { Dialect, DriverName } from '../../src-shared/sql/dialect.ts';
import type { CalledName, TableName } from '../../src-shared/sql/tableName.ts';
import type { NotebookFolder } from '../notebook/folder/notebookFolder.ts';
import type { ColumnBuilder } from './arrow/columnBuilder.ts';
import type { BindValue } from './bindValue.ts';
import type { Column, Row, RowValue } from './columnType.ts';
import type { Statement } from './statement.ts';

/** A `connections.<name>` block of notebook.toml (docs/spec/notebook-file.md, 3.6), ready to connect with. */
export interface ConnectSettings {
  readonly name: string;
  readonly driver: DriverName;
  /** The driver's own top-level keys: `path`, `uri`, `host`, `database`, `role`, `account`, …, as written. */
  readonly keys: Readonly<Record<string, unknown>>;
  /** The credential's fields, overridden by the block's own `auth`; references resolved. Never part of a key. */
  readonly auth: Readonly<Record<string, string>>;
  readonly options: Readonly<Record<string, unknown>>;
  /** Absolute; relative paths are resolved against it. */
  readonly notebookDir: NotebookFolder;
  /** Whether the server is shared: no files outside the notebook's folder, and none of the server's own credentials. */
  readonly confined?: boolean;
  /** duckdb: mounts shown as views, by name, with their local folder. */
  readonly mounts: Readonly<Record<string, string>>;
  /** duckdb: the attached catalog. */
  readonly catalog?: AttachedCatalog | null;
}

/** A catalog of tables, ready to be attached: the credential's fields overridden by its own, references resolved. */
export interface AttachedCatalog {
  readonly name: string;
  /** Named as in Iceberg's libraries: uri, warehouse, token, s3.region, … */
  readonly properties: Readonly<Record<string, unknown>>;
}

/** `write` uses the credentials for writing, if the driver has them. */
export type Access = 'read' | 'write';

/** A kind of database: its syntax, its abilities, and how to connect. */
export interface Driver {
  readonly name: DriverName;
  readonly dialect: Dialect;
  readonly capabilities: {
    /** What one freshness token covers. */
    readonly freshness: 'database' | 'table';
    /** Whether every table can be read at a point in time: the `snapshot` policy. */
    readonly snapshots: boolean;
  };
  /**
   * Identifies this database and the user, without secrets and without network access (docs/spec/sql.md, 3,
   * "Identity"). Its sorted JSON is hashed into keys, so any change of its form invalidates every result of the driver.
   * @throws SqlError for missing or invalid settings, with the name of the key
   */
  identity(settings: ConnectSettings, access: Access): Readonly<Record<string, unknown>>;
  /**
   * Opens a connection; with `read` the database itself refuses changes.
   * @throws SqlError that says what to fix; never with a secret in it
   */
  connect(
    settings: ConnectSettings,
    options: { readonly access: Access; readonly signal: AbortSignal },
  ): Promise<SqlConnection>;
}

/** A statement with the values bound to its slots, in order. */
export interface BoundStatement {
  readonly statement: Statement;
  readonly sql: string;
  readonly binds: readonly BindValue[];
}

/** A result that arrives in batches. Read `batches` to the end, or stop reading: then the query ends. */
export interface ResultStream {
  readonly columns: readonly Column[];
  /** Batches of some thousand rows, to keep memory small; none for a result without rows. */
  readonly batches: AsyncIterable<readonly Row[] | ColumnBatch>;
}

/** A batch of a driver that returns columns instead of rows. */
export interface ColumnBatch {
  readonly rows: number;
  /** Appends all values of a column. */
  write(column: number, into: ColumnBuilder): void;
  /** One value of the batch, for the preview. */
  value(column: number, row: number): RowValue;
}

/** The effect of one statement of a write. */
export interface WriteDone {
  /** Null for statements that do not change rows, and when the database does not report it. */
  readonly rowsAffected: bigint | null;
}

/** A data frame of another cell that a statement uses like a table. */
export interface Frame {
  readonly name: string;
  /** Path of its stored bytes: an Arrow stream. */
  readonly path: string;
}

/** An open connection to a database. */
export interface SqlConnection {
  /**
   * Makes data frames available as tables, before the query that reads them. Absent: not supported by this database.
   */
  load?(frames: readonly Frame[], signal: AbortSignal): Promise<void>;
  /**
   * Runs one statement that reads. Aborting the signal ends it soon; then the promise or the batches reject.
   * @param options.snapshot the result of `takeSnapshot`: every table is read at that time
   * @throws SqlError with the position in `sql` when the database reports one
   */
  query(
    bound: BoundStatement,
    options: { readonly signal: AbortSignal; readonly snapshot: string | null },
  ): Promise<ResultStream>;
  /**
   * Runs statements one by one in one transaction and commits once at the end; the first failure undoes everything, as
   * far as the database can (the error says so when it cannot).
   * @throws SqlError with `statement` set
   */
  write(
    statements: readonly BoundStatement[],
    options: { readonly signal: AbortSignal },
  ): Promise<readonly WriteDone[]>;
  /**
   * Tokens that change whenever the content of the tables may have changed, sorted and without duplicates; equal tokens
   * guarantee equal data. Null: unknown, so the cell runs every time.
   * @param tables as the statements name them, without duplicates; a driver with `database` freshness ignores them
   * @param calls the functions that the statements call: one defined by the database's owner may read tables that no
   * FROM names
   */
  freshness(
    tables: readonly TableName[],
    signal: AbortSignal,
    calls?: readonly CalledName[],
  ): Promise<readonly string[] | null>;
  /**
   * The columns of those tables as text that changes with their names, types and nullability, sorted. Missing tables
   * are left out.
   */
  schemaFingerprint(tables: readonly TableName[], signal: AbortSignal): Promise<readonly string[]>;
  /**
   * For databases that can read tables at a point in time: the value with which `query` reads them so, as text. A point
   * in time for all tables with `capabilities.snapshots`, else the snapshots of those `tables` that are in an attached
   * catalog.
   */
  takeSnapshot?(signal: AbortSignal, tables?: readonly TableName[]): Promise<string>;
  /** Every table and view that a query can name, without system tables. */
  schema(signal: AbortSignal): Promise<readonly SchemaTable[]>;
  /** May be called repeatedly; never throws. */
  close(): Promise<void>;
}

/** A row of the schema route (docs/spec/rest-notebooks.md, 7). */
export interface SchemaTable {
  readonly catalog: string | null;
  readonly schema: string | null;
  readonly name: string;
  readonly columns: readonly SchemaColumn[];
}

/** A column of a table in the schema route. */
export interface SchemaColumn {
  readonly name: string;
  /** The column's type as the database spells it. */
  readonly type: string;
  readonly nullable: boolean | null;
}

/** The interface for writing to an Iceberg table, which is implemented for SQL and REST catalogs. */

import type { Field } from '../metadata/types.ts';
import type { Json } from './tableJson.ts';
import type { TableChange } from './tableUpdates.ts';
import type { WritableFiles } from './writableFiles.ts';

/** A table as currently stored in its catalog, or as it will be created. */
export interface StoredTable {
  /** The metadata as exact JSON. For a new table it has identity, schema and location, but no snapshot. */
  readonly metadata: Json;
  /** The location of the current metadata file; null for a table that does not exist yet. */
  readonly metadataLocation: string | null;
  readonly files: WritableFiles;
}

/** One table of one catalog, for writing. */
export interface TableStore {
  /** The table, or null if there is none. @throws IcebergError */
  load(signal: AbortSignal): Promise<StoredTable | null>;
  /**
   * The metadata of a new table with this schema; the catalog may assign other field ids.
   * @throws IcebergError
   */
  prepare(
    schema: { readonly fields: readonly Field[]; readonly lastId: number },
    signal: AbortSignal,
  ): Promise<StoredTable>;
  /**
   * Commits the change atomically.
   * @throws IcebergError `conflict` if the table is no longer `base`
   */
  commit(base: StoredTable, change: TableChange, signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

/** The location of a table in its catalog. */
export interface TablePlace {
  readonly namespace: string;
  readonly table: string;
}

/** The interface of a table that is written, which SQL and REST catalogs implement. */

import type { Field } from '../metadata/types.ts';
import type { Json } from './tableJson.ts';
import type { TableChange } from './tableUpdates.ts';
import type { WritableFiles } from './writableFiles.ts';

/** A table as its catalog has it now, or as it will be created. */
export interface StoredTable {
  /** Exact JSON. That of a new table has its identity, schema and location, and no snapshot. */
  readonly metadata: Json;
  /** Null for a table that does not exist yet. */
  readonly metadataLocation: string | null;
  readonly files: WritableFiles;
}

/** One table of one catalog, for writing. */
export interface TableStore {
  /** The table, or null if there is none. @throws IcebergError */
  load(signal: AbortSignal): Promise<StoredTable | null>;
  /** What a table with this schema would be; the catalog may number its columns differently. @throws IcebergError */
  prepare(
    schema: { readonly fields: readonly Field[]; readonly lastId: number },
    signal: AbortSignal,
  ): Promise<StoredTable>;
  /**
   * Makes the change visible, all of it or nothing.
   * @throws IcebergError `conflict` when the table is not `base` any more
   */
  commit(base: StoredTable, change: TableChange, signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

/** Where a table is in its catalog. */
export interface TablePlace {
  readonly namespace: string;
  readonly table: string;
}

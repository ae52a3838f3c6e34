import { IcebergError } from '../icebergError.ts';

/** The interface of an Iceberg catalog, which lists and loads the tables of a warehouse. */
export interface Catalog {
  /**
   * Names of namespaces; the parts of a nested namespace are joined by dots.
   * @throws IcebergError
   */
  listNamespaces(signal: AbortSignal): Promise<readonly string[]>;
  /** Names of the tables of a namespace, without views. @throws IcebergError */
  listTables(namespace: string, signal: AbortSignal): Promise<readonly string[]>;
  /** @throws IcebergError `not_found` when there is no such table */
  loadTable(namespace: string, table: string, signal: AbortSignal): Promise<CatalogTable>;
  close(): Promise<void>;
}

export interface CatalogTable {
  readonly metadataLocation: string;
  /** The table's metadata as exact JSON, if the catalog returns it. */
  readonly metadata: unknown;
  /** Storage properties that the catalog returns for this table. */
  readonly config: Readonly<Record<string, unknown>>;
}

export function noTable(namespace: string, table: string): IcebergError {
  return new IcebergError('not_found', `The catalog has no table ${namespace}.${table}.`);
}

export function noNamespace(namespace: string): IcebergError {
  return new IcebergError('not_found', `The catalog has no namespace ${namespace}.`);
}

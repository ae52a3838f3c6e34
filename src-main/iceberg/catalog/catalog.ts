import { IcebergError } from '../icebergError.ts';

/** What knows the tables of a warehouse. */
export interface Catalog {
  /** Names of namespaces; the parts of one that is nested are joined by dots. @throws IcebergError */
  listNamespaces(signal: AbortSignal): Promise<readonly string[]>;
  /** Names of the tables of a namespace, views left out. @throws IcebergError */
  listTables(namespace: string, signal: AbortSignal): Promise<readonly string[]>;
  /** @throws IcebergError `not_found` when there is no such table */
  loadTable(namespace: string, table: string, signal: AbortSignal): Promise<CatalogTable>;
  close(): Promise<void>;
}

export interface CatalogTable {
  readonly metadataLocation: string;
  /** The metadata itself, as exact JSON, where the catalog hands it out. */
  readonly metadata: unknown;
  /** Storage properties the catalog hands out for this table. */
  readonly config: Readonly<Record<string, unknown>>;
}

export function noTable(namespace: string, table: string): IcebergError {
  return new IcebergError('not_found', `The catalog has no table ${namespace}.${table}.`);
}

export function noNamespace(namespace: string): IcebergError {
  return new IcebergError('not_found', `The catalog has no namespace ${namespace}.`);
}

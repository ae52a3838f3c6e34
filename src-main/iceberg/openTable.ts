/** Finds and opens an Iceberg table: catalog, metadata and file access. */

import type { StorageOptions } from '../mount/credentials.ts';
import type { Catalog, CatalogTable } from './catalog/catalog.ts';
import { type CatalogProperties, openCatalog } from './catalog/openCatalog.ts';
import { parseTableUri, type TableUri } from './catalog/tableUri.ts';
import { IcebergError } from './icebergError.ts';
import { loadMetadata, metadataOf, type TableMetadata } from './metadata/tableMetadata.ts';
import { parseLocation } from './storage/location.ts';
import { type OpenTableFiles, openTableFiles } from './storage/openTableFiles.ts';
import { storageOptions } from './storage/storageOptions.ts';

/** The catalogs and object stores that a server can use. */
export interface Warehouses {
  readonly defaultCatalog: string;
  /** Properties of each catalog, including the default one. */
  readonly catalogs: Readonly<Record<string, CatalogProperties>>;
  /** Catalogs that cannot be used now, each with the reason. */
  readonly problems?: Readonly<Record<string, string>>;
  readonly storage: Readonly<Record<'s3' | 'gs' | 'az', StorageOptions>>;
}

/** A table at one point in time, with access to its files. */
export interface OpenTable {
  readonly uri: TableUri;
  readonly metadataLocation: string;
  readonly metadata: TableMetadata;
  readonly files: OpenTableFiles;
  close(): Promise<void>;
}

/** The name of the catalog that a warehouse folder contains. */
const WAREHOUSE_CATALOG = 'svc';

/**
 * Finds a table and reads its metadata.
 * @throws IcebergError
 */
export async function openTable(
  text: string,
  warehouses: Warehouses,
  signal: AbortSignal,
): Promise<OpenTable> {
  const uri = parseTableUri(text, warehouses.defaultCatalog);
  const { name, properties } = catalogOf(uri, warehouses);
  const catalog = openCatalog(name, properties);
  let catalogTable: CatalogTable;
  try {
    catalogTable = await loadFrom(catalog, uri, signal);
  } finally {
    await catalog.close();
  }
  const place = parseLocation(catalogTable.metadataLocation);
  const files = openTableFiles({
    options: storageOptions({ ...properties, ...catalogTable.config }, warehouses.storage),
    mayReadLocal: place.kind === 'local',
  });
  try {
    const metadata =
      catalogTable.metadata === null
        ? await loadMetadata(catalogTable.metadataLocation, files, signal)
        : metadataOf(catalogTable.metadata, catalogTable.metadataLocation);
    return {
      uri,
      metadataLocation: catalogTable.metadataLocation,
      metadata,
      files,
      close: () => files.close(),
    };
  } catch (error) {
    await files.close();
    throw error;
  }
}

function loadFrom(
  catalog: Catalog,
  { namespace, table }: TableUri,
  signal: AbortSignal,
): Promise<CatalogTable> {
  return catalog.loadTable(namespace, table, signal);
}

/** Opens a catalog by its name. @throws IcebergError */
export function openNamedCatalog(name: string, warehouses: Warehouses): Catalog {
  return openCatalog(name, propertiesOf(name, warehouses));
}

function propertiesOf(name: string, { catalogs, problems = {} }: Warehouses): CatalogProperties {
  const problem = Object.hasOwn(problems, name) ? problems[name] : undefined;
  if (problem !== undefined) throw new IcebergError('unavailable', problem);
  const properties = Object.hasOwn(catalogs, name) ? catalogs[name] : undefined;
  if (properties !== undefined) return properties;
  throw new IcebergError(
    'not_found',
    `There is no catalog "${name}". Attach it in the Data panel, or define it in SVC_CATALOGS.`,
  );
}

/**
 * The catalog that contains a table.
 * @throws IcebergError
 */
export function catalogOf(
  uri: TableUri,
  warehouses: Warehouses,
): { readonly name: string; readonly properties: CatalogProperties } {
  const { catalogs, defaultCatalog } = warehouses;
  if (uri.kind === 'catalog') return { name: uri.catalog, properties: propertiesOf(uri.catalog, warehouses) };
  if (parseLocation(uri.warehouse).kind === 'local')
    return { name: WAREHOUSE_CATALOG, properties: { type: 'sql', warehouse: uri.warehouse } };
  // A bucket cannot contain a database file: the default catalog has its tables.
  const properties = catalogs[defaultCatalog];
  if (properties === undefined || (typeof properties['uri'] !== 'string' && properties['type'] !== 'glue')) {
    throw new IcebergError(
      'invalid_request',
      `The warehouse ${uri.warehouse} is in object storage, which needs a catalog. Set SVC_CATALOG_URI.`,
    );
  }
  return { name: defaultCatalog, properties: { ...properties, warehouse: uri.warehouse } };
}

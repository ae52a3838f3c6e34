/** Opens an Iceberg table in its catalog for writing. */

import { catalogKind, databasePlace, refused, textProperty } from '../catalog/openCatalog.ts';
import { openPostgresDatabase } from '../catalog/postgresDatabase.ts';
import { openSqliteDatabase } from '../catalog/sqliteDatabase.ts';
import { parseTableUri } from '../catalog/tableUri.ts';
import { catalogOf, type Warehouses } from '../openTable.ts';
import { storageOptions } from '../storage/storageOptions.ts';
import { openRestTableStore } from './restTableStore.ts';
import { openSqlTableStore } from './sqlTableStore.ts';
import type { TableStore } from './tableStore.ts';

/**
 * Opens a table in its catalog for writing.
 * @param text a table URI
 * @throws IcebergError for an invalid URI, invalid properties, and a read-only catalog
 */
export function openTableStore(text: string, warehouses: Warehouses): TableStore {
  const tableUri = parseTableUri(text, warehouses.defaultCatalog);
  const { namespace, table } = tableUri;
  const { name, properties } = catalogOf(tableUri, warehouses);
  const uri = textProperty(properties, 'uri');
  const kind = catalogKind(properties);
  if (kind === 'rest') {
    if (uri === null) throw refused(name, 'needs a uri, the address of the REST catalog');
    return openRestTableStore({ uri, properties, namespace, table, storage: warehouses.storage });
  }
  if (kind !== 'sql') {
    throw refused(
      name,
      `has the type ${kind}, whose tables are not written. Use a catalog of the type sql or rest`,
    );
  }
  const warehouse = textProperty(properties, 'warehouse');
  const place = databasePlace(name, uri, warehouse);
  return openSqlTableStore({
    namespace,
    table,
    warehouse,
    // A warehouse folder has one catalog, whatever its name in the database.
    catalog: uri === null ? null : name,
    database:
      place.kind === 'sqlite'
        ? openSqliteDatabase(place.path, { mayWrite: true })
        : openPostgresDatabase(place.uri, { mayWrite: true }),
    storage: storageOptions(properties, warehouses.storage),
  });
}

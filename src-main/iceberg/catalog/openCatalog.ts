/** Opens an Iceberg catalog (SQL, REST, Glue) from its properties. */

import { join } from 'node:path';
import { IcebergError } from '../icebergError.ts';
import { parseLocation } from '../storage/location.ts';
import type { Catalog } from './catalog.ts';
import { GlueCatalog } from './glueCatalog.ts';
import { openPostgresDatabase } from './postgresDatabase.ts';
import { RestCatalog } from './restCatalog.ts';
import { SqlCatalog } from './sqlCatalog.ts';
import { openSqliteDatabase } from './sqliteDatabase.ts';

export type CatalogProperties = Readonly<Record<string, unknown>>;

/** The catalog file of a warehouse folder without a uri: a SQLite database. */
const CATALOG_FILE = 'catalog.db';

/**
 * Opens a catalog by its properties, which have pyiceberg's names.
 * @throws IcebergError for an unsupported kind, and for invalid properties
 */
export function openCatalog(name: string, properties: CatalogProperties): Catalog {
  const text = (key: string) => textProperty(properties, key);
  const uri = text('uri');
  const kind = catalogKind(properties);
  switch (kind) {
    case 'sql':
      // A warehouse folder has one catalog, whatever its name in the database.
      return new SqlCatalog(uri === null ? null : name, sqlDatabase(name, uri, text('warehouse')));
    case 'rest':
      if (uri === null) throw refused(name, 'needs a uri, the address of the REST catalog');
      return new RestCatalog(uri, properties);
    case 'glue':
      return new GlueCatalog(properties);
    default:
      throw refused(name, `has the type ${kind}, which is not supported. Use sql, rest or glue`);
  }
}

/** A text property, or null if it is empty or missing. */
export function textProperty(properties: CatalogProperties, key: string): string | null {
  const value = properties[key];
  return typeof value === 'string' && value !== '' ? value : null;
}

/**
 * The kind of a catalog: `sql`, `rest`, `glue` or an unsupported kind, from the property `type` or else from the URI.
 */
export function catalogKind(properties: CatalogProperties): string {
  const uri = textProperty(properties, 'uri');
  const kind = textProperty(properties, 'type');
  return (kind ?? (uri !== null && /^https?:/.test(uri) ? 'rest' : 'sql')).toLowerCase();
}

function sqlDatabase(name: string, uri: string | null, warehouse: string | null) {
  const place = databasePlace(name, uri, warehouse);
  return place.kind === 'sqlite' ? openSqliteDatabase(place.path) : openPostgresDatabase(place.uri);
}

/**
 * The location of a SQL catalog's database.
 * @throws IcebergError for invalid properties
 */
export function databasePlace(
  name: string,
  uri: string | null,
  warehouse: string | null,
): { readonly kind: 'sqlite'; readonly path: string } | { readonly kind: 'postgres'; readonly uri: string } {
  if (uri === null) {
    const place = warehouse === null ? null : parseLocation(warehouse);
    if (place === null) throw refused(name, 'needs a uri or a warehouse');
    if (place.kind !== 'local')
      throw refused(name, 'has its warehouse in object storage and needs the uri of its database');
    return { kind: 'sqlite', path: join(place.path, CATALOG_FILE) };
  }
  // As in SQLAlchemy: three slashes before a relative path, four before an absolute one.
  const [, path] = /^sqlite(?:\+[a-z0-9_]+)?:\/\/\/([^?]+)/.exec(uri) ?? [];
  if (path !== undefined) return { kind: 'sqlite', path };
  if (/^postgres(ql)?(\+[a-z0-9_]+)?:\/\//.test(uri)) return { kind: 'postgres', uri };
  throw refused(name, 'has a uri that is not supported. Use sqlite:///path or postgresql://host/database');
}

/** The error for invalid properties of a catalog. */
export function refused(name: string, what: string): IcebergError {
  return new IcebergError('invalid_request', `The catalog "${name}" ${what}.`);
}

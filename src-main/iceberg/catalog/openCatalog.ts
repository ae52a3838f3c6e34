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

/** The catalog of a warehouse folder that has no uri: a SQLite file in it. */
const CATALOG_FILE = 'catalog.db';

/**
 * Opens a catalog by its properties, as pyiceberg names them.
 * @throws IcebergError for a kind that is not supported, or properties that do not fit
 */
export function openCatalog(name: string, properties: CatalogProperties): Catalog {
  const text = (key: string) => textProperty(properties, key);
  const uri = text('uri');
  const kind = catalogKind(properties);
  switch (kind) {
    case 'sql':
      // A warehouse folder has one catalog, whatever its writer called it.
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

/** A property that is a text, or null if it is empty or missing. */
export function textProperty(properties: CatalogProperties, key: string): string | null {
  const value = properties[key];
  return typeof value === 'string' && value !== '' ? value : null;
}

/** `sql`, `rest`, `glue` or a kind that is not supported, as the properties say or as their address suggests. */
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
 * Where the database of a SQL catalog is.
 * @throws IcebergError for properties that do not fit
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
  // As SQLAlchemy has it: three slashes before a relative path, four before an absolute one.
  const [, path] = /^sqlite(?:\+[a-z0-9_]+)?:\/\/\/([^?]+)/.exec(uri) ?? [];
  if (path !== undefined) return { kind: 'sqlite', path };
  if (/^postgres(ql)?(\+[a-z0-9_]+)?:\/\//.test(uri)) return { kind: 'postgres', uri };
  throw refused(name, 'has a uri that is not supported. Use sqlite:///path or postgresql://host/database');
}

/** @returns the error for properties of a catalog that do not fit */
export function refused(name: string, what: string): IcebergError {
  return new IcebergError('invalid_request', `The catalog "${name}" ${what}.`);
}

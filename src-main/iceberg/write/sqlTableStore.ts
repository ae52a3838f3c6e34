/** Commits changes to an Iceberg table in a SQL catalog: writes the metadata file and updates the catalog's row. */

import { randomUUID } from 'node:crypto';
import type { StorageOptions } from '../../mount/credentials.ts';
import { SqlCatalog, type WritableDatabase } from '../catalog/sqlCatalog.ts';
import { exactJsonText } from '../exactJson.ts';
import { conflict, IcebergError } from '../icebergError.ts';
import { loadMetadataJson } from '../metadata/tableMetadata.ts';
import { parseLocation } from '../storage/location.ts';
import { creatingUpdates } from './newTable.ts';
import { type Json, objectIn } from './tableJson.ts';
import type { StoredTable, TablePlace, TableStore } from './tableStore.ts';
import { appliedUpdates, EMPTY_TABLE, withPrevious } from './tableUpdates.ts';
import { openWritableFiles, type WritableFiles } from './writableFiles.ts';
import { killPoint } from './writeSteps.ts';

interface SqlTableOptions extends TablePlace {
  /** The name of the catalog in the database; null: the only one of a warehouse folder. */
  readonly catalog: string | null;
  readonly database: WritableDatabase;
  /** The location for new tables; null: tables cannot be created. */
  readonly warehouse: string | null;
  readonly storage: Readonly<Record<'s3' | 'gs' | 'az', StorageOptions>>;
}

/** The name of a new catalog in a warehouse folder. */
const NEW_CATALOG = 'svc';

/** The statements with which pyiceberg creates the tables of a catalog. */
const TABLES = [
  `CREATE TABLE IF NOT EXISTS iceberg_tables (catalog_name VARCHAR(255) NOT NULL, table_namespace VARCHAR(255) NOT NULL,
    table_name VARCHAR(255) NOT NULL, metadata_location VARCHAR(1000), previous_metadata_location VARCHAR(1000),
    iceberg_type VARCHAR(5), PRIMARY KEY (catalog_name, table_namespace, table_name))`,
  `CREATE TABLE IF NOT EXISTS iceberg_namespace_properties (catalog_name VARCHAR(255) NOT NULL,
    namespace VARCHAR(255) NOT NULL, property_key VARCHAR(255) NOT NULL, property_value VARCHAR(1000) NOT NULL,
    PRIMARY KEY (catalog_name, namespace, property_key))`,
];

/**
 * A table of a SQL catalog. A commit writes a metadata file and moves the catalog's row from the previous file to it,
 * if it still names the previous one.
 */
export function openSqlTableStore(options: SqlTableOptions): TableStore {
  const { catalog, database, namespace, table, warehouse, storage } = options;
  const reading = new SqlCatalog(catalog, database);
  const opened: WritableFiles[] = [];
  const filesAt = (location: string): WritableFiles => {
    const mayReadLocal = parseLocation(location).kind === 'local';
    const files = openWritableFiles({ options: storage, mayReadLocal });
    opened.push(files);
    return files;
  };
  const catalogName = async (signal: AbortSignal): Promise<string> => {
    if (catalog !== null) return catalog;
    const rows = await database.rows('SELECT DISTINCT catalog_name FROM iceberg_tables', [], signal);
    return String(rows[0]?.['catalog_name'] ?? NEW_CATALOG);
  };
  /** The location of the namespace if it has one, else a folder of the warehouse. */
  const newLocation = async (signal: AbortSignal): Promise<string> => {
    const rows = await database.rows(
      "SELECT * FROM iceberg_namespace_properties WHERE namespace = ? AND property_key = 'location'",
      [namespace],
      signal,
    );
    const row = rows.find((one) => catalog === null || one['catalog_name'] === catalog);
    if (typeof row?.['property_value'] === 'string') return `${trimmed(row['property_value'])}/${table}`;
    if (warehouse === null) {
      throw new IcebergError(
        'invalid_request',
        `The catalog does not say where to create the table ${namespace}.${table}. Set warehouse in its properties.`,
      );
    }
    const place = parseLocation(warehouse);
    const root = place.kind === 'local' ? `file://${trimmed(place.path)}` : trimmed(warehouse);
    return `${root}/${namespace}/${table}`;
  };
  const insert = async (location: string, signal: AbortSignal): Promise<number> => {
    for (const sql of TABLES) await database.change(sql, [], signal);
    const name = await catalogName(signal);
    const existingRows = await database.rows(
      'SELECT 1 AS one FROM iceberg_namespace_properties WHERE catalog_name = ? AND namespace = ?',
      [name, namespace],
      signal,
    );
    if (existingRows.length === 0) {
      await database.change(
        "INSERT INTO iceberg_namespace_properties VALUES (?, ?, 'exists', 'true') ON CONFLICT DO NOTHING",
        [name, namespace],
        signal,
      );
    }
    killPoint('namespace_written');
    // Early versions of the catalog table have no type column; a row without a type is a table.
    return database.change(
      'INSERT INTO iceberg_tables (catalog_name, table_namespace, table_name, metadata_location) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING',
      [name, namespace, table, location],
      signal,
    );
  };
  const update = (from: string, to: string, signal: AbortSignal): Promise<number> =>
    database.change(
      `UPDATE iceberg_tables SET metadata_location = ?, previous_metadata_location = ?
       WHERE table_namespace = ? AND table_name = ? AND metadata_location = ?${catalog === null ? '' : ' AND catalog_name = ?'}`,
      [to, from, namespace, table, from, ...(catalog === null ? [] : [catalog])],
      signal,
    );

  return {
    async load(signal) {
      let metadataLocation: string;
      try {
        ({ metadataLocation } = await reading.loadTable(namespace, table, signal));
      } catch (error) {
        if (error instanceof IcebergError && error.kind === 'not_found') return null;
        throw error;
      }
      const files = filesAt(metadataLocation);
      return { metadata: await loadMetadataJson(metadataLocation, files, signal), metadataLocation, files };
    },
    async prepare(schema, signal) {
      const location = await newLocation(signal);
      return {
        metadata: appliedUpdates(EMPTY_TABLE, creatingUpdates(schema, location)),
        metadataLocation: null,
        files: filesAt(location),
      };
    },
    async commit(base: StoredTable, { updates }, signal) {
      const { metadata, metadataLocation: previous, files } = base;
      const changed = appliedUpdates(metadata, updates);
      const json =
        previous === null ? changed : withPrevious(changed, { location: previous, json: metadata });
      const location = nextMetadataLocation(json, previous);
      await files.putBytes(Buffer.from(exactJsonText(json)), location, signal);
      killPoint('metadata_placed');
      const rows =
        previous === null ? await insert(location, signal) : await update(previous, location, signal);
      if (rows === 0) throw conflict();
    },
    async close() {
      for (const files of opened) await files.close();
      await reading.close();
    },
  };
}

/** The location of the next metadata file, `<number>-<uuid>.metadata.json`, one higher than the previous file. */
function nextMetadataLocation(metadata: Json, previous: string | null): string {
  const before = /\/(\d+)-[^/]*\.metadata\.json$/.exec(previous ?? '')?.[1];
  const number = previous === null ? 0 : Number(before ?? 0) + 1;
  return `${metadataFolder(metadata)}/${String(number).padStart(5, '0')}-${randomUUID()}.metadata.json`;
}

/** The folder for manifests and metadata files of a table. */
export function metadataFolder(metadata: Json): string {
  const path = objectIn(metadata, 'properties')['write.metadata.path'];
  return typeof path === 'string' ? trimmed(path) : `${trimmed(String(metadata['location']))}/metadata`;
}

/** The folder for data files of a table. */
export function dataFolder(metadata: Json): string {
  const path = objectIn(metadata, 'properties')['write.data.path'];
  return typeof path === 'string' ? trimmed(path) : `${trimmed(String(metadata['location']))}/data`;
}

function trimmed(location: string): string {
  return location.replace(/\/+$/, '');
}

/** Writes an Iceberg table without rows and snapshots for tests, without an Iceberg library. */

import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';

const TABLE = {
  'format-version': 2,
  'table-uuid': '7b8f7b1a-57bd-4b7a-8f0e-7d3c1f3f9b10',
  'last-sequence-number': 0,
  'last-updated-ms': 0,
  'last-column-id': 1,
  'current-schema-id': 0,
  'default-spec-id': 0,
  schemas: [
    { type: 'struct', 'schema-id': 0, fields: [{ id: 1, name: 'a', type: 'long', required: false }] },
  ],
  'partition-specs': [{ 'spec-id': 0, fields: [] }],
  'last-partition-id': 999,
  properties: {},
  snapshots: [],
  'current-snapshot-id': null,
};

/** Writes an Iceberg table without rows, `ns.t`, and its catalog into a folder. @returns its URI */
export async function writeEmptyTable(folder: string): Promise<string> {
  await mkdir(folder, { recursive: true });
  const metadata = join(folder, 'empty.metadata.json');
  await writeFile(metadata, JSON.stringify({ ...TABLE, location: `file://${folder}/ns/t` }));
  const database = new Sqlite(join(folder, 'catalog.db'));
  database.exec(
    `CREATE TABLE iceberg_tables (catalog_name TEXT, table_namespace TEXT, table_name TEXT, metadata_location TEXT,
       previous_metadata_location TEXT, iceberg_type TEXT)`,
  );
  database
    .prepare("INSERT INTO iceberg_tables VALUES ('svc', 'ns', 't', ?, NULL, 'TABLE')")
    .run(`file://${metadata}`);
  database.close();
  return `${folder}#ns.t`;
}

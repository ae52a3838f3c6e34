/** Runs Iceberg's Java library for tests, which writes tables with random histories. */

import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import Sqlite from 'better-sqlite3';
import { parseExactJson } from '../exactJson.ts';

const PROGRAM = join(import.meta.dirname, '../../../e2e/services/iceberg-java/IcebergHistories.java');
const run = promisify(execFile);

/** The folder with Iceberg's Java library; `npm test` downloads it if Java and Maven are installed. */
export const JAVA_LIBRARY = process.env['CELLAR_TEST_ICEBERG_JAVA'];

export interface JavaHistory {
  readonly table: string;
  readonly version: number;
  readonly metadata: string;
  readonly steps: string;
  readonly queries: readonly { readonly snapshot: string | null; readonly rows: readonly string[] }[];
}

/**
 * Writes the tables, and a catalog for them in a warehouse folder.
 * @param seeds the first seed, and the number of seeds
 */
export async function writtenByJava(
  folder: string,
  seeds: { readonly first: number; readonly count: number },
): Promise<readonly JavaHistory[]> {
  const options = ['-XX:TieredStopAtLevel=1', '-Xmx512m', '-Dfile.encoding=UTF-8', '-Dstdout.encoding=UTF-8'];
  const { stdout } = await run(
    'java',
    [
      ...[...options, '-cp', join(JAVA_LIBRARY ?? '', '*'), PROGRAM],
      ...[folder, String(seeds.first), String(seeds.count)],
    ],
    { maxBuffer: 1024 ** 3 },
  );
  const histories = stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => parseExactJson(line) as JavaHistory); // from that program
  const database = new Sqlite(join(folder, 'catalog.db'));
  database.exec(
    `CREATE TABLE iceberg_tables (catalog_name TEXT, table_namespace TEXT, table_name TEXT, metadata_location TEXT,
       previous_metadata_location TEXT, iceberg_type TEXT)`,
  );
  const insert = database.prepare("INSERT INTO iceberg_tables VALUES ('svc', 'java', ?, ?, NULL, 'TABLE')");
  for (const { table, metadata } of histories) insert.run(table, metadata);
  database.close();
  return histories;
}

/** Lists and loads the tables of an Iceberg catalog that is kept in a SQL database, as pyiceberg writes it. */

import { IcebergError } from '../icebergError.ts';
import { type Catalog, type CatalogTable, noNamespace, noTable } from './catalog.ts';

/** A row of one of the two tables that pyiceberg and the JDBC catalog of Java write. */
export type CatalogRow = Readonly<Record<string, unknown>>;

/** Queries the database of a SQL catalog. Placeholders are `?`. */
interface CatalogDatabase {
  rows(sql: string, parameters: readonly string[], signal: AbortSignal): Promise<readonly CatalogRow[]>;
  close(): Promise<void>;
}

/** A database in which a table can be added or its metadata location changed. */
export interface WritableDatabase extends CatalogDatabase {
  /**
   * Changes rows in one transaction.
   * @returns the number of changed rows
   */
  change(sql: string, parameters: readonly string[], signal: AbortSignal): Promise<number>;
}

/** A catalog in the tables `iceberg_tables` and `iceberg_namespace_properties`. */
export class SqlCatalog implements Catalog {
  readonly #name: string | null;
  readonly #database: CatalogDatabase;

  /** @param name selects one of the catalogs in the database; null: all of them, as in a warehouse folder */
  constructor(name: string | null, database: CatalogDatabase) {
    this.#name = name;
    this.#database = database;
  }

  async listNamespaces(signal: AbortSignal): Promise<readonly string[]> {
    const tables = await this.#rows(
      'SELECT DISTINCT catalog_name, table_namespace AS namespace FROM iceberg_tables',
      signal,
    );
    const named = await this.#rows(
      'SELECT DISTINCT catalog_name, namespace FROM iceberg_namespace_properties',
      signal,
    );
    const names = [...new Set([...tables, ...named].map(({ namespace }) => String(namespace)))].sort();
    if (names.length === 0) await this.#refuseOtherName(signal);
    return names;
  }

  async listTables(namespace: string, signal: AbortSignal): Promise<readonly string[]> {
    const rows = await this.#rows('SELECT * FROM iceberg_tables WHERE table_namespace = ?', signal, [
      namespace,
    ]);
    if (rows.length === 0 && !(await this.listNamespaces(signal)).includes(namespace))
      throw noNamespace(namespace);
    return rows
      .filter(isTable)
      .map((row) => String(row['table_name']))
      .sort();
  }

  async loadTable(namespace: string, table: string, signal: AbortSignal): Promise<CatalogTable> {
    const rows = await this.#rows(
      'SELECT * FROM iceberg_tables WHERE table_namespace = ? AND table_name = ?',
      signal,
      [namespace, table],
    );
    const [row, ...others] = rows.filter(isTable);
    if (row === undefined) throw noTable(namespace, table);
    if (others.length > 0) {
      throw new IcebergError(
        'invalid_request',
        `The database has the table ${namespace}.${table} in several catalogs. Define a catalog with the name of one of them and the uri of the database.`,
      );
    }
    const location = row['metadata_location'];
    if (typeof location !== 'string' || location === '') throw noTable(namespace, table);
    return { metadataLocation: location, metadata: null, config: {} };
  }

  /** An empty catalog is valid; a name that is not in a database with other catalogs is a mistake. */
  async #refuseOtherName(signal: AbortSignal): Promise<void> {
    const rows = await this.#database.rows(
      'SELECT DISTINCT catalog_name FROM iceberg_tables UNION SELECT DISTINCT catalog_name FROM iceberg_namespace_properties',
      [],
      signal,
    );
    const names = rows.map((row) => `"${String(row['catalog_name'])}"`).sort();
    if (this.#name === null || names.length === 0) return;
    throw new IcebergError(
      'not_found',
      `The database has no catalog "${this.#name}", but ${names.join(', ')}. A catalog must have the name that its writer gave it.`,
    );
  }

  async #rows(
    sql: string,
    signal: AbortSignal,
    parameters: readonly string[] = [],
  ): Promise<readonly CatalogRow[]> {
    const rows = await this.#database.rows(sql, parameters, signal);
    return this.#name === null ? rows : rows.filter((row) => row['catalog_name'] === this.#name);
  }

  close(): Promise<void> {
    return this.#database.close();
  }
}

/** Early versions of the catalog table have no type column. */
function isTable(row: CatalogRow): boolean {
  return row['iceberg_type'] === undefined || row['iceberg_type'] === null || row['iceberg_type'] === 'TABLE';
}

/** Looks up the user-defined types of a PostgreSQL result in the catalog. */

import type { Client } from 'pg';
import { builtInType, type PgType, plain } from './types.ts';

/** User-defined types, each looked up once. Arrays, composites and domains are resolved to their parts. */
export class UserDefinedTypes {
  readonly #cache = new Map<number, Promise<PgType>>();
  readonly #runQuery: RunQuery;

  /** @param runQuery queries the catalog while a statement runs */
  constructor(runQuery: RunQuery) {
    this.#runQuery = runQuery;
  }

  typeOf(oid: number, modifier: number): Promise<PgType> {
    const builtIn = builtInType(oid, modifier);
    if (builtIn !== null) return Promise.resolve(builtIn);
    const type = this.#cache.get(oid) ?? this.#lookUp(oid);
    this.#cache.set(oid, type);
    return type;
  }

  async #lookUp(oid: number): Promise<PgType> {
    const [row] = await this.#runQuery(TYPE, [oid]);
    if (row === undefined) return plain('text');
    if (row['typtype'] === 'd') return this.typeOf(Number(row['typbasetype']), Number(row['typtypmod']));
    if (row['typtype'] === 'c') return this.#composite(Number(row['typrelid']));
    const item = Number(row['typelem']);
    // Fixed-length types such as point have an element type too, but are not arrays.
    if (item !== 0 && row['typlen'] === -1 && row['typcategory'] === 'A') {
      return { kind: 'array', item: await this.typeOf(item, -1), delimiter: String(row['typdelim']) };
    }
    // Enums, ranges and similar types.
    return plain('text');
  }

  async #composite(relation: number): Promise<PgType> {
    const rows = await this.#runQuery(FIELDS, [relation]);
    const fields = rows.map(async ({ attname, atttypid, atttypmod }) => ({
      name: String(attname),
      type: await this.typeOf(Number(atttypid), Number(atttypmod)),
    }));
    return { kind: 'composite', fields: await Promise.all(fields) };
  }
}

export type CatalogRow = Readonly<Record<string, unknown>>;
export type RunQuery = (sql: string, values: readonly unknown[]) => Promise<readonly CatalogRow[]>;

/** Runs queries of the catalog on this connection. */
export function queryFunction(client: Client): RunQuery {
  return async (text, values) => (await client.query<CatalogRow>({ text, values: [...values] })).rows;
}

const TYPE = `
  SELECT t.typtype, t.typbasetype, t.typtypmod, t.typrelid, t.typelem, t.typlen, t.typcategory,
         i.typdelim
    FROM pg_catalog.pg_type t LEFT JOIN pg_catalog.pg_type i ON i.oid = t.typelem
   WHERE t.oid = $1`;

const FIELDS = `
  SELECT attname, atttypid, atttypmod FROM pg_catalog.pg_attribute
   WHERE attrelid = $1 AND attnum > 0 AND NOT attisdropped ORDER BY attnum`;

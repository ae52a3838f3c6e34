/** Reads the URIs by which requests and cells name Iceberg tables. */

import { IcebergError } from '../icebergError.ts';

/** A table as named in a request. */
export type TableUri = {
  readonly namespace: string;
  readonly table: string;
  /** The table's identity in provenance and cache keys. */
  readonly identity: string;
} & (
  | { readonly kind: 'catalog'; readonly catalog: string }
  /** A folder or a bucket with its own catalog. */
  | { readonly kind: 'warehouse'; readonly warehouse: string }
);

const CATALOG = /^([A-Za-z][A-Za-z0-9_-]*):([\s\S]*)$/;
/** Prefix of the identity of a table in a warehouse. */
const WAREHOUSE_CATALOG = 'svc';

/**
 * Reads a table URI: `catalog:ns.table`, `warehouse#ns.table` or `ns.table` of the default catalog.
 * @throws IcebergError `invalid_request`
 */
export function parseTableUri(text: string, defaultCatalog: string): TableUri {
  const hash = text.lastIndexOf('#');
  if (hash !== -1) {
    const warehouse = text.slice(0, hash);
    if (!warehouse.startsWith('/') && !/^[A-Za-z][A-Za-z0-9+.-]*:\//.test(warehouse)) {
      throw new IcebergError(
        'invalid_request',
        `The warehouse ${JSON.stringify(warehouse)} of the table must be an absolute path or a URI such as file:///warehouse or s3://bucket/warehouse.`,
      );
    }
    const [namespace, table] = partsOf(text.slice(hash + 1));
    return {
      kind: 'warehouse',
      warehouse,
      namespace,
      table,
      identity: `${WAREHOUSE_CATALOG}.${namespace}.${table}`,
    };
  }
  const [, catalog = defaultCatalog, id = text] = CATALOG.exec(text) ?? [];
  const [namespace, table] = partsOf(id);
  return { kind: 'catalog', catalog, namespace, table, identity: `${catalog}.${namespace}.${table}` };
}

function partsOf(id: string): readonly [string, string] {
  const [namespace = '', table = '', ...more] = id.split('.');
  if (namespace !== '' && table !== '' && more.length === 0 && !/[/:]/.test(id)) return [namespace, table];
  throw new IcebergError('invalid_request', `Invalid table_id '${id}': expected 'namespace.table' format`);
}

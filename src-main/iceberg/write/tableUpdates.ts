/** Applies changes to an Iceberg table's metadata; a change is a list of updates as in the REST interface. */

import { wholeNumber } from '../exactJson.ts';
import { type Json, numberIn, objectIn, objectsIn } from './tableJson.ts';

/**
 * Changes to a table and their requirements, in the form of Iceberg's REST interface. For SQL catalogs, which
 * have no server to apply them, `appliedUpdates` does it.
 */
export interface TableChange {
  readonly requirements: readonly Json[];
  readonly updates: readonly Json[];
}

/** How many entries of the metadata log to keep, if the table does not specify it. */
const METADATA_LOG = 100;

/**
 * The metadata with these updates applied.
 * @param metadata of an existing table, or `{}`
 */
export function appliedUpdates(metadata: Json, updates: readonly Json[]): Json {
  return updates.reduce(applied, metadata);
}

function applied(metadata: Json, update: Json): Json {
  switch (update['action']) {
    case 'assign-uuid':
      return { ...metadata, 'table-uuid': update['uuid'] };
    case 'upgrade-format-version':
      return { ...metadata, 'format-version': update['format-version'] };
    case 'set-location':
      return { ...metadata, location: update['location'] };
    case 'set-properties':
      return {
        ...metadata,
        properties: { ...objectIn(metadata, 'properties'), ...objectIn(update, 'updates') },
      };
    case 'add-schema':
      return {
        ...metadata,
        schemas: [...objectsIn(metadata, 'schemas'), objectIn(update, 'schema')],
        'last-column-id': update['last-column-id'],
      };
    case 'set-current-schema':
      return {
        ...metadata,
        'current-schema-id': last(update['schema-id'], metadata, 'schemas', 'schema-id'),
      };
    case 'add-spec':
      return {
        ...metadata,
        'partition-specs': [...objectsIn(metadata, 'partition-specs'), objectIn(update, 'spec')],
        'last-partition-id': numberIn(metadata, 'last-partition-id', LAST_PARTITION_ID),
      };
    case 'set-default-spec':
      return {
        ...metadata,
        'default-spec-id': last(update['spec-id'], metadata, 'partition-specs', 'spec-id'),
      };
    case 'add-sort-order':
      return {
        ...metadata,
        'sort-orders': [...objectsIn(metadata, 'sort-orders'), objectIn(update, 'sort-order')],
      };
    case 'set-default-sort-order':
      return {
        ...metadata,
        'default-sort-order-id': last(update['sort-order-id'], metadata, 'sort-orders', 'order-id'),
      };
    case 'add-snapshot': {
      const snapshot = objectIn(update, 'snapshot');
      return {
        ...metadata,
        snapshots: [...objectsIn(metadata, 'snapshots'), snapshot],
        'last-sequence-number': snapshot['sequence-number'],
        'last-updated-ms': snapshot['timestamp-ms'],
      };
    }
    case 'set-snapshot-ref':
      return withRef(metadata, update);
    default:
      throw new Error(`the update ${String(update['action'])} is not known`);
  }
}

/** One less than the first id of a partition field. */
const LAST_PARTITION_ID = 999;

/** An id; -1 means the entry that was added last. */
function last(id: unknown, metadata: Json, list: string, key: string): unknown {
  return id === -1 ? objectsIn(metadata, list).at(-1)?.[key] : id;
}

function withRef(metadata: Json, update: Json): Json {
  const { action: _action, 'ref-name': name, ...ref } = update;
  const refs = { ...objectIn(metadata, 'refs'), [String(name)]: ref };
  if (name !== 'main') return { ...metadata, refs };
  const id = ref['snapshot-id'];
  const snapshot = objectsIn(metadata, 'snapshots').find(
    (one) => wholeNumber(one['snapshot-id']) === wholeNumber(id),
  );
  const entry = { 'snapshot-id': id, 'timestamp-ms': snapshot?.['timestamp-ms'] };
  return {
    ...metadata,
    refs,
    'current-snapshot-id': id,
    'snapshot-log': [...objectsIn(metadata, 'snapshot-log'), entry],
  };
}

/** The metadata with its previous file added to the log, for a new metadata file. */
export function withPrevious(
  metadata: Json,
  previous: { readonly location: string; readonly json: Json },
): Json {
  const limit = Number(
    objectIn(metadata, 'properties')['write.metadata.previous-versions-max'] ?? METADATA_LOG,
  );
  const entry = { 'metadata-file': previous.location, 'timestamp-ms': previous.json['last-updated-ms'] };
  const log = [...objectsIn(metadata, 'metadata-log'), entry];
  return { ...metadata, 'metadata-log': log.slice(-Math.max(1, limit || METADATA_LOG)) };
}

/** The metadata of a table without snapshots, except the parts that updates set. */
export const EMPTY_TABLE: Json = {
  'last-sequence-number': 0,
  'last-column-id': 0,
  properties: {},
  snapshots: [],
  'snapshot-log': [],
  'metadata-log': [],
  refs: {},
  statistics: [],
  'partition-statistics': [],
};

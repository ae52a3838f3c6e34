/** The metadata updates that create an Iceberg table or give it a new schema. */

import { randomUUID } from 'node:crypto';
import type { Field } from '../metadata/types.ts';
import { fieldJson } from './newColumns.ts';
import { type Json, numberIn, objectsIn } from './tableJson.ts';

/** The updates that create a table of format v2, without partitions and sort order. */
export function creatingUpdates(
  { fields, lastId }: { readonly fields: readonly Field[]; readonly lastId: number },
  location: string,
): readonly Json[] {
  return [
    { action: 'assign-uuid', uuid: randomUUID() },
    { action: 'upgrade-format-version', 'format-version': 2 },
    { action: 'set-location', location },
    ...schemaUpdates(fields, lastId, 0),
    { action: 'add-spec', spec: { 'spec-id': 0, fields: [] } },
    { action: 'set-default-spec', 'spec-id': -1 },
    { action: 'add-sort-order', 'sort-order': { 'order-id': 0, fields: [] } },
    { action: 'set-default-sort-order', 'sort-order-id': -1 },
    { action: 'set-properties', updates: {} },
  ];
}

/** The updates that create a table that a catalog has prepared. */
export function preparedUpdates(metadata: Json): readonly Json[] {
  const [schema = {}] = objectsIn(metadata, 'schemas');
  const [spec = {}] = objectsIn(metadata, 'partition-specs');
  const [order = {}] = objectsIn(metadata, 'sort-orders');
  return [
    { action: 'assign-uuid', uuid: metadata['table-uuid'] },
    { action: 'upgrade-format-version', 'format-version': metadata['format-version'] },
    { action: 'add-schema', schema, 'last-column-id': metadata['last-column-id'] },
    { action: 'set-current-schema', 'schema-id': -1 },
    { action: 'add-spec', spec },
    { action: 'set-default-spec', 'spec-id': -1 },
    { action: 'add-sort-order', 'sort-order': order },
    { action: 'set-default-sort-order', 'sort-order-id': -1 },
    { action: 'set-location', location: metadata['location'] },
    { action: 'set-properties', updates: metadata['properties'] ?? {} },
  ];
}

/** The updates that add a schema to a table and make it current. */
export function schemaUpdates(fields: readonly Field[], lastId: number, schemaId: number): readonly Json[] {
  return [
    {
      action: 'add-schema',
      schema: { type: 'struct', 'schema-id': schemaId, fields: fields.map(fieldJson) },
      'last-column-id': lastId,
    },
    { action: 'set-current-schema', 'schema-id': schemaId },
  ];
}

/** The id for the next schema of a table. */
export function nextSchemaId(metadata: Json): number {
  const ids = objectsIn(metadata, 'schemas').map((schema) => numberIn(schema, 'schema-id', 0));
  return Math.max(-1, ...ids) + 1;
}

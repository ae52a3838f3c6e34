/** Computes the key of an entry of the row-group cache, and the folder of a tenant's entries. */

import { createHash } from 'node:crypto';
import { spacedJson } from '../../registry/provenance.ts';

/** One row group of one data file, as read by a tenant. */
export interface CacheUnit {
  readonly tenant: string;
  readonly identity: string;
  readonly snapshotId: bigint;
  readonly file: string;
  readonly rowGroup: number;
  readonly schemaId: number;
  /** The columns in their order, `*` for all; null if an entry always has all columns. */
  readonly columns: readonly string[] | '*' | null;
}

/** The tenant of clients without one. */
const NO_TENANT = '_default';

/** The key of a cache entry (docs/spec/core-services.md, 7): the text that the specification hashes, byte for byte. */
export function cacheKey({
  tenant,
  identity,
  snapshotId,
  file,
  rowGroup,
  schemaId,
  columns,
}: CacheUnit): string {
  const projection =
    columns === null ? [] : [columns === '*' ? '*' : sha256(spacedJson(columns)).slice(0, 16)];
  const parts = [tenantOf(tenant), identity, snapshotId, file, rowGroup, ...projection, `schema=${schemaId}`];
  return sha256(parts.join('|'));
}

/** The folder of a tenant's entries. */
export function tenantFolder(tenant: string): string {
  return sha256(tenantOf(tenant)).slice(0, 8);
}

function tenantOf(tenant: string): string {
  return tenant === '' ? NO_TENANT : tenant;
}

function sha256(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('hex');
}

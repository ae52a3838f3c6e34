/**
 * Names and reads the entries that record in a snapshot of an Iceberg table which stored version its rows came from.
 */

import type { Party, VersionRef, VersionRow } from '../../registry/versionRow.ts';

/** Entries of a snapshot's summary that identify the version of its rows (docs/spec/core-services.md, 7). */
export const ORIGIN_ARTIFACT_ID = 'svc.artifact_id';
export const ORIGIN_VERSION = 'svc.version';
export const ORIGIN_TENANT = 'svc.tenant';

export function originOf(row: VersionRow, { tenant, principal }: Party): Readonly<Record<string, string>> {
  return {
    ...versionEntries(row, tenant),
    'svc.provenance_hash': row.provenanceHash,
    'svc.promoted_by': principal ?? '',
  };
}

/** The entries by which a snapshot with the rows of a version is recognised. */
export function versionEntries(
  { id, version }: VersionRef,
  tenant: string,
): Readonly<Record<string, string>> {
  return { [ORIGIN_ARTIFACT_ID]: id, [ORIGIN_VERSION]: String(version), [ORIGIN_TENANT]: tenant };
}

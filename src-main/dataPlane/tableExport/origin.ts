/** Marks snapshots of exported tables with the version they contain. */

import type { Party, VersionRef, VersionRow } from '../../registry/versionRow.ts';

/** Entries of a snapshot's summary that identify the version of its rows (docs/spec/core-services.md 7). */
export const ARTIFACT_ID = 'svc.artifact_id';
export const VERSION = 'svc.version';
export const TENANT = 'svc.tenant';

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
  return { [ARTIFACT_ID]: id, [VERSION]: String(version), [TENANT]: tenant };
}

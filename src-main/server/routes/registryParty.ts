/**
 * Converts between requests and the artifact store: the client as a party of the store, and versions in their REST
 * form.
 */

import { nameUri } from '../../artifacts/uri.ts';
import type { Registry } from '../../registry/registry.ts';
import type { Party, VersionRef, VersionRow } from '../../registry/versionRow.ts';
import type { Caller } from '../caller.ts';

/** The client of a request as a party of the artifact store. A personal server has no tenants. */
export function partyOf(caller: Caller): Party {
  const isAdmin = caller.scopes === 'all' || caller.scopes.has('admin:*');
  return { tenant: caller.tenant ?? '', principal: caller.principal, isAdmin };
}

/** The version that the path of a request names. */
export function refOf(params: { readonly artifact_id: string; readonly version: number }): VersionRef {
  return { id: params.artifact_id, version: params.version };
}

function schemaOf({ schemaJson }: VersionRow): unknown {
  return schemaJson === null ? null : (JSON.parse(schemaJson) as unknown);
}

/** The metadata of a version. */
export function metadataOf(row: VersionRow) {
  return {
    artifact_id: row.id,
    version: row.version,
    state: row.state,
    arrow_schema: schemaOf(row),
    row_count: row.rowCount,
    byte_size: row.byteSize,
    created_at: row.createdAt,
    content_sha256: row.contentSha256,
    provenance_hash: row.provenanceHash,
    transform_spec: row.transformSpec,
    input_versions: row.inputVersions,
  };
}

/** A version in the form of by-provenance routes. */
export function matchOf(row: VersionRow) {
  const { details } = row;
  return {
    artifact_id: row.id,
    version: row.version,
    provenance_hash: row.provenanceHash,
    content_type: row.contentType,
    state: row.state,
    arrow_schema: schemaOf(row),
    row_count: row.rowCount,
    byte_size: row.byteSize,
    created_at: row.createdAt,
    principal: row.principal,
    build_env: details.build_env ?? null,
    build_duration_ms: details.build_duration_ms ?? null,
    env_hash: details.env_hash ?? null,
    promotion: details.promotion ?? null,
    content_sha256: row.contentSha256,
    ...(details.shared_run === undefined ? {} : { shared_run: details.shared_run }),
  };
}

/** Points a name at a version if the request contains one. */
export function nameIfGiven(
  registry: Registry,
  name: string | null | undefined,
  { row, party }: { readonly row: VersionRow; readonly party: Party },
): { readonly name_uri?: string } {
  if (name === null || name === undefined) return {};
  registry.names.set(name, row, party);
  return { name_uri: nameUri(name) };
}

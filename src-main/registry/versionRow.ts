/** Types of a version in the artifact store: its identity, its row in the database, and who may see it. */

import type { SharedRun } from '../../src-shared/wire/routes/artifacts.ts';
import { artifactUri } from '../artifacts/uri.ts';

/** One version of one artifact, by id and number. */
export interface VersionRef {
  readonly id: string;
  readonly version: number;
}

export type VersionState = 'building' | 'ready' | 'superseded' | 'failed';

/** The client of a request. `tenant` is '' for a client without one. */
export interface Party {
  readonly tenant: string;
  readonly principal: string | null;
  readonly isAdmin: boolean;
}

/** The producer's details about a version. */
export interface VersionDetails {
  readonly variable_name?: string;
  readonly build_env?: string;
  readonly build_duration_ms?: number;
  readonly env_hash?: string;
  readonly promotion?: string;
  /** Set by this server on the versions it builds itself; no client can set it. */
  readonly built_by?: string;
  /** Details for servers that import the result; see `sharedRun`. */
  readonly shared_run?: SharedRun;
}

/** How a version was made: an executor and its parameters. */
export interface TransformSpec {
  readonly executor: string;
  readonly inputs?: readonly string[];
  readonly params: Readonly<Record<string, unknown>>;
}

/** A version as the store records it. Times are epoch seconds. */
export interface VersionRow extends VersionRef {
  readonly state: VersionState;
  readonly provenanceHash: string;
  /** JSON text. */
  readonly schemaJson: string | null;
  readonly rowCount: number | null;
  readonly byteSize: number | null;
  readonly createdAt: number;
  readonly transformSpec: TransformSpec | null;
  /** The version that was read of each input, by the input's URI. */
  readonly inputVersions: Readonly<Record<string, string>>;
  readonly tenant: string;
  readonly principal: string | null;
  readonly contentSha256: string | null;
  readonly lastUsedAt: number | null;
  /** Whether the store chose the id. */
  readonly isMinted: boolean;
  /** The URI of the version that answers in its place. */
  readonly supersededBy: string | null;
  readonly contentType: string;
  readonly details: VersionDetails;
}

/** A row of `artifact_versions` as SQLite returns it. */
export interface StoredVersion {
  readonly id: string;
  readonly version: number;
  readonly state: VersionState;
  readonly provenance_hash: string;
  readonly schema_json: string | null;
  readonly row_count: number | null;
  readonly byte_size: number | null;
  readonly created_at: number;
  readonly transform_spec: string | null;
  readonly input_versions: string | null;
  readonly tenant: string;
  readonly principal: string | null;
  readonly content_sha256: string | null;
  readonly last_used_at: number | null;
  readonly minted: number;
  readonly superseded_by: string | null;
  readonly content_type: string;
  readonly details: string;
}

export function versionRowOf(stored: StoredVersion): VersionRow {
  return {
    id: stored.id,
    version: stored.version,
    state: stored.state,
    provenanceHash: stored.provenance_hash,
    schemaJson: stored.schema_json,
    rowCount: stored.row_count,
    byteSize: stored.byte_size,
    createdAt: stored.created_at,
    // JSON that this store wrote
    transformSpec:
      stored.transform_spec === null ? null : (JSON.parse(stored.transform_spec) as TransformSpec),
    inputVersions: JSON.parse(stored.input_versions ?? '{}') as Record<string, string>,
    tenant: stored.tenant,
    principal: stored.principal,
    contentSha256: stored.content_sha256,
    lastUsedAt: stored.last_used_at,
    isMinted: stored.minted === 1,
    supersededBy: stored.superseded_by,
    contentType: stored.content_type,
    details: JSON.parse(stored.details) as VersionDetails,
  };
}

export function uriOf({ id, version }: VersionRef): string {
  return artifactUri(id, version);
}

/** `<id>@v=<n>`, the form in which a version is recorded as an input. */
export function versionText({ id, version }: VersionRef): string {
  return `${id}@v=${version}`;
}

/** Whether a client may see a row: its own tenant's, or one without a tenant. */
export function isVisibleTo(row: Pick<VersionRow, 'tenant'>, party: Party): boolean {
  return party.isAdmin || row.tenant === '' || row.tenant === party.tenant;
}

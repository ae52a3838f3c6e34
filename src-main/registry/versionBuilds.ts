/** The versions of the artifact store that the server itself builds (scans and transforms of the data plane). */

import { randomUUID } from 'node:crypto';
import type { Database } from 'better-sqlite3';
import type { ArrowFacts } from './arrowBytes.ts';
import type { ReceivedBlob } from './blobFiles.ts';
import { type BuildRow, createBuildRows } from './buildRows.ts';
import type { Party, TransformSpec, VersionRow } from './versionRow.ts';
import type { Versions } from './versions.ts';

/** A version that this server makes itself, from its reservation until it is ready or failed. */
export interface VersionBuilds {
  /** Reserves a version and records its build. @throws RegistryError conflict (another tenant's id) */
  begin(request: BuildRequest, party: Party): { readonly row: VersionRow; readonly buildId: string };
  /** Records that the build has left the queue. */
  start(buildId: string): void;
  /** Stores the output of an executor. */
  log(buildId: string, text: string): void;
  /**
   * Stores the bytes; the version is ready when this returns. @returns the version that answers for the provenance,
   * which may be another one that was ready first
   */
  finish(
    build: { readonly row: VersionRow; readonly buildId: string },
    blob: ReceivedBlob,
    facts: ArrowFacts,
  ): VersionRow;
  fail(
    build: { readonly row: VersionRow; readonly buildId: string },
    why: { readonly code: string; readonly message: string },
  ): void;
  /** The row of a build; null for an unknown one, or one of another client. */
  find(buildId: string, party: Party): BuildRow | null;
}

export interface BuildRequest {
  readonly provenanceHash: string;
  readonly spec: TransformSpec;
  readonly inputVersions: Readonly<Record<string, string>>;
  readonly name: string | null;
  /** The URL of the server that runs it, without credentials; null: this one. */
  readonly executorUrl: string | null;
  /** Null: a new artifact; otherwise the next version of this one, which it replaces. */
  readonly id: string | null;
}

/** Marks versions whose bytes this server made, so that scans can rely on their rows. */
export const BUILT_HERE = 'materialize';

export function createVersionBuilds(
  database: Database,
  parts: {
    readonly versions: Versions;
    readonly now: () => number;
    readonly owner: string;
    readonly ownerMayLive: (owner: string) => boolean;
    readonly place: (row: VersionRow, blob: ReceivedBlob, facts: ArrowFacts) => VersionRow;
  },
): VersionBuilds {
  const { versions, now, owner, place } = parts;
  const rows = createBuildRows(database, now);
  rows.settleLeft(parts.ownerMayLive);
  return {
    begin: (request, party) => {
      const { spec, provenanceHash, inputVersions } = request;
      const begin = database.transaction(() => {
        const row = versions.begin(
          {
            id: request.id,
            isMinted: true,
            provenanceHash,
            inputVersions,
            transformSpec: spec,
            contentType: 'arrow/ipc',
            details: { built_by: BUILT_HERE },
          },
          party,
        );
        const buildId = randomUUID();
        rows.insert(
          {
            buildId,
            ref: row,
            executorRef: spec.executor,
            inputs: spec.inputs ?? [],
            executorUrl: request.executorUrl,
            params: JSON.stringify(spec.params),
            name: request.name,
            owner,
          },
          party,
        );
        return { row, buildId };
      });
      return begin.immediate();
    },
    start: (buildId) => rows.start(buildId),
    log: (buildId, text) => rows.log(buildId, text),
    finish({ row, buildId }, blob, facts) {
      const answer = place(row, blob, facts);
      rows.end(buildId, { outputBytes: blob.byteSize, code: null, message: null });
      return answer;
    },
    fail({ row, buildId }, { code, message }) {
      versions.fail(row);
      rows.end(buildId, { outputBytes: null, code, message });
    },
    find(buildId, party) {
      const row = rows.find(buildId);
      if (row === null || party.isAdmin) return row;
      return row.tenant === party.tenant && row.principal === party.principal ? row : null;
    },
  };
}

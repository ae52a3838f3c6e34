/** The table of builds in the database of the server's artifact store. */

import type { Database } from 'better-sqlite3';
import type { Party, VersionRef, VersionState } from './versionRow.ts';

/** A build that this server runs, as the store records it (docs/spec/core-services.md, 6). Times are epoch seconds. */
export interface BuildRow extends VersionRef {
  readonly buildId: string;
  readonly state: BuildState;
  readonly executorRef: string;
  readonly tenant: string;
  readonly principal: string | null;
  readonly createdAt: number;
  readonly startedAt: number | null;
  readonly completedAt: number | null;
  readonly errorMessage: string | null;
  readonly errorCode: string | null;
  /** The server that runs it; null: this one. */
  readonly executorUrl: string | null;
  /** The output of its executor. */
  readonly logs: string | null;
}

type BuildState = 'pending' | 'building' | 'ready' | 'failed';

interface NewBuild {
  readonly buildId: string;
  readonly ref: VersionRef;
  readonly executorRef: string;
  /** Null: this server runs it. */
  readonly executorUrl: string | null;
  readonly inputs: readonly string[];
  readonly params: string;
  readonly name: string | null;
  readonly owner: string;
}

/** The maximum length of a stored message, in characters; longer ones are cut. */
const MAX_MESSAGE = 500;
/** The maximum length of a stored log, in characters; longer ones are cut. */
const MAX_LOG = 16_384;

/** The table of builds. All methods are synchronous. */
interface BuildRows {
  insert(build: NewBuild, party: Party): void;
  find(buildId: string): BuildRow | null;
  start(buildId: string): void;
  /** Stores the output of an executor. */
  log(buildId: string, text: string): void;
  /** Ends a build. @param outputBytes null for a build that failed */
  end(
    buildId: string,
    end: {
      readonly outputBytes: number | null;
      readonly code: string | null;
      readonly message: string | null;
    },
  ): void;
  /**
   * Ends the builds of processes that have ended: their versions fail, and finished ones count as ready.
   * @returns how many failed
   */
  settleLeft(ownerMayLive: (owner: string) => boolean): number;
}

interface StoredBuild {
  readonly build_id: string;
  readonly artifact_id: string;
  readonly version: number;
  readonly state: BuildState;
  readonly executor_ref: string;
  readonly tenant_id: string;
  readonly principal_id: string | null;
  readonly created_at: number;
  readonly started_at: number | null;
  readonly completed_at: number | null;
  readonly error_message: string | null;
  readonly error_code: string | null;
  readonly executor_url: string | null;
  readonly logs: string | null;
}

export function createBuildRows(database: Database, now: () => number): BuildRows {
  const byId = database.prepare<[string], StoredBuild>('SELECT * FROM artifact_builds WHERE build_id = ?');
  const insert = database.prepare(
    `INSERT INTO artifact_builds (build_id, artifact_id, version, state, executor_ref, tenant_id, principal_id,
       created_at, lease_owner, input_uris, params, name, executor_url)
     VALUES (?, ?, ?, 'pending', ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const end = database.prepare(
    `UPDATE artifact_builds SET state = ?, completed_at = ?, output_byte_count = ?, error_code = ?, error_message = ?,
       lease_owner = NULL WHERE build_id = ?`,
  );
  const settle = database.transaction((ownerMayLive: (owner: string) => boolean): number => {
    const leftovers = database
      .prepare<
        [],
        { build_id: string; lease_owner: string | null; state: VersionState | null } & VersionRefRow
      >(
        `SELECT b.build_id, b.lease_owner, b.artifact_id, b.version, v.state FROM artifact_builds b
         LEFT JOIN artifact_versions v ON v.id = b.artifact_id AND v.version = b.version
         WHERE b.state IN ('pending', 'building')`,
      )
      .all()
      .filter(({ lease_owner }) => lease_owner === null || !ownerMayLive(lease_owner));
    let failed = 0;
    for (const { build_id, artifact_id, version, state } of leftovers) {
      if (state === 'ready' || state === 'superseded') {
        end.run('ready', now(), null, null, null, build_id);
        continue;
      }
      failed += 1;
      end.run('failed', now(), null, 'SERVER_SHUTDOWN', 'The server ended before the build did.', build_id);
      database
        .prepare(
          "UPDATE artifact_versions SET state = 'failed' WHERE id = ? AND version = ? AND state = 'building'",
        )
        .run(artifact_id, version);
    }
    return failed;
  });
  return {
    insert({ buildId, ref, executorRef, executorUrl, inputs, params, name, owner }, party) {
      insert.run(
        ...[buildId, ref.id, ref.version, executorRef, party.tenant, party.principal, now(), owner],
        ...[JSON.stringify(inputs), params, name, executorUrl],
      );
    },
    find(buildId) {
      const stored = byId.get(buildId);
      return stored === undefined ? null : buildRowOf(stored);
    },
    log(buildId, text) {
      database
        .prepare('UPDATE artifact_builds SET logs = ? WHERE build_id = ?')
        .run(text.slice(0, MAX_LOG), buildId);
    },
    start(buildId) {
      database
        .prepare(
          "UPDATE artifact_builds SET state = 'building', started_at = ? WHERE build_id = ? AND state = 'pending'",
        )
        .run(now(), buildId);
    },
    end(buildId, { outputBytes, code, message }) {
      const state = outputBytes === null ? 'failed' : 'ready';
      end.run(state, now(), outputBytes, code, message?.slice(0, MAX_MESSAGE) ?? null, buildId);
    },
    settleLeft: (ownerMayLive) => settle.immediate(ownerMayLive),
  };
}

interface VersionRefRow {
  readonly artifact_id: string;
  readonly version: number;
}

function buildRowOf(stored: StoredBuild): BuildRow {
  return {
    buildId: stored.build_id,
    id: stored.artifact_id,
    version: stored.version,
    state: stored.state,
    executorRef: stored.executor_ref,
    tenant: stored.tenant_id,
    principal: stored.principal_id,
    createdAt: stored.created_at,
    startedAt: stored.started_at,
    completedAt: stored.completed_at,
    errorMessage: stored.error_message,
    errorCode: stored.error_code,
    executorUrl: stored.executor_url,
    logs: stored.logs,
  };
}

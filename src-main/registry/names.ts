/**
 * Names of artifacts in the server's artifact store, their aliases (`name@alias`), and approvals of protected aliases.
 */

import type { Database } from 'better-sqlite3';
import { artifactUri } from '../artifacts/uri.ts';
import type { AuditLog } from './auditLog.ts';
import { RegistryError } from './registryError.ts';
import { killPoint } from './storeSteps.ts';
import { type Party, uriOf, type VersionRef, type VersionRow } from './versionRow.ts';
import type { Versions } from './versions.ts';

interface NameRow {
  readonly name: string;
  readonly artifact_id: string;
  readonly version: number;
  readonly updated_at: number;
}

interface AliasRow {
  readonly alias: string;
  readonly artifact_id: string;
  readonly version: number;
  readonly updated_at: number;
}

/** A change of a protected alias that waits for approval. */
export interface PendingChange {
  readonly name: string;
  readonly alias: string;
  readonly action: 'set' | 'delete';
  readonly artifact_id: string | null;
  readonly version: number | null;
  readonly requested_by: string | null;
  readonly requested_at: number;
  readonly tenant: string;
}

type AliasOutcome = 'applied' | 'unchanged' | 'pending';

/**
 * Names of artifacts, their aliases and the approval of protected aliases. Each change and its audit entry commit
 * together.
 */
export interface Names {
  all(party: Party): readonly NameRow[];
  /** The version that a name refers to. @throws RegistryError not_found */
  get(name: string, party: Party): NameRow;
  /** Points a name to a version. @throws RegistryError invalid, not_found (the artifact), conflict (it is not ready) */
  set(name: string, ref: VersionRef, party: Party): VersionRow;
  /** Deletes the name with its aliases and pending changes. @throws RegistryError not_found */
  remove(name: string, party: Party): void;
  aliases(name: string, party: Party): readonly AliasRow[];
  /** The version that an alias refers to. @throws RegistryError not_found */
  alias(name: string, alias: string, party: Party): AliasRow;
  setAlias(target: { name: string; alias: string; ref: VersionRef }, party: Party): AliasOutcome;
  /** Deletes an alias, or requests it. @throws RegistryError not_found */
  removeAlias(name: string, alias: string, party: Party): 'deleted' | 'pending';
  pending(party: Party): readonly PendingChange[];
  /** Approves a requested change. @throws RegistryError not_found; forbidden when the approver made the request */
  approve(name: string, alias: string, party: Party): PendingChange;
  /** Rejects a requested change. @throws RegistryError not_found */
  reject(name: string, alias: string, party: Party): PendingChange;
}

interface NamesOptions {
  readonly versions: Versions;
  readonly audit: AuditLog;
  readonly now: () => number;
  /** Aliases whose changes wait for approval. */
  readonly protectedAliases: ReadonlySet<string>;
}

const MAX_NAME = 512;
const MAX_ALIAS = 128;

/** Checks the form of a name. @throws RegistryError invalid */
export function checkName(name: string): void {
  const isBad =
    name === '' ||
    name.length > MAX_NAME ||
    /\p{Cc}/u.test(name) ||
    name.split('/').some((part) => part === '' || part === '.' || part === '..') ||
    /(^|\/)aliases(\/|$)/.test(name);
  if (isBad) {
    throw new RegistryError(
      'invalid',
      `${JSON.stringify(name)} is not a valid name. Names have 1 to ${MAX_NAME} characters, no empty or dotted parts between slashes, and no part called "aliases".`,
    );
  }
}

/** Checks the form of an alias. @throws RegistryError invalid */
export function checkAlias(alias: string): void {
  if (alias === '' || alias.length > MAX_ALIAS || /[/\p{Cc}]/u.test(alias)) {
    throw new RegistryError(
      'invalid',
      `${JSON.stringify(alias)} is not a valid alias. Aliases have 1 to ${MAX_ALIAS} characters and no slash.`,
    );
  }
}

export function createNames(database: Database, options: NamesOptions): Names {
  const { versions, audit, now, protectedAliases } = options;
  const nameRow = database.prepare<[string, string], NameRow>(
    'SELECT name, artifact_id, version, updated_at FROM artifact_names WHERE tenant = ? AND name = ?',
  );
  const aliasRow = database.prepare<[string, string, string], AliasRow>(
    'SELECT alias, artifact_id, version, updated_at FROM artifact_aliases WHERE tenant = ? AND name = ? AND alias = ?',
  );
  const pendingRow = database.prepare<[string, string, string], PendingChange>(
    'SELECT * FROM registry_pending WHERE tenant = ? AND name = ? AND alias = ?',
  );
  const putAlias = database.prepare('INSERT OR REPLACE INTO artifact_aliases VALUES (?, ?, ?, ?, ?, ?)');
  const dropAlias = database.prepare(
    'DELETE FROM artifact_aliases WHERE tenant = ? AND name = ? AND alias = ?',
  );
  const putPending = database.prepare(
    'INSERT OR REPLACE INTO registry_pending VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
  );
  const dropPending = database.prepare(
    'DELETE FROM registry_pending WHERE tenant = ? AND name = ? AND alias = ?',
  );

  const readyTarget = (ref: VersionRef, party: Party): VersionRow => {
    const row = versions.get(ref, party);
    if (row.state !== 'ready' && row.state !== 'superseded') {
      throw new RegistryError('conflict', `${uriOf(ref)} cannot be named: its state is ${row.state}.`);
    }
    return row;
  };
  const get = (name: string, party: Party): NameRow => {
    const row = nameRow.get(party.tenant, name);
    if (row === undefined) throw new RegistryError('not_found', `Name not found: ${name}`);
    return row;
  };
  const getAlias = (name: string, alias: string, party: Party): AliasRow => {
    const row = aliasRow.get(party.tenant, name, alias);
    if (row === undefined) throw new RegistryError('not_found', `Alias not found: ${name}@${alias}`);
    return row;
  };
  const applyAlias = (name: string, alias: string, ref: VersionRef, party: Party): void => {
    const before = aliasRow.get(party.tenant, name, alias);
    putAlias.run(party.tenant, name, alias, ref.id, ref.version, now());
    audit.add(
      'alias_set',
      {
        name,
        alias,
        artifact_id: ref.id,
        to_version: ref.version,
        from_artifact_id: before?.artifact_id ?? null,
        from_version: before?.version ?? null,
      },
      party,
    );
  };
  const deleteAlias = (name: string, row: AliasRow, party: Party): void => {
    dropAlias.run(party.tenant, name, row.alias);
    audit.add(
      'alias_delete',
      {
        name,
        alias: row.alias,
        artifact_id: row.artifact_id,
        from_artifact_id: row.artifact_id,
        from_version: row.version,
      },
      party,
    );
  };
  const pendingFor = (name: string, alias: string, party: Party): PendingChange => {
    const change = pendingRow.get(party.tenant, name, alias);
    if (change === undefined) {
      throw new RegistryError('not_found', `No change of ${name}@${alias} is waiting for approval.`);
    }
    return change;
  };
  const isNamed = (name: string, ref: VersionRef, party: Party): void => {
    checkName(name);
    get(name, party);
    readyTarget(ref, party);
  };

  return {
    all: (party) =>
      database
        .prepare<[string], NameRow>(
          'SELECT name, artifact_id, version, updated_at FROM artifact_names WHERE tenant = ? ORDER BY name',
        )
        .all(party.tenant),
    get,
    set: immediate(database, (name: string, ref: VersionRef, party: Party) => {
      checkName(name);
      const row = readyTarget(ref, party);
      const before = nameRow.get(party.tenant, name);
      database
        .prepare('INSERT OR REPLACE INTO artifact_names VALUES (?, ?, ?, ?, ?)')
        .run(party.tenant, name, ref.id, ref.version, now());
      // In the transaction: killed here, the name is as it was.
      killPoint('name_written');
      audit.add(
        'name_set',
        {
          name,
          artifact_id: ref.id,
          to_version: ref.version,
          from_artifact_id: before?.artifact_id ?? null,
          from_version: before?.version ?? null,
        },
        party,
      );
      return row;
    }),
    remove: immediate(database, (name: string, party: Party) => {
      const row = get(name, party);
      for (const table of ['artifact_names', 'artifact_aliases', 'registry_pending']) {
        database.prepare(`DELETE FROM ${table} WHERE tenant = ? AND name = ?`).run(party.tenant, name);
      }
      audit.add(
        'name_delete',
        { name, artifact_id: row.artifact_id, from_artifact_id: row.artifact_id, from_version: row.version },
        party,
      );
    }),
    aliases(name, party) {
      get(name, party);
      return database
        .prepare<[string, string], AliasRow>(
          'SELECT alias, artifact_id, version, updated_at FROM artifact_aliases WHERE tenant = ? AND name = ? ORDER BY alias',
        )
        .all(party.tenant, name);
    },
    alias: getAlias,
    setAlias: immediate(
      database,
      (
        { name, alias, ref }: { name: string; alias: string; ref: VersionRef },
        party: Party,
      ): AliasOutcome => {
        checkAlias(alias);
        isNamed(name, ref, party);
        const before = aliasRow.get(party.tenant, name, alias);
        if (before?.artifact_id === ref.id && before.version === ref.version) return 'unchanged';
        if (protectedAliases.has(alias)) {
          putPending.run(party.tenant, name, alias, 'set', ref.id, ref.version, party.principal, now());
          audit.add(
            'alias_request_set',
            { name, alias, artifact_id: ref.id, to_version: ref.version },
            party,
          );
          return 'pending';
        }
        applyAlias(name, alias, ref, party);
        return 'applied';
      },
    ),
    removeAlias: immediate(database, (name: string, alias: string, party: Party) => {
      const row = getAlias(name, alias, party);
      if (protectedAliases.has(alias)) {
        putPending.run(
          party.tenant,
          name,
          alias,
          'delete',
          row.artifact_id,
          row.version,
          party.principal,
          now(),
        );
        audit.add('alias_request_delete', { name, alias, artifact_id: row.artifact_id }, party);
        return 'pending';
      }
      deleteAlias(name, row, party);
      return 'deleted';
    }),
    pending: (party) =>
      database
        .prepare<unknown[], PendingChange>(
          'SELECT * FROM registry_pending WHERE (? OR tenant = ?) ORDER BY requested_at, name, alias',
        )
        .all(party.isAdmin ? 1 : 0, party.tenant),
    approve: immediate(database, (name: string, alias: string, party: Party) => {
      const change = pendingFor(name, alias, party);
      if (!party.isAdmin && change.requested_by === party.principal) {
        throw new RegistryError(
          'forbidden',
          'Separation of duty: the client that requested this change cannot approve it.',
        );
      }
      audit.add('alias_approved', { name, alias, artifact_id: change.artifact_id }, party);
      if (change.action === 'set') {
        const ref = { id: change.artifact_id ?? '', version: change.version ?? 0 };
        if (versions.find(ref) === null) {
          throw new RegistryError('not_found', `${artifactUri(ref.id, ref.version)} no longer exists.`);
        }
        applyAlias(name, alias, ref, party);
      } else {
        deleteAlias(name, getAlias(name, alias, party), party);
      }
      dropPending.run(party.tenant, name, alias);
      return change;
    }),
    reject: immediate(database, (name: string, alias: string, party: Party) => {
      const change = pendingFor(name, alias, party);
      dropPending.run(party.tenant, name, alias);
      audit.add('alias_rejected', { name, alias, artifact_id: change.artifact_id }, party);
      return change;
    }),
  };
}

/** Runs `work` in one write transaction: all of it commits, or nothing. */
export function immediate<A extends unknown[], R>(
  database: Database,
  work: (...args: A) => R,
): (...args: A) => R {
  const transaction = database.transaction(work);
  return (...args) => transaction.immediate(...args);
}

/** Remembers facts about file databases between runs, as long as the file system shows that the files are unchanged. */

import { createHash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import type { TableName } from '../../../src-shared/sql/tableName.ts';
import { errnoOf } from '../../lib/atomicFile.ts';
import { pathKey, textKey } from '../../sql/connectSettings.ts';
import type { Access, ConnectSettings } from '../../sql/driver.ts';
import type { Answers } from '../../sql/threadMessages.ts';

/** The part of a key about a connection: its identity, and the state of its tables. */
export interface ConnectionFacts {
  readonly identity: Answers['identity'];
  /** Null if the policy does not depend on the data. */
  readonly probe: Answers['probe'] | { readonly freshness: null; readonly schema: null };
}

/** A check of a database's files, before it is opened. */
interface OutsideLook {
  /** The facts of an earlier opening if they still hold; null: the database must be opened. */
  readonly facts: ConnectionFacts | null;
  /** Stores the database's facts, if a later change of the files would show. */
  remember(facts: ConnectionFacts): void;
}

/**
 * Remembers facts about databases as long as nothing can have changed, so that a cell with a stored reply
 * need not open its database. Only if the file system shows every change.
 */
export interface KnownConnections {
  /**
   * @param settings the target of the connection @param question what the facts depend on: who asks, the
   * tables (null: the data does not matter), and the keys of the mounts the connection shows, with
   * fingerprints
   */
  look(
    settings: ConnectSettings,
    question: {
      readonly access: Access;
      readonly tables: readonly TableName[] | null;
      readonly mounts: readonly string[];
    },
  ): Promise<OutsideLook>;
}

/** More connections and sets of tables than a user opens in a day. */
const MAX_CONNECTIONS = 500;
/**
 * A file written this recently may be written again within the resolution of its clock, so nothing is
 * remembered about it yet.
 */
const SETTLED_MS = 200;

const NOTHING_KNOWN: OutsideLook = { facts: null, remember: () => undefined };

/** Creates the memory of one program. @param now milliseconds since the epoch */
export function createKnownConnections(now: () => number = Date.now): KnownConnections {
  const cache = new Map<string, ConnectionFacts>();
  return {
    async look(settings, { access, tables, mounts }) {
      const state = await stateOf(settings, { asksData: tables !== null, now: now() });
      if (state === null) return NOTHING_KNOWN;
      const names = tables?.map(({ parts, quoted }) => [parts, quoted]);
      // A digest that exists only in memory: the settings contain secrets.
      const key = createHash('sha256')
        .update(JSON.stringify([settings, access, names, mounts, state]))
        .digest('hex');
      const facts = cache.get(key) ?? null;
      return {
        facts,
        remember(facts) {
          // Without a freshness value, a change of the data would not show.
          if (tables !== null && facts.probe.freshness === null) return;
          cache.delete(key);
          cache.set(key, facts);
          const [oldest] = cache.keys();
          if (cache.size > MAX_CONNECTIONS && oldest !== undefined) cache.delete(oldest);
        },
      };
    },
  };
}

/** The state of a database in the file system; null: it is incomplete, or too recent. */
async function stateOf(
  settings: ConnectSettings,
  { asksData, now }: { readonly asksData: boolean; readonly now: number },
): Promise<string | null> {
  const { driver, catalog } = settings;
  // A key file decides the account and so the connection: its content matters.
  if (driver === 'bigquery') return null;
  if (!asksData) return 'unasked';
  if (driver !== 'duckdb' && driver !== 'sqlite') return null;
  // The snapshot of a table is known to the catalog, the content of a mount to its fingerprint.
  if ((catalog ?? null) !== null || textKey(settings, 'uri') !== null) return null;
  const path = textKey(settings, 'path');
  if (path === ':memory:' || (path === null && driver === 'duckdb')) return 'memory';
  const file = pathKey(settings, 'path');
  if (file === null) return null;
  const beside = driver === 'duckdb' ? ['.wal'] : ['-wal', '-journal'];
  const states = await Promise.all(['', ...beside].map((suffix) => fileState(`${file}${suffix}`, now)));
  // A missing file is reported by the database.
  if (states[0] === MISSING || states.includes(null)) return null;
  return states.join(' ');
}

const MISSING = 'gone';

/**
 * The identity of a file and its times; ctime also shows a change of content that restores the other times.
 */
async function fileState(path: string, now: number): Promise<string | null> {
  try {
    const { dev, ino, size, mtimeNs, ctimeNs } = await stat(path, { bigint: true });
    const isSettled = [mtimeNs, ctimeNs].every((at) => Math.abs(now - Number(at / 1_000_000n)) > SETTLED_MS);
    return isSettled ? [dev, ino, size, mtimeNs, ctimeNs].join(':') : null;
  } catch (error) {
    return errnoOf(error) === 'ENOENT' ? MISSING : null;
  }
}

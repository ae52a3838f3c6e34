import { createHash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import type { TableName } from '../../../src-shared/sql/tableName.ts';
import { errnoOf } from '../../lib/atomicFile.ts';
import { pathKey, textKey } from '../../sql/connectSettings.ts';
import type { Access, ConnectSettings } from '../../sql/driver.ts';
import type { Answers } from '../../sql/threadMessages.ts';

/** What a key says of a connection: which it is, and of what its tables are. */
export interface ConnectionFacts {
  readonly identity: Answers['identity'];
  /** Null where the policy asks nothing of the data. */
  readonly probe: Answers['probe'] | { readonly freshness: null; readonly schema: null };
}

/** A look at a database from outside, before it is opened. */
export interface OutsideLook {
  /** The facts of an earlier opening that still hold; null: the database has to be asked. */
  readonly facts: ConnectionFacts | null;
  /** Keeps what the database said, if this look was one that a later change shows in. */
  remember(facts: ConnectionFacts): void;
}

/**
 * Remembers what databases said of themselves, as long as nothing can have changed: a cell whose answer is stored
 * then needs no database opened. Only where the file system speaks for the whole of it.
 */
export interface KnownConnections {
  /**
   * @param settings where the connection leads
   * @param question what the facts are of: who asks, of which tables (null: nothing is asked of the data), and what the
   * mounts the connection shows are in the key, fingerprints and all
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

/** More connections and sets of tables than one opens in a day. */
const MOST = 500;
/**
 * A file that was written so lately may be written once more at what its clock takes for the same moment; nothing is
 * remembered of it yet.
 */
const SETTLED_MS = 200;

const NOTHING: OutsideLook = { facts: null, remember: () => undefined };

export function createKnownConnections(now: () => number = Date.now): KnownConnections {
  const known = new Map<string, ConnectionFacts>();
  return {
    async look(settings, { access, tables, mounts }) {
      const state = await stateOf(settings, { asksData: tables !== null, now: now() });
      if (state === null) return NOTHING;
      const names = tables?.map(({ parts, quoted }) => [parts, quoted]);
      // A digest that lives in memory alone: secrets are among the settings.
      const key = createHash('sha256')
        .update(JSON.stringify([settings, access, names, mounts, state]))
        .digest('hex');
      const facts = known.get(key) ?? null;
      return {
        facts,
        remember(found) {
          // Where nobody can say how fresh the data is, nobody can say that it has not changed either.
          if (tables !== null && found.probe.freshness === null) return;
          known.delete(key);
          known.set(key, found);
          const [oldest] = known.keys();
          if (known.size > MOST && oldest !== undefined) known.delete(oldest);
        },
      };
    },
  };
}

/** What the file system says of a database; null: it does not say all of it, or not yet. */
async function stateOf(
  settings: ConnectSettings,
  { asksData, now }: { readonly asksData: boolean; readonly now: number },
): Promise<string | null> {
  const { driver, catalog } = settings;
  // A key file says who asks: which connection it is lies in its content.
  if (driver === 'bigquery') return null;
  if (!asksData) return 'unasked';
  if (driver !== 'duckdb' && driver !== 'sqlite') return null;
  // Which snapshot a table is at is for the catalog to say; what a mount holds, for its fingerprint.
  if ((catalog ?? null) !== null || textKey(settings, 'uri') !== null) return null;
  const path = textKey(settings, 'path');
  if (path === ':memory:' || (path === null && driver === 'duckdb')) return 'memory';
  const file = pathKey(settings, 'path');
  if (file === null) return null;
  const beside = driver === 'duckdb' ? ['.wal'] : ['-wal', '-journal'];
  const states = await Promise.all(['', ...beside].map((suffix) => fileState(`${file}${suffix}`, now)));
  // A file that is not there is for the database to complain of.
  if (states[0] === GONE || states.includes(null)) return null;
  return states.join(' ');
}

const GONE = 'gone';

/** Which file it is and when it was changed; a change of content that puts the times back still shows in ctime. */
async function fileState(path: string, now: number): Promise<string | null> {
  try {
    const { dev, ino, size, mtimeNs, ctimeNs } = await stat(path, { bigint: true });
    const isSettled = [mtimeNs, ctimeNs].every((at) => Math.abs(now - Number(at / 1_000_000n)) > SETTLED_MS);
    return isSettled ? [dev, ino, size, mtimeNs, ctimeNs].join(':') : null;
  } catch (error) {
    return errnoOf(error) === 'ENOENT' ? GONE : null;
  }
}

/** A lock file that names the process that holds it, and that counts as free when this process has died. */

import { createHash, randomBytes } from 'node:crypto';
import { copyFile, link, lstat, readdir, readlink, rename, rm, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { basename, dirname, join } from 'node:path';
import * as z from 'zod';
import { errnoOf } from './atomicFile.ts';
import { checkLiveness, type Liveness } from './lifeSocket.ts';
import { readPlainFile } from './plainFile.ts';
import { PRIVATE_FILE } from './privateFiles.ts';
import { isAlive, isSameRunning, ownMark, type ProcessMark } from './processMark.ts';
import { tryParseJson } from './tryParseJson.ts';

/**
 * A lock file that names its holder's process. Free -> held (the complete file appears, by a hard link) ->
 * free (removed). The lock of a dead process is taken over; a process id that was reused since does not count
 * as the holder. Taking over: a holder has at most one successor. `<path>.after-<token>` is created
 * exclusively and names the successor of the holder with that token; the creator holds the lock from then on,
 * writes itself into `<path>` and removes the successor file. The lock file is never missing in between, so
 * no third process can take it, and a successor that dies half way is succeeded in the same way.
 */
const holder = z.object({
  pid: z.number().int(),
  host: z.string(),
  startedAt: z.string(),
  /** When the process started, in kernel ticks; null if unknown. */
  processStart: z.string().nullable(),
  /** The boot of the system and the process namespace of `pid`; null or absent: unknown. */
  boot: z.string().max(64).nullable().optional(),
  pidSpace: z.string().max(64).nullable().optional(),
  /** A socket next to the lock that answers while the holder lives; absent: there is none. */
  life: z
    .string()
    .regex(/^[\w.-]{1,100}\.life-[0-9a-f]{16}$/)
    .optional(),
  /** Part of a file name, see above. */
  token: z.string().regex(/^\w{1,64}$/),
});
type Holder = z.infer<typeof holder>;

export type Lock =
  | { readonly kind: 'held'; readonly release: () => Promise<void> }
  | { readonly kind: 'busy'; readonly pid: number; readonly host: string };

/** The maximum size of a lock file; those of Cellar have a few hundred bytes. */
const MAX_LOCK_BYTES = 64 * 1024;
/** A process that dies during a takeover leaves one successor; more than this did not come from Cellar. */
const MAX_SUCCESSORS = 32;
/** The maximum number of attempts: before each one another process took or released the lock. */
const MAX_ROUNDS = 500;

/**
 * The locks this process holds. A lock with our process id that is not among them belongs to no process any
 * more.
 */
const heldHere = new Set<string>();

/** @param asks the lock whose holder's socket is contacted first; null: none */
async function isHeld(holder: Holder, asks: string | null): Promise<boolean> {
  if (holder.pid <= 0) return false;
  if (heldHere.has(holder.token)) return true;
  const life = asks === null ? 'unknown' : await lifeOf(holder, asks);
  if (life !== 'unknown') return life === 'lives';
  const mark: ProcessMark = { ...holder, boot: holder.boot ?? null, pidSpace: holder.pidSpace ?? null };
  const is = await isSameRunning(mark);
  return is !== 'this process' && is !== 'gone';
}

/** The reply of the holder's socket: valid across containers, but not across machines. */
async function lifeOf({ life, boot }: Holder, path: string): Promise<Liveness> {
  const here = (await ownMark()).boot;
  if (life === undefined || !isLifeOf(path, life) || here === null || boot !== here) return 'unknown';
  return checkLiveness(dirname(path), life);
}

/** The file name of a socket next to a lock. */
export function newLifeName(path: string): string {
  return `${basename(path)}.life-${randomBytes(8).toString('hex')}`;
}

function isLifeOf(path: string, name: string): boolean {
  return name.startsWith(`${basename(path)}.life-`);
}

/**
 * The holder in a lock file. A damaged file has no living holder; its bytes are used as its token. The same
 * goes for a link, which Cellar never creates: it is not followed, and a takeover replaces it. @throws Error
 * for anything that a file cannot replace
 */
async function readHolder(path: string): Promise<Holder | 'none'> {
  let text: string;
  try {
    const stats = await lstat(path);
    if (stats.isSymbolicLink()) return noHolder(`link to ${await readlink(path)}`);
    if (!stats.isFile() || stats.size > MAX_LOCK_BYTES) throw new NoLockFileError(path);
    text = (await readPlainFile(path, { maxBytes: MAX_LOCK_BYTES })).toString('utf8');
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return 'none';
    throw error;
  }
  const parsed = holder.safeParse(tryParseJson(text));
  if (parsed.success) return parsed.data;
  // Workers of earlier versions wrote only their process id.
  return { ...noHolder(text), pid: /^[1-9]\d{0,9}$/.test(text) ? Number(text) : 0 };
}

function noHolder(text: string): Holder {
  const token = createHash('sha256').update(text).digest('hex').slice(0, 24);
  return { pid: 0, host: hostname(), startedAt: '', processStart: null, token };
}

/** Something else is in the place of a lock, and a takeover could not replace it. */
export class NoLockFileError extends Error {
  override readonly name = 'NoLockFileError';
  constructor(path: string) {
    super(`${path} is not a lock that Cellar made. Remove it, then try again.`);
  }
}

/**
 * Takes the lock, or returns its holder. A damaged or empty file, a link and the file of a dead process count
 * as free. Ends after a bounded number of rounds, whatever is on the disk. @throws NoLockFileError for a
 * folder, pipe or device in its place
 */
export async function takeLock(
  path: string,
  {
    life,
  }: {
    /**
     * The name of a socket next to the lock that answers while this process lives; if set, the sockets of
     * holders are asked too.
     */
    readonly life?: string;
  } = {},
): Promise<Lock> {
  const token = randomBytes(12).toString('hex');
  const startedAt = new Date().toISOString();
  const mine: Holder = { ...(await ownMark()), startedAt, token, ...(life === undefined ? {} : { life }) };
  const draft = `${path}-${process.pid}-${token}.tmp`;
  const lock: Lock = { kind: 'held', release: () => release(path, token) };
  heldHere.add(token);
  let isHolder = false;
  try {
    await writeFile(draft, JSON.stringify(mine), { mode: PRIVATE_FILE });
    for (let round = 0; round < MAX_ROUNDS; round += 1) {
      isHolder = await linked(draft, path);
      if (isHolder) return lock;
      const first = await readHolder(path);
      if (first === 'none') continue;
      const last = await lastSuccessor(path, first);
      // A claim counts only while the file still shows the holder it succeeds: a late claim is withdrawn.
      if (last !== first && !(await shows(path, first))) continue;
      if (await isHeld(last, life === undefined ? null : path))
        return { kind: 'busy', pid: last.pid, host: last.host };
      isHolder = await succeed({ path, draft, first, last });
      if (!isHolder) continue;
      if (life !== undefined) await clearLives(path, [first, last]);
      return lock;
    }
    throw new NoLockFileError(path);
  } finally {
    if (!isHolder) heldHere.delete(token);
    await rm(draft, { force: true });
    if (isHolder) await clearDrafts(path);
  }
}

/** Removes the drafts of processes that were killed while taking the lock. */
async function clearDrafts(path: string): Promise<void> {
  const prefix = `${basename(path)}-`;
  for (const name of await readdir(dirname(path))) {
    const pid = name.startsWith(prefix)
      ? /^(\d+)-[0-9a-f]{24}\.tmp/.exec(name.slice(prefix.length))?.[1]
      : undefined;
    if (pid !== undefined && !isAlive(Number(pid))) await rm(join(dirname(path), name), { force: true });
  }
}

/** Removes the sockets of dead holders. */
async function clearLives(path: string, holders: readonly Holder[]): Promise<void> {
  for (const { life } of holders) {
    if (life !== undefined && isLifeOf(path, life)) await rm(join(dirname(path), life), { force: true });
  }
}

function successorPath(path: string, token: string): string {
  return `${path}.after-${token}`;
}

/**
 * The holder of the lock when `first` is in the file: the end of the chain of successors. A circular chain
 * has no end and no holder: its members together count as one holder, which can be succeeded like any other.
 */
async function lastSuccessor(path: string, first: Holder): Promise<Holder> {
  const tokens = new Set([first.token]);
  let last = first;
  while (tokens.size <= MAX_SUCCESSORS) {
    const next = await readHolder(successorPath(path, last.token));
    if (next === 'none') return last;
    last = tokens.has(next.token) ? noHolder(`cycle of ${[...tokens].toSorted().join(' ')}`) : next;
    tokens.add(last.token);
  }
  throw new NoLockFileError(successorPath(path, first.token));
}

async function shows(path: string, expected: Holder): Promise<boolean> {
  const now = await readHolder(path);
  return now !== 'none' && now.token === expected.token;
}

interface Succession {
  readonly path: string;
  readonly draft: string;
  readonly first: Holder;
  readonly last: Holder;
}

/** @returns false if another process was faster: try again */
async function succeed({ path, draft, first, last }: Succession): Promise<boolean> {
  const claim = successorPath(path, last.token);
  if (!(await linked(draft, claim))) return false;
  // A faster successor may have written itself and removed its claim before ours: then the file shows another
  // holder.
  if (!(await shows(path, first))) {
    await rm(claim, { force: true });
    return false;
  }
  // rename() replaces in one step, but does nothing when both names are one file: so rename a copy.
  const copy = `${draft}.own`;
  await copyFile(draft, copy);
  await rename(copy, path);
  await clearClaims(path);
  return true;
}

/** The file now names the holder: claims on earlier holders are obsolete. */
async function clearClaims(path: string): Promise<void> {
  const prefix = `${basename(path)}.after-`;
  const names = await readdir(dirname(path));
  for (const name of names) if (name.startsWith(prefix)) await rm(join(dirname(path), name), { force: true });
}

async function linked(draft: string, path: string): Promise<boolean> {
  try {
    await link(draft, path);
    return true;
  } catch (error) {
    if (errnoOf(error) === 'EEXIST') return false;
    throw error;
  }
}

/** Releases the lock, unless another process has taken it over. */
async function release(path: string, token: string): Promise<void> {
  try {
    const holder = await readHolder(path);
    if (holder !== 'none' && holder.token === token) await rm(path, { force: true });
  } catch (error) {
    // Another file was put in its place, which must not be removed here.
    if (!(error instanceof NoLockFileError)) throw error;
  } finally {
    // Last, because otherwise another taker in this process could take it over before the removal, which
    // would then remove the new lock. If the folder was moved, its lock no longer looks held at the new
    // place.
    heldHere.delete(token);
  }
}

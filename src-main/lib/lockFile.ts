import { createHash, randomBytes } from 'node:crypto';
import { copyFile, link, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { basename, dirname, join } from 'node:path';
import * as z from 'zod';
import { errnoOf } from './atomicFile.ts';
import { jsonOf } from './jsonOf.ts';
import { readPlainFile } from './plainFile.ts';
import { PRIVATE_FILE } from './privateFiles.ts';

/**
 * A lock file that names its holder's process.
 * Free -> held (the file appears whole, by a hard link) -> free (removed). The lock of a process that is gone is
 * taken over; a process id that was given to another process since does not count as the holder.
 *
 * Taking over: a holder may be succeeded once. `<path>.after-<token>` is created exclusively and names the
 * successor of the holder with that token; whoever creates it holds the lock from that instant, then writes itself
 * into `<path>` and clears the successor file. The lock file is never missing in between, so no third
 * process can slip in, and a successor that dies half way is itself succeeded the same way.
 */
const holder = z.object({
  pid: z.number().int(),
  host: z.string(),
  startedAt: z.string(),
  /** When the process started, in kernel ticks; null where the system does not tell. */
  processStart: z.string().nullable(),
  /** Part of a file name, see above. */
  token: z.string().regex(/^\w{1,64}$/),
});
type Holder = z.infer<typeof holder>;

export type Lock =
  | { readonly kind: 'held'; readonly release: () => Promise<void> }
  | { readonly kind: 'busy'; readonly pid: number; readonly host: string };

/** Field 22 of /proc/<pid>/stat, counted after the command name, which may hold anything. */
async function processStart(pid: number): Promise<string | null> {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? null;
  } catch (error) {
    if (errnoOf(error) === null) throw error;
    return null;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Somebody else's process cannot be signalled, but it is there.
    return errnoOf(error) === 'EPERM';
  }
}

/** What this process holds now. A lock with our number that is not among them belongs to nobody any more. */
const heldHere = new Set<string>();

async function isHeld(found: Holder): Promise<boolean> {
  if (found.pid <= 0) return false;
  if (found.host !== hostname()) return true;
  if (found.pid === process.pid) return heldHere.has(found.token);
  if (!isAlive(found.pid)) return false;
  return found.processStart === null || found.processStart === (await processStart(found.pid));
}

/** Who a lock file names. A damaged one names nobody alive; its bytes stand for its token. */
async function readHolder(path: string): Promise<Holder | 'none'> {
  let text: string;
  try {
    text = (await readPlainFile(path)).toString('utf8');
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return 'none';
    throw error;
  }
  const parsed = holder.safeParse(jsonOf(text));
  if (parsed.success) return parsed.data;
  const token = createHash('sha256').update(text).digest('hex').slice(0, 24);
  // A worker of an earlier version wrote nothing but its number.
  const pid = /^[1-9]\d{0,9}$/.test(text) ? Number(text) : 0;
  return { pid, host: hostname(), startedAt: '', processStart: null, token };
}

/** Takes the lock, or says who has it. A damaged file, an empty one and one of a process that is gone are nobody's. */
export async function takeLock(path: string): Promise<Lock> {
  const token = randomBytes(12).toString('hex');
  const mine: Holder = {
    pid: process.pid,
    host: hostname(),
    startedAt: new Date().toISOString(),
    processStart: await processStart(process.pid),
    token,
  };
  const draft = `${path}-${token}.tmp`;
  const held: Lock = { kind: 'held', release: () => release(path, token) };
  heldHere.add(token);
  let isHolder = false;
  try {
    await writeFile(draft, JSON.stringify(mine), { mode: PRIVATE_FILE });
    for (;;) {
      isHolder = await linked(draft, path);
      if (isHolder) return held;
      const first = await readHolder(path);
      if (first === 'none') continue;
      const last = await lastSuccessor(path, first);
      // A claim counts only while the file still shows whom it succeeds: one made too late is taken back.
      if (last !== first && !(await shows(path, first))) continue;
      if (await isHeld(last)) return { kind: 'busy', pid: last.pid, host: last.host };
      isHolder = await succeed({ path, draft, first, last });
      if (isHolder) return held;
    }
  } finally {
    if (!isHolder) heldHere.delete(token);
    await rm(draft, { force: true });
  }
}

function successorPath(path: string, token: string): string {
  return `${path}.after-${token}`;
}

/** Who holds the lock when `first` stands in the file: the end of the chain of successors. */
async function lastSuccessor(path: string, first: Holder): Promise<Holder> {
  let last = first;
  for (;;) {
    const next = await readHolder(successorPath(path, last.token));
    if (next === 'none') return last;
    last = next;
  }
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

/** @returns false when somebody else was quicker: look again */
async function succeed({ path, draft, first, last }: Succession): Promise<boolean> {
  const claim = successorPath(path, last.token);
  if (!(await linked(draft, claim))) return false;
  // A quicker successor may have moved in and cleared its claim before ours: then the file shows another holder.
  if (!(await shows(path, first))) {
    await rm(claim, { force: true });
    return false;
  }
  // rename() replaces in one step, but does nothing when both names are one file: go through a copy.
  const copy = `${draft}.own`;
  await copyFile(draft, copy);
  await rename(copy, path);
  await clearClaims(path);
  return true;
}

/** The file names the holder now: claims on holders before it have had their day. */
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

/** Gives the lock back, unless somebody took it over meanwhile. */
async function release(path: string, token: string): Promise<void> {
  try {
    const found = await readHolder(path);
    if (found !== 'none' && found.token === token) await rm(path, { force: true });
  } finally {
    // Last, or another taker in this process takes it over before the removal, which then removes that one's. Should
    // the folder have been moved away, its lock does not look held at its new place from here on.
    heldHere.delete(token);
  }
}

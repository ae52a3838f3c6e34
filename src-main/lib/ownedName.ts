/**
 * Names for files that exist only while one process works on them: an upload in progress, a notebook being
 * created. The name identifies the owner, so that the next start can distinguish leftovers of killed
 * processes from files in use.
 */

import { randomBytes } from 'node:crypto';
import type { Dirent } from 'node:fs';
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { nullIfMissing } from './atomicFile.ts';
import { isSameRunning, ownMark, type ProcessMark } from './processMark.ts';

/** A shortened host name suffices, because only names of this machine are compared. */
const HOST_CHARACTERS = 32;
/** Longer than any upload or import takes; names of earlier versions do not identify their owner. */
const NOBODYS_MS = 24 * 3600_000;

/** A new name, `<prefix><pid>-<start>-<boot>-<host>-<random>`. */
export async function ownedName(prefix: string): Promise<string> {
  const { pid, processStart, boot, host } = await ownMark();
  const rest = randomBytes(6).toString('hex');
  return `${prefix}${pid}-${processStart ?? ''}-${shortBoot(boot)}-${shortHost(host)}-${rest}`;
}

const OWNED = /^(\d+)-(\d*)-([0-9a-f]*)-([A-Za-z0-9_]*)-[0-9a-f]{12}$/;

function shortBoot(boot: string | null): string {
  return (boot ?? '').replaceAll('-', '').slice(0, 12);
}

function shortHost(host: string): string {
  return host.replaceAll(/[^A-Za-z0-9]/g, '_').slice(0, HOST_CHARACTERS);
}

/** Whether the process that made a name has ended; false if that is unknown. */
async function isLeft(path: string, rest: string): Promise<boolean> {
  const [, pid, start, boot, host] = OWNED.exec(rest) ?? [];
  if (pid === undefined) {
    const stats = await stat(path).catch(nullIfMissing);
    return stats !== null && Date.now() - stats.mtimeMs > NOBODYS_MS;
  }
  const here = await ownMark();
  const mark: ProcessMark = {
    pid: Number(pid),
    host: host === shortHost(here.host) ? here.host : `not ${here.host}`,
    processStart: start === '' ? null : (start ?? null),
    boot: boot === '' ? null : boot === shortBoot(here.boot) ? here.boot : (boot ?? null),
    // Another container's process ids look like ours, but its host name differs.
    pidSpace: null,
  };
  return (await isSameRunning(mark)) === 'gone';
}

/**
 * Maximum number of folders to search, and maximum depth: a storage folder may contain a whole disk of other
 * files.
 */
const MAX_FOLDERS = 2_000;
const MAX_DEPTH = 4;

/**
 * Removes leftovers of killed processes under `roots`. Searches plain folders only, never a notebook or a
 * hidden folder. @returns the paths removed
 */
export async function sweepOwned(
  roots: readonly string[],
  prefixes: readonly string[],
): Promise<readonly string[]> {
  const removed: string[] = [];
  let waiting = roots.map((dir) => ({ dir, depth: 0 }));
  for (let folderCount = 0; waiting.length > 0 && folderCount < MAX_FOLDERS; folderCount += 1) {
    const [{ dir, depth } = { dir: '', depth: 0 }, ...rest] = waiting;
    waiting = rest;
    const entries = await entriesOf(dir);
    for (const entry of entries) {
      const prefix = prefixes.find((one) => entry.name.startsWith(one));
      if (prefix === undefined || entry.isSymbolicLink()) continue;
      const path = join(dir, entry.name);
      if (!(await isLeft(path, entry.name.slice(prefix.length)))) continue;
      await rm(path, { recursive: true, force: true });
      removed.push(path);
    }
    if (depth === MAX_DEPTH || entries.some(({ name }) => name === 'notebook.toml')) continue;
    const below = entries.filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'));
    waiting.push(...below.map(({ name }) => ({ dir: join(dir, name), depth: depth + 1 })));
  }
  return removed;
}

/** Empty if a folder is missing or unreadable: an unreadable folder has no leftovers of ours. */
async function entriesOf(dir: string): Promise<readonly Dirent[]> {
  try {
    return await readdir(dir, { withFileTypes: true });
  } catch (error) {
    if (error instanceof Error && 'code' in error) return [];
    throw error;
  }
}

/**
 * Replaces a whole file so that a crash at any time leaves either the old bytes or the new ones. Calls that
 * only look up or change a name are synchronous: they take microseconds, ten times less than through the
 * thread pool. Calls that wait for the disk (a flush, many bytes) never block the event loop.
 */

import { randomBytes } from 'node:crypto';
import {
  closeSync,
  constants,
  fchmodSync,
  openSync,
  readlinkSync,
  realpathSync,
  rmSync,
  statSync,
} from 'node:fs';
import { rename } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { flushFile, writeAll } from './openFile.ts';
import { isInStateFolder, PRIVATE_FILE } from './privateFiles.ts';

export const TEMP_PREFIX = '.svc-tmp-';

/** True for a name that {@link writeFileAtomic} gives to its temporary siblings; scans and watchers skip those. */
export function isTempName(name: string): boolean {
  return name.startsWith(TEMP_PREFIX);
}

/** The error code (`ENOENT`, …) of a failed system call, or null for anything else thrown. */
export function errnoOf(error: unknown): string | null {
  if (!(error instanceof Error) || !('code' in error)) return null;
  return typeof error.code === 'string' ? error.code : null;
}

/** For `.catch`: null if nothing is there; every other failure is rethrown, because the file may exist. */
export function nullIfMissing(error: unknown): null {
  const code = errnoOf(error);
  // ENOTDIR: a parent folder in the path is a file.
  if (code === 'ENOENT' || code === 'ENOTDIR') return null;
  throw error;
}

/**
 * Replaces `path` with `data`: temporary sibling, write, fsync, rename, fsync of the directory. An existing
 * file keeps its permissions unless `mode` is given; a symbolic link stays a link and its target is replaced.
 * On any failure (disk full, no permission, …) the system's error is thrown, the old file is unchanged and
 * the temporary one is deleted.
 */
export async function writeFileAtomic(
  path: string,
  data: string | Uint8Array,
  options: { readonly mode?: number; readonly flush?: boolean } = {},
): Promise<void> {
  const { flush = true } = options;
  const target = followLinks(path);
  const directory = dirname(target);
  const mode = options.mode ?? modeOf(target) ?? (isInStateFolder(target) ? PRIVATE_FILE : null);
  const temp = join(directory, `${TEMP_PREFIX}${process.pid}-${randomBytes(8).toString('hex')}`);
  const file = openSync(temp, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, mode ?? 0o666);
  try {
    await writeThenClose(file, data, { mode, flush });
    await retryRename(() => rename(temp, target));
  } catch (error) {
    rmSync(temp, { force: true });
    throw error;
  }
  if (flush) await syncDirectory(directory);
}

/** Flushes a directory's own entries (created, renamed and removed names) to disk. */
export async function syncDirectory(directory: string): Promise<void> {
  // Windows has no directory handles to flush; NTFS journals names itself.
  if (process.platform === 'win32') return;
  const handle = openSync(directory, 'r');
  try {
    await flushFile(handle);
  } finally {
    closeSync(handle);
  }
}

async function writeThenClose(
  file: number,
  data: string | Uint8Array,
  { mode, flush }: { readonly mode: number | null; readonly flush: boolean },
): Promise<void> {
  try {
    await writeAll(file, data);
    // open() masks the mode with the umask; the old file's exact permissions must be kept.
    if (mode !== null) fchmodSync(file, mode);
    if (flush) await flushFile(file);
  } finally {
    closeSync(file);
  }
}

/** Renames, with short retries while a virus scanner or an indexer of Windows has the target open. */
export async function retryRename<T>(rename: () => Promise<T>): Promise<T> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await rename();
    } catch (error) {
      const code = errnoOf(error);
      const momentary = code === 'EPERM' || code === 'EACCES' || code === 'EBUSY';
      if (process.platform !== 'win32' || !momentary || attempt === 6) throw error;
      await delay(10 * 2 ** attempt);
    }
  }
}

/** The real file behind `path`, even if the last link of the chain points to a missing file. */
function followLinks(path: string): string {
  let current = resolve(path);
  for (let hops = 0; hops < 40; hops += 1) {
    const real = realOf(current);
    if (real !== null) return real;
    const next = linkAt(current);
    const directory = realpathSync.native(dirname(current));
    if (next === null) return join(directory, basename(current));
    current = resolve(directory, next);
  }
  throw new Error(`${path}: too many symbolic links`);
}

function realOf(path: string): string | null {
  try {
    return realpathSync.native(path);
  } catch (error) {
    return nullIfMissing(error);
  }
}

/** The target of a link; null for anything else, and if nothing is there. */
function linkAt(path: string): string | null {
  try {
    return readlinkSync(path);
  } catch (error) {
    return errnoOf(error) === 'EINVAL' ? null : nullIfMissing(error);
  }
}

function modeOf(path: string): number | null {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats === undefined ? null : stats.mode & 0o7777;
}

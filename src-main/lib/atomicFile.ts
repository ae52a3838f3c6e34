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

/**
 * Whole-file replacement that a crash at any instant cannot tear: after a kill the path holds either the old
 * bytes or the new ones. Nothing here knows what the bytes mean.
 *
 * What only looks a name up or changes one is asked of the system at once: it takes microseconds, and ten times that
 * by way of the thread pool. What waits for the disk (a flush, many bytes) never holds the loop up.
 */

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

/** For `.catch`: null where nothing is there; every other failure is thrown on, for it proves nothing. */
export function nullIfMissing(error: unknown): null {
  const code = errnoOf(error);
  // ENOTDIR: what should be a folder on the way there is a file.
  if (code === 'ENOENT' || code === 'ENOTDIR') return null;
  throw error;
}

/**
 * Replaces `path` with `data`: temporary sibling, write, fsync, rename, fsync of the directory. An existing
 * file keeps its permissions unless `mode` is given; a symbolic link stays a link and the file it names is
 * replaced. On any failure (disk full, no permission, …) the system's error is thrown, the old file is whole and
 * the temporary one is gone.
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
  // Windows has no directory handles to flush; NTFS journals names by itself.
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
    // open() masks the mode with the umask; the old file's exact permissions must survive.
    if (mode !== null) fchmodSync(file, mode);
    if (flush) await flushFile(file);
  } finally {
    closeSync(file);
  }
}

/** Does a rename, again for a moment where a virus scanner or an indexer of Windows has the target open. */
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

/** The real file behind `path`, also when the last link of the chain points at nothing yet. */
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

/** Where a link leads; null for what is none, and where there is nothing. */
function linkAt(path: string): string | null {
  try {
    return readlinkSync(path);
  } catch (error) {
    return errnoOf(error) === 'EINVAL' ? null : nullIfMissing(error);
  }
}

function modeOf(path: string): number | null {
  const found = statSync(path, { throwIfNoEntry: false });
  return found === undefined ? null : found.mode & 0o7777;
}

/** Writes and replaces files of an untrusted notebook folder without following links. */

import { randomBytes } from 'node:crypto';
import {
  closeSync,
  constants,
  copyFileSync,
  createReadStream,
  createWriteStream,
  fchmodSync,
  fstatSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  type WriteStream,
  writeFileSync,
} from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { errnoOf, retryRename, TEMP_PREFIX } from '../atomicFile.ts';
import { flushFile, writeAll } from '../openFile.ts';
import { PRIVATE_FILE } from '../privateFiles.ts';
import { type OpenFolder, openFolder, withKnownPath } from './openFolder.ts';
import { isOwn, pathOf, placeOf, type Target } from './place.ts';
import {
  inFolderOf,
  lstatAt,
  lstatIn,
  nameOf,
  openPlain,
  openToRead,
  readFileAt,
  refusalOf,
  refuseLink,
} from './read.ts';
import { PlaceRefusal } from './refusal.ts';

const { O_WRONLY, O_RDWR, O_CREAT, O_EXCL, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants;

interface ReplaceOptions {
  readonly mode?: number;
  /** A compare-and-swap: right before the rename the file must have these bytes (null: no file). */
  readonly expected?: Uint8Array | null;
  /** False: after a power failure neither the old bytes nor the new ones may be there. */
  readonly flush?: boolean;
}

/**
 * Replaces a whole file: temporary sibling, write, flush, rename, flush of the folder, all through the one
 * folder that was opened, whose place is checked again right before the rename. A crash leaves the old bytes
 * or the new ones, and a hard link to the old file keeps the old ones. Anything but a plain file is not
 * replaced, except below `.svc`, which contains only Cellar's own files; a link there is replaced itself,
 * never followed. @returns false if there is something other than `expected`; nothing was changed then
 * @throws PlaceRefusal; the system's error, with the old file unchanged and the temporary one deleted
 */
export async function replaceFile(
  target: Target,
  data: string | Uint8Array,
  options: ReplaceOptions = {},
): Promise<boolean> {
  const { flush = true } = options;
  const place = placeOf(target);
  const name = nameOf(place);
  const folder = openFolder(place.root, place.names.slice(0, -1));
  const temp = tempName();
  try {
    const stats = lstatIn(folder, name);
    // Anything but a plain file does not have the expected bytes; a link is reported.
    if (options.expected !== undefined && stats !== null && !stats.isFile() && !stats.isSymbolicLink())
      return false;
    refuseOther(stats, target);
    const mode =
      options.mode ?? (isOwn(place) ? PRIVATE_FILE : stats?.isFile() === true ? stats.mode & 0o7777 : null);
    const file = openSync(folder.at(temp), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode ?? 0o666);
    try {
      try {
        await writeAll(file, data);
        // open() masks the mode with the umask; the old file's exact permissions must be kept.
        if (mode !== null) fchmodSync(file, mode);
        if (flush) await flushFile(file);
      } finally {
        closeSync(file);
      }
      const isDone = await retryRename(async () => moveOver(folder, { temp, name, target, ...options }));
      if (!isDone) rmSync(folder.at(temp), { force: true });
      if (isDone && flush) await flushFolder(folder);
      return isDone;
    } catch (error) {
      rmSync(folder.at(temp), { force: true });
      throw error;
    }
  } catch (error) {
    throw withKnownPath(
      withKnownPath(error, folder.at(temp), pathOf(target)),
      folder.at(name),
      pathOf(target),
    );
  } finally {
    folder.close();
  }
}

/**
 * Replaces a file like {@link replaceFile}, but synchronously and without a flush: see `flush` of
 * {@link ReplaceOptions}.
 */
export function replaceFileSync(target: Target, data: string, { mode }: { readonly mode: number }): void {
  inFolderOf(target, (folder, name) => {
    const temp = tempName();
    try {
      writeFileSync(folder.at(temp), data, { flag: 'wx', mode });
      moveOver(folder, { temp, name, target });
    } catch (error) {
      rmSync(folder.at(temp), { force: true });
      throw error;
    }
  });
}

/** Whether exactly these bytes are there now (null: nothing). False for anything but a plain file. */
export function hasContent(target: Target, expected: Uint8Array | null): boolean {
  try {
    return inFolderOf(target, (folder, name, path) => holdsIn(folder, { name, path, expected }));
  } catch (error) {
    if (error instanceof PlaceRefusal) return false;
    if (errnoOf(error) === 'ENOENT') return expected === null;
    throw error;
  }
}

/** Removes a file if it still has these bytes. @returns false if its content changed; then it stays */
export async function removeIfUnchanged(target: Target, expected: Uint8Array): Promise<boolean> {
  const place = placeOf(target);
  const name = nameOf(place);
  const folder = openFolder(place.root, place.names.slice(0, -1));
  try {
    if (!holdsIn(folder, { name, path: pathOf(target), expected })) return false;
    folder.recheck();
    rmSync(folder.at(name), { force: true });
    await flushFolder(folder);
    return true;
  } catch (error) {
    throw withKnownPath(error, folder.at(name), pathOf(target));
  } finally {
    folder.close();
  }
}

/**
 * Creates a file for writing and returns its descriptor, which the caller closes. With `over`, an existing
 * file is removed first, so that a hard link to it keeps its bytes. @throws EEXIST if something exists and
 * `over` is not set
 */
export function createFile(
  target: Target,
  { mode = 0o600, over = false }: { readonly mode?: number; readonly over?: boolean } = {},
): number {
  return inFolderOf(target, (folder, name) => {
    folder.recheck();
    if (over) rmSync(folder.at(name), { force: true });
    return openSync(folder.at(name), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode);
  });
}

/** A stream into a new file. */
export function streamTo(
  target: Target,
  options: {
    readonly mode?: number;
    readonly over?: boolean;
    readonly highWaterMark?: number;
    readonly flush?: boolean;
  } = {},
): WriteStream {
  const { mode, over, ...stream } = options;
  const fd = createFile(target, { ...(mode === undefined ? {} : { mode }), over: over === true });
  return createWriteStream(pathOf(target), { fd, ...stream });
}

/**
 * Writes a file with access for this user only, replacing an existing one; after a crash it may be
 * incomplete.
 */
export async function writeOver(target: Target, data: string | Uint8Array): Promise<void> {
  const file = createFile(target, { over: true });
  try {
    await writeAll(file, data);
  } finally {
    closeSync(file);
  }
}

/** Copies the bytes of a plain file to a file that does not exist yet. */
export async function copyTo(from: Target, to: Target): Promise<void> {
  const source = openToRead(from, { maxBytes: Number.POSITIVE_INFINITY });
  await pipeline(createReadStream(pathOf(from), { fd: source }), streamTo(to));
}

/** Sets the permissions of a plain file. */
export function setMode(target: Target, mode: number): void {
  const file = openToRead(target, { maxBytes: Number.POSITIVE_INFINITY });
  try {
    fchmodSync(file, mode);
  } finally {
    closeSync(file);
  }
}

/** Creates a file synchronously. */
export function writeNew(target: Target, data: string | Uint8Array, { mode = 0o600 } = {}): void {
  const file = createFile(target, { mode });
  try {
    writeFileSync(file, data);
  } finally {
    closeSync(file);
  }
}

/**
 * Opens a file to be written in place, creating it if missing, and returns its descriptor, which the caller
 * closes. A file with a second name (a copy of the folder by hard links) is copied first. @throws
 * PlaceRefusal for a link and for anything but a plain file
 */
export function openInPlace(target: Target, { mode = 0o600 } = {}): number {
  return inFolderOf(target, (folder, name, path) => {
    refuseLink(lstatIn(folder, name), path);
    const file = openRw(folder, { name, path, mode });
    if (fstatSync(file).nlink <= 1) return file;
    closeSync(file);
    ownBytes(folder, { name, path });
    return openRw(folder, { name, path, mode });
  });
}

/**
 * Replaces a file with a second name by its own copy, for programs that write it in place. A missing file is
 * ignored.
 */
export function unshareFile(target: Target): void {
  const stats = lstatAt(target);
  refuseLink(stats, pathOf(target));
  if (stats === null || !stats.isFile() || stats.nlink <= 1) return;
  inFolderOf(target, (folder, name, path) => ownBytes(folder, { name, path }));
}

/** Copies a file to `<name>.bad`, replacing an earlier copy. */
export async function copyAside(target: Target): Promise<void> {
  const place = placeOf(target);
  const bad = { ...place, names: [...place.names.slice(0, -1), `${nameOf(place)}.bad`] };
  await replaceFile(bad, await readFileAt(target), { mode: 0o600 });
}

interface Named {
  readonly name: string;
  readonly path: string;
}

function openRw(folder: OpenFolder, { name, path, mode }: Named & { readonly mode: number }): number {
  let file: number;
  try {
    file = openSync(folder.at(name), O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK, mode);
  } catch (error) {
    throw refusalOf(error, { folder, name, path });
  }
  try {
    folder.recheck();
    if (!fstatSync(file).isFile()) throw new PlaceRefusal('not plain', path);
    return file;
  } catch (error) {
    closeSync(file);
    throw error;
  }
}

/** Puts a copy of a file in its place. */
function ownBytes(folder: OpenFolder, { name, path }: Named): void {
  const temp = tempName();
  try {
    copyFileSync(folder.at(name), folder.at(temp), constants.COPYFILE_EXCL);
    refuseLink(lstatIn(folder, name), path);
    folder.recheck();
    renameSync(folder.at(temp), folder.at(name));
  } catch (error) {
    rmSync(folder.at(temp), { force: true });
    throw error;
  }
}

/** Flushes the names of a folder to disk. */
export async function flushFolder(folder: OpenFolder): Promise<void> {
  // Windows has no folder handles to flush; NTFS journals names itself.
  if (process.platform === 'win32') return;
  const file = openSync(folder.at('.'), 'r');
  try {
    await flushFile(file);
  } finally {
    closeSync(file);
  }
}

function tempName(): string {
  return `${TEMP_PREFIX}${process.pid}-${randomBytes(8).toString('hex')}`;
}

/** Refuses to change anything that is neither Cellar's own nor a plain file. */
function refuseOther(stats: ReturnType<typeof lstatIn>, target: Target): void {
  if (stats === null || stats.isFile() || stats.isDirectory()) return;
  if (isOwn(placeOf(target))) return;
  throw new PlaceRefusal(stats.isSymbolicLink() ? 'link' : 'not plain', pathOf(target));
}

interface Move {
  readonly temp: string;
  readonly name: string;
  readonly target: Target;
  readonly expected?: Uint8Array | null;
}

function moveOver(folder: OpenFolder, { temp, name, target, expected }: Move): boolean {
  folder.recheck();
  if (expected !== undefined && !holdsIn(folder, { name, path: pathOf(target), expected })) return false;
  refuseOther(lstatIn(folder, name), target);
  renameSync(folder.at(temp), folder.at(name));
  return true;
}

function holdsIn(
  folder: OpenFolder,
  { name, path, expected }: Named & { readonly expected: Uint8Array | null },
): boolean {
  let file: number;
  try {
    file = openPlain(folder, name, path);
  } catch (error) {
    const code = errnoOf(error);
    if (code === 'ENOENT') return expected === null;
    if (error instanceof PlaceRefusal || code === 'EACCES' || code === 'ENOTDIR') return false;
    throw error;
  }
  try {
    if (expected === null || fstatSync(file).size !== expected.length) return false;
    return readFileSync(file).equals(expected);
  } finally {
    closeSync(file);
  }
}

/** Reads files of an untrusted notebook folder without following links. */

import {
  closeSync,
  constants,
  type Dirent,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readFile,
  readFileSync,
  readlinkSync,
  type Stats,
} from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { isAbsolute, posix, sep } from 'node:path';
import { promisify } from 'node:util';
import { errnoOf, nullIfMissing } from '../atomicFile.ts';
import { READ_LIMITS } from './limits.ts';
import { type OpenFolder, openFolder, withKnownPath } from './openFolder.ts';
import { isOwn, type Place, pathOf, placeIn, placeOf, type Target } from './place.ts';
import { PlaceRefusal } from './refusal.ts';

/**
 * Files up to this size are read synchronously, mostly from the page cache. Larger ones go through the thread
 * pool.
 */
const MAX_SYNC_BYTES = 256 * 1024;
/** Maximum length of a chain of links. */
const MAX_LINKS = 8;

const readLater: (file: number) => Promise<Buffer> = promisify(readFile);
const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants;

interface ReadOptions {
  readonly maxBytes?: number;
}

/**
 * The bytes of a plain file that is not reached by a link. @throws PlaceRefusal for a link on the way, for a
 * folder, pipe or device, for more than `maxBytes`; else the system's error
 */
export async function readFileAt(target: Target, options: ReadOptions = {}): Promise<Buffer> {
  const file = openToRead(target, options);
  try {
    return fstatSync(file).size <= MAX_SYNC_BYTES ? readFileSync(file) : await readLater(file);
  } finally {
    closeSync(file);
  }
}

/**
 * Reads a file like {@link readFileAt}, but synchronously, for decisions that must be made before anything else in this
 * process runs.
 */
export function readFileAtSync(target: Target, options: ReadOptions = {}): Buffer {
  const file = openToRead(target, options);
  try {
    return readFileSync(file);
  } finally {
    closeSync(file);
  }
}

/**
 * Opens a plain file for reading and returns its descriptor, which the caller closes. @throws as {@link
 * readFileAt}
 */
export function openToRead(target: Target, { maxBytes = READ_LIMITS.state }: ReadOptions = {}): number {
  return inFolderOf(target, (folder, name, path) => {
    const file = openPlain(folder, name, path);
    const { size } = fstatSync(file);
    if (size <= maxBytes) return file;
    closeSync(file);
    throw new PlaceRefusal('too long', path, size);
  });
}

/** Opens a plain file as a FileHandle, for a stream. @throws as {@link readFileAt} */
export async function openHandle(target: Target): Promise<FileHandle> {
  const place = placeOf(target);
  const name = nameOf(place);
  const path = pathOf(place);
  const folder = openFolder(place.root, place.names.slice(0, -1));
  try {
    if (O_NOFOLLOW === 0) refuseLink(lstatIn(folder, name), path);
    const handle = await open(folder.at(name), O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    if ((await handle.stat()).isFile()) return handle;
    await handle.close();
    throw new PlaceRefusal('not plain', path);
  } catch (error) {
    throw refusalOf(error, { folder, name, path });
  } finally {
    folder.close();
  }
}

/** Opens a name in a folder for reading. @throws PlaceRefusal for anything but a plain file */
export function openPlain(folder: OpenFolder, name: string, path: string): number {
  const at = folder.at(name);
  // On systems without O_NOFOLLOW the check must suffice.
  if (O_NOFOLLOW === 0) refuseLink(lstatIn(folder, name), path);
  let file: number;
  try {
    file = openSync(at, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  } catch (error) {
    throw refusalOf(error, { folder, name, path });
  }
  try {
    if (!folder.isHeld) folder.recheck();
    if (!fstatSync(file).isFile()) throw new PlaceRefusal('not plain', path);
    return file;
  } catch (error) {
    closeSync(file);
    throw error;
  }
}

/**
 * The stats of what is there, a link as a link; null if nothing is. @throws PlaceRefusal for a link on the
 * way
 */
export function lstatAt(target: Target): Stats | null {
  try {
    return inFolderOf(target, (folder, name) => lstatIn(folder, name));
  } catch (error) {
    return nullIfMissing(error);
  }
}

/** Whether there is a plain file that is not reached by a link. */
export function isPlainFile(target: Target): boolean {
  try {
    return lstatAt(target)?.isFile() === true;
  } catch (error) {
    if (error instanceof PlaceRefusal) return false;
    throw error;
  }
}

/**
 * The entries of a folder, in no order; empty if there is no folder. @throws PlaceRefusal for a link in its
 * place
 */
export function listFolder(target: Target): readonly Dirent[] {
  const { root, names } = placeOf(target);
  let folder: OpenFolder;
  try {
    folder = openFolder(root, names);
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return [];
    throw error;
  }
  try {
    const entries = readdirSync(folder.at('.'), { withFileTypes: true });
    if (!folder.isHeld) folder.recheck();
    return entries;
  } catch (error) {
    throw withKnownPath(error, folder.at('.'), pathOf(target));
  } finally {
    folder.close();
  }
}

/** The names in a folder. */
export function namesIn(target: Target): readonly string[] {
  return listFolder(target).map(({ name }) => name);
}

/**
 * Resolves a file that may be a link to another file of the same folder, as a user may create one: a link
 * at the end is read as text, and its target is walked like any other place. A link that leaves the folder,
 * or that leads to Cellar's own files, is refused. @throws PlaceRefusal
 */
export function insidePlace(place: Place): Place {
  let at = place;
  for (let hops = 0; hops < MAX_LINKS; hops += 1) {
    const next = linkIn(at);
    if (next === null) return at;
    const inside = isAbsolute(next) ? null : posix.join(...at.names.slice(0, -1), next.split(sep).join('/'));
    if (inside === null || inside.split('/').includes('..')) throw new PlaceRefusal('link', pathOf(place));
    at = placeIn(at.root, inside);
    if (isOwn(at)) throw new PlaceRefusal('link', pathOf(place));
  }
  throw new PlaceRefusal('link', pathOf(place));
}

/** The target of a link at the end of a place; null for anything else. */
function linkIn(place: Place): string | null {
  try {
    return inFolderOf(place, (folder, name) => {
      if (lstatIn(folder, name)?.isSymbolicLink() !== true) return null;
      return readlinkSync(folder.at(name));
    });
  } catch (error) {
    return nullIfMissing(error);
  }
}

/** Calls a function with the last name of a place and its opened parent folder. */
export function inFolderOf<T>(
  target: Target,
  act: (folder: OpenFolder, name: string, path: string) => T,
  options: { readonly make?: boolean; readonly mode?: number } = {},
): T {
  const place = placeOf(target);
  const name = nameOf(place);
  const folder = openFolder(place.root, place.names.slice(0, -1), options);
  try {
    return act(folder, name, pathOf(place));
  } catch (error) {
    throw withKnownPath(error, folder.at(name), pathOf(place));
  } finally {
    folder.close();
  }
}

/** The last name of a place. @throws RangeError for the guarded folder itself */
export function nameOf(place: Place): string {
  const name = place.names.at(-1);
  if (name === undefined) throw new RangeError(`${place.root} is the folder itself.`);
  return name;
}

export function lstatIn(folder: OpenFolder, name: string): Stats | null {
  return lstatSync(folder.at(name), { throwIfNoEntry: false }) ?? null;
}

export function refuseLink(stats: Stats | null, path: string): void {
  if (stats?.isSymbolicLink() === true) throw new PlaceRefusal('link', path);
}

/** Converts the error of opening a name as a plain file. */
export function refusalOf(
  error: unknown,
  { folder, name, path }: { readonly folder: OpenFolder; readonly name: string; readonly path: string },
): unknown {
  const code = errnoOf(error);
  if (code === 'ELOOP') return new PlaceRefusal('link', path);
  // ENXIO: a pipe or a socket without a process at the other end.
  if (code === 'ENXIO' || code === 'EISDIR') return new PlaceRefusal('not plain', path);
  return withKnownPath(error, folder.at(name), path);
}

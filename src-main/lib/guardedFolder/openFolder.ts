import {
  type BigIntStats,
  closeSync,
  constants,
  existsSync,
  lstatSync,
  mkdirSync,
  openSync,
  readlinkSync,
  statSync,
} from 'node:fs';
import { join } from 'node:path';
import { errnoOf } from '../atomicFile.ts';
import { PlaceRefusal } from './refusal.ts';

/**
 * A folder below a guarded one that was reached name by name, none of them a link. On Linux it is held by a handle, and
 * every name in it is looked up from the handle: what comes to the folder's place later changes nothing. Elsewhere the
 * names are looked at one by one, and again right before something is changed.
 */
export interface OpenFolder {
  /** Held by a handle: what is looked up here is in the folder that was opened. */
  readonly isHeld: boolean;
  /** The path by which the system reaches a name in this folder; for no program but this one. */
  at(name: string): string;
  /** @throws PlaceRefusal where another folder, or a link, has come to its place */
  recheck(): void;
  close(): void;
}

export interface OpenFolderOptions {
  /** Make the folders that are missing; never the guarded folder itself. */
  readonly make?: boolean;
  /** Of folders that are made. */
  readonly mode?: number;
  /** For tests: as on a system without handles of folders. */
  readonly withoutHandles?: boolean;
}

/** Linux's `O_PATH`: a handle to look names up from, which Node does not name. The same on every processor Node runs on. */
const O_PATH = 0o10_000_000;
const { O_DIRECTORY = 0, O_NOFOLLOW = 0 } = constants;
const HANDLES = '/proc/self/fd';
const HAS_HANDLES = process.platform === 'linux' && existsSync(HANDLES);

/**
 * Opens the folder `names` lead to from `root`.
 * @throws PlaceRefusal where a name is a link or no folder; the system's error where there is none
 */
export function openFolder(
  root: string,
  names: readonly string[],
  options: OpenFolderOptions = {},
): OpenFolder {
  return HAS_HANDLES && options.withoutHandles !== true
    ? openByHandle(root, names, options)
    : openByLook(root, names, options);
}

function openByHandle(root: string, names: readonly string[], options: OpenFolderOptions): OpenFolder {
  const top = openSync(root, O_PATH | O_DIRECTORY);
  let last = top;
  try {
    for (const [index, name] of names.entries()) {
      const next = openStep(`${HANDLES}/${last}/${name}`, options, () =>
        join(root, ...names.slice(0, index + 1)),
      );
      if (last !== top) closeSync(last);
      last = next;
    }
  } catch (error) {
    if (last !== top) closeSync(last);
    closeSync(top);
    throw error;
  }
  const expected = names.length === 0 ? '' : `/${names.join('/')}`;
  return {
    isHeld: true,
    at: (name) => `${HANDLES}/${last}/${name}`,
    recheck() {
      const rootNow = readlinkSync(`${HANDLES}/${top}`);
      const now = readlinkSync(`${HANDLES}/${last}`);
      if (now !== (rootNow === '/' && expected !== '' ? expected : rootNow + expected))
        throw new PlaceRefusal('moved', join(root, ...names));
    },
    close() {
      if (last !== top) closeSync(last);
      closeSync(top);
    },
  };
}

function openStep(at: string, options: OpenFolderOptions, path: () => string): number {
  const flags = O_PATH | O_DIRECTORY | O_NOFOLLOW;
  try {
    return openSync(at, flags);
  } catch (error) {
    if (errnoOf(error) === 'ENOENT' && options.make === true) {
      makeOne(at, options, path);
      return openSync(at, flags);
    }
    throw folderRefusal(error, at, path());
  }
}

function openByLook(root: string, names: readonly string[], options: OpenFolderOptions): OpenFolder {
  const paths = [root, ...names.map((_, index) => join(root, ...names.slice(0, index + 1)))];
  const folder = paths.at(-1) ?? root;
  const look = (): readonly string[] =>
    paths.map((path, index) => {
      const found = index === 0 ? statSync(path, { bigint: true }) : lstatSync(path, { bigint: true });
      refuseOther(found, path);
      return identityOf(found);
    });
  if (options.make === true) {
    statSync(root);
    for (const path of paths.slice(1)) {
      const found = lstatSync(path, { throwIfNoEntry: false });
      if (found === undefined) makeOne(path, options, () => path);
      else refuseOther(found, path);
    }
  }
  const before = look();
  return {
    isHeld: false,
    at: (name) => join(folder, name),
    recheck() {
      const now = look();
      if (now.some((identity, index) => identity !== before[index])) throw new PlaceRefusal('moved', folder);
    },
    close() {},
  };
}

/** @throws PlaceRefusal for what is no folder */
function refuseOther(found: Pick<BigIntStats, 'isSymbolicLink' | 'isDirectory'>, path: string): void {
  if (found.isSymbolicLink()) throw new PlaceRefusal('link', path);
  if (!found.isDirectory()) throw new PlaceRefusal('not a folder', path);
}

/** Tells one file or folder from another. */
function identityOf({ dev, ino }: Pick<BigIntStats, 'dev' | 'ino'>): string {
  return `${dev}:${ino}`;
}

function makeOne(at: string, { mode }: OpenFolderOptions, path: () => string): void {
  try {
    mkdirSync(at, { mode: mode ?? 0o777 });
  } catch (error) {
    // Another process made it meanwhile; what it is shows when it is opened.
    if (errnoOf(error) !== 'EEXIST') throw named(error, at, path());
  }
}

/** Why a name on the way could not be opened as a folder. */
function folderRefusal(error: unknown, at: string, path: string): unknown {
  const code = errnoOf(error);
  if (code === 'ELOOP' || code === 'ENOTDIR') {
    const found = lstatSync(at, { throwIfNoEntry: false });
    return new PlaceRefusal(found?.isSymbolicLink() === true ? 'link' : 'not a folder', path);
  }
  return named(error, at, path);
}

/** The system's error with the path a person knows, in place of the one by way of a handle. */
export function named(error: unknown, at: string, path: string): unknown {
  if (!(error instanceof Error) || !('path' in error) || error.path !== at) return error;
  error.message = error.message.replaceAll(at, path);
  error.path = path;
  return error;
}

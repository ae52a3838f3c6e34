/** Opens subfolders of an untrusted notebook folder without following links. */

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
 * A folder below a guarded one, opened name by name so that none of them is a link. On Linux it is held by a
 * handle, and every name in it is looked up through the handle: replacing the folder later has no effect. On
 * other systems the names are checked one by one, and again right before a change.
 */
export interface OpenFolder {
  /** Whether the folder is held by a handle: then names are looked up in the folder that was opened. */
  readonly isHeld: boolean;
  /** The path of a name in this folder for system calls; valid only in this process. */
  at(name: string): string;
  /** Checks the folder again. @throws PlaceRefusal if another folder, or a link, has replaced it */
  recheck(): void;
  close(): void;
}

interface OpenFolderOptions {
  /** Create missing folders, but never the guarded folder itself. */
  readonly make?: boolean;
  /** The mode of created folders. */
  readonly mode?: number;
  /** For tests: behave as on a system without folder handles. */
  readonly withoutHandles?: boolean;
}

/**
 * Linux's `O_PATH`: a handle for looking up names, which Node does not export. The same on every processor
 * Node supports.
 */
const O_PATH = 0o10_000_000;
const { O_DIRECTORY = 0, O_NOFOLLOW = 0 } = constants;
const HANDLES = '/proc/self/fd';
const HAS_HANDLES = process.platform === 'linux' && existsSync(HANDLES);

/**
 * Opens the folder at `names` below `root`. @throws PlaceRefusal if a name is a link or not a folder; the
 * system's error if there is none
 */
export function openFolder(
  root: string,
  names: readonly string[],
  options: OpenFolderOptions = {},
): OpenFolder {
  return HAS_HANDLES && options.withoutHandles !== true
    ? openByHandle(root, names, options)
    : openByPath(root, names, options);
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

function openByPath(root: string, names: readonly string[], options: OpenFolderOptions): OpenFolder {
  const paths = [root, ...names.map((_, index) => join(root, ...names.slice(0, index + 1)))];
  const folder = paths.at(-1) ?? root;
  const readIdentities = (): readonly string[] =>
    paths.map((path, index) => {
      const stats = index === 0 ? statSync(path, { bigint: true }) : lstatSync(path, { bigint: true });
      refuseOther(stats, path);
      return identityOf(stats);
    });
  if (options.make === true) {
    statSync(root);
    for (const path of paths.slice(1)) {
      const stats = lstatSync(path, { throwIfNoEntry: false });
      if (stats === undefined) makeOne(path, options, () => path);
      else refuseOther(stats, path);
    }
  }
  const before = readIdentities();
  return {
    isHeld: false,
    at: (name) => join(folder, name),
    recheck() {
      const now = readIdentities();
      if (now.some((identity, index) => identity !== before[index])) throw new PlaceRefusal('moved', folder);
    },
    close() {},
  };
}

/** @throws PlaceRefusal for anything but a folder */
function refuseOther(stats: Pick<BigIntStats, 'isSymbolicLink' | 'isDirectory'>, path: string): void {
  if (stats.isSymbolicLink()) throw new PlaceRefusal('link', path);
  if (!stats.isDirectory()) throw new PlaceRefusal('not a folder', path);
}

/** Identifies a file or folder by device and inode. */
function identityOf({ dev, ino }: Pick<BigIntStats, 'dev' | 'ino'>): string {
  return `${dev}:${ino}`;
}

function makeOne(at: string, { mode }: OpenFolderOptions, path: () => string): void {
  try {
    mkdirSync(at, { mode: mode ?? 0o777 });
  } catch (error) {
    // Another process created it in the meantime; opening it shows what it is.
    if (errnoOf(error) !== 'EEXIST') throw withKnownPath(error, at, path());
  }
}

/** Why a name on the way could not be opened as a folder. */
function folderRefusal(error: unknown, at: string, path: string): unknown {
  const code = errnoOf(error);
  if (code === 'ELOOP' || code === 'ENOTDIR') {
    const stats = lstatSync(at, { throwIfNoEntry: false });
    return new PlaceRefusal(stats?.isSymbolicLink() === true ? 'link' : 'not a folder', path);
  }
  return withKnownPath(error, at, path);
}

/** The system's error with the path that a user knows instead of the handle's path. */
export function withKnownPath(error: unknown, at: string, path: string): unknown {
  if (!(error instanceof Error) || !('path' in error) || error.path !== at) return error;
  error.message = error.message.replaceAll(at, path);
  error.path = path;
  return error;
}

/** Keeps a local copy of a read-only mount in an object store up to date, which cells read. */

import { randomBytes } from 'node:crypto';
import { readdir, stat } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import * as z from 'zod';
import { errnoOf, nullIfMissing } from '../../lib/atomicFile.ts';
import { moveTo, removeEmptyFolder, removeFile, removeTree } from '../../lib/guardedFolder/names.ts';
import { lstatAt, namesIn, readFileAt } from '../../lib/guardedFolder/read.ts';
import { replaceFile, setMode } from '../../lib/guardedFolder/replace.ts';
import { makePrivateFolder } from '../../lib/makePrivateFolder.ts';
import { copyNameOf } from '../copies.ts';
import type { Listing } from './listing.ts';
import type { ObjectStore, RemoteObject } from './objectStore.ts';

/** The objects that the copied files came from. An entry exists only while its file is complete. */
const mirrorState = z.object({
  objects: z.record(z.string(), z.object({ size: z.number(), etag: z.string(), modified: z.string() })),
  /** False while files change: a process killed then may have left files without entries. */
  whole: z.boolean().default(false),
});

const PART = '.part-';
/** The entry of a mount that is one object. */
const SINGLE = '\0single';
const AT_ONCE = 8;

/**
 * Runs `work` on each item, a few at a time; stops at the first failure, once the running ones have ended
 * too.
 */
export async function eachOf<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  let next = 0;
  const failures: unknown[] = [];
  const lane = async (): Promise<void> => {
    for (let at = next++; at < items.length && failures.length === 0; at = next++) {
      const item = items[at];
      if (item === undefined) continue;
      try {
        await work(item);
      } catch (error) {
        failures.push(error);
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, items.length) }, lane));
  if (failures.length > 0) throw failures[0];
}

/**
 * Maintains a local copy of a read-only remote mount: only changed objects are copied again. A file gets its
 * final name when it is complete, and its entry is removed from `state.json` before it is changed, so that
 * after a kill at any time no file is taken for another version. @returns the path a cell opens @throws
 * StoreProblem, or the disk's error
 */
export async function mirror(
  store: ObjectStore,
  listing: Extract<Listing, { kind: 'file' | 'folder' }>,
  options: { readonly cacheDir: string; readonly key: string; readonly signal: AbortSignal },
): Promise<string> {
  const dir = join(options.cacheDir, copyNameOf(options.key));
  const files = join(dir, 'files');
  const targets: ReadonlyMap<string, RemoteObject> =
    listing.kind === 'folder' ? listing.objects : new Map([[SINGLE, listing.object]]);
  const pathOf = (name: string) =>
    name === SINGLE
      ? join(dir, 'single', listing.kind === 'file' ? baseName(listing.object.key) : '')
      : join(files, name);
  makePrivateFolder(dir);
  const { known, whole } = await readState(dir);
  const changed: [string, RemoteObject][] = [];
  for (const [name, object] of targets) {
    if (!isCopyOf(known.get(name), object) || !(await hasSize(pathOf(name), object.size)))
      changed.push([name, object]);
  }
  const removals = [...known.keys()].filter((name) => !targets.has(name));
  if (changed.length + removals.length > 0 || !whole) {
    for (const [name] of changed) known.delete(name);
    for (const name of removals) known.delete(name);
    await writeState(dir, { known, whole: false });
    await sweep(dir);
    for (const name of removals) if (name !== SINGLE) await removeWithin(files, pathOf(name));
    if (!whole) await removeUnknown(files, known);
    if (removals.includes(SINGLE) || changed.some(([name]) => name === SINGLE)) {
      await removeTree(join(dir, 'single'));
    }
    const copied = eachOf(changed, async ([name, object]) => {
      const part = join(dir, `${PART}${randomBytes(6).toString('hex')}`);
      const path = pathOf(name);
      try {
        await store.download(object, part, options.signal);
        // Read-only: a cell that wrote to the copy would change what other cells read.
        setMode(part, 0o444);
        await makeRoom(files, path);
        moveTo(part, path);
      } finally {
        removeFile(part);
      }
      known.set(name, { size: object.size, etag: object.etag, modified: object.modified });
    });
    // Files that were copied before a failure need not be copied again.
    await copied.finally(() => writeState(dir, { known, whole: true }));
  }
  makePrivateFolder(files);
  return listing.kind === 'file' ? pathOf(SINGLE) : files;
}

type Copy = Pick<RemoteObject, 'size' | 'etag' | 'modified'>;

function isCopyOf(copy: Copy | undefined, object: RemoteObject): boolean {
  return copy !== undefined && copy.etag === object.etag && copy.size === object.size;
}

/** Creates the folder for a file: a former file may be a folder now, and the other way round. */
async function makeRoom(files: string, path: string): Promise<void> {
  const folders: string[] = [];
  for (let folder = dirname(path); folder.length > files.length; folder = dirname(folder)) {
    folders.unshift(folder);
  }
  for (const folder of folders) {
    const stats = lstatAt(folder);
    if (stats !== null && !stats.isDirectory()) removeFile(folder);
  }
  const there = lstatAt(path);
  if (there?.isDirectory() === true) await removeTree(path);
  makePrivateFolder(dirname(path));
}

async function hasSize(path: string, size: number): Promise<boolean> {
  return stat(path).then(
    (match) => match.isFile() && match.size === size,
    () => false,
  );
}

async function sweep(dir: string): Promise<void> {
  for (const name of namesIn(dir)) if (name.startsWith(PART)) removeFile(join(dir, name));
}

interface MirrorState {
  readonly known: Map<string, Copy>;
  readonly whole: boolean;
}

async function readState(dir: string): Promise<MirrorState> {
  try {
    const { objects, whole } = mirrorState.parse(
      JSON.parse((await readFileAt(join(dir, 'state.json'))).toString('utf8')),
    );
    return { known: new Map(Object.entries(objects)), whole };
  } catch (_lost) {
    // A cache without its state is copied again.
    return { known: new Map(), whole: false };
  }
}

async function writeState(dir: string, { known: objects, whole }: MirrorState): Promise<void> {
  const state: z.infer<typeof mirrorState> = { objects: Object.fromEntries(objects), whole };
  await replaceFile(join(dir, 'state.json'), JSON.stringify(state));
}

/** Deletes a file and the folders it leaves empty, because buckets have none. */
async function removeWithin(files: string, path: string): Promise<void> {
  removeFile(path);
  for (let folder = dirname(path); folder.length > files.length; folder = dirname(folder)) {
    try {
      removeEmptyFolder(folder);
    } catch (error) {
      const code = errnoOf(error);
      if (code === 'ENOTEMPTY' || code === 'EEXIST') return;
      // Already deleted, or replaced by a file that the bucket has instead of a folder.
      if (code !== 'ENOENT' && code !== 'ENOTDIR') throw error;
    }
  }
}

/** Deletes files without an entry: their writer was killed before it could add one. */
async function removeUnknown(files: string, copies: ReadonlyMap<string, Copy>): Promise<void> {
  const entries = (await readdir(files, { recursive: true, withFileTypes: true }).catch(nullIfMissing)) ?? [];
  for (const entry of entries) {
    if (entry.isDirectory()) continue;
    const path = join(entry.parentPath, entry.name);
    if (!copies.has(relative(files, path).replaceAll(sep, '/'))) await removeWithin(files, path);
  }
}

/** The last part of a key, as a file name: a cell sees it as `mount.name`. */
export function baseName(key: string): string {
  const name = key.split('/').at(-1) ?? '';
  const clean = name.replace(/[\\\0:]/g, '_');
  return clean === '' || clean === '.' || clean === '..' ? 'object' : clean;
}

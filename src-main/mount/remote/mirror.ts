import { randomBytes } from 'node:crypto';
import { chmod, mkdir, readdir, readFile, rename, rm, rmdir, stat } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import * as z from 'zod';
import { errnoOf, nullIfMissing, writeFileAtomic } from '../../lib/atomicFile.ts';
import { PRIVATE_FOLDER } from '../../lib/privateFiles.ts';
import { copyNameOf } from '../copies.ts';
import type { Listing } from './listing.ts';
import type { ObjectStore, RemoteObject } from './objectStore.ts';

/** What the mirror's files are copies of. An entry is written only while its file is whole. */
const mirrorState = z.object({
  objects: z.record(z.string(), z.object({ size: z.number(), etag: z.string(), modified: z.string() })),
  /** False while files change: whoever was killed then may have left some that nothing is said of. */
  whole: z.boolean().default(false),
});

const PART = '.part-';
/** The file of a mount that is one object. */
const SINGLE = '\0single';
const AT_ONCE = 8;

/** Runs `work` on each item, a few at a time; the first failure ends it, once what is under way has ended too. */
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
 * Keeps a local copy of what lies at a read-only remote mount, for as long as it is the same: only what changed is
 * copied again. A file gets its name when it is whole, and `state.json` forgets a file before it is touched, so that
 * a kill at any moment leaves nothing that is taken for something else.
 * @returns the path a cell opens
 * @throws StoreProblem, or the disk's error
 */
export async function mirror(
  store: ObjectStore,
  listing: Extract<Listing, { kind: 'file' | 'folder' }>,
  options: { readonly cacheDir: string; readonly key: string; readonly signal: AbortSignal },
): Promise<string> {
  const dir = join(options.cacheDir, copyNameOf(options.key));
  const files = join(dir, 'files');
  const wanted: ReadonlyMap<string, RemoteObject> =
    listing.kind === 'folder' ? listing.objects : new Map([[SINGLE, listing.object]]);
  const pathOf = (name: string) =>
    name === SINGLE
      ? join(dir, 'single', listing.kind === 'file' ? baseName(listing.object.key) : '')
      : join(files, name);
  await mkdir(dir, { recursive: true, mode: PRIVATE_FOLDER });
  const { known, whole } = await readState(dir);
  const changed: [string, RemoteObject][] = [];
  for (const [name, object] of wanted) {
    if (!isCopyOf(known.get(name), object) || !(await hasSize(pathOf(name), object.size)))
      changed.push([name, object]);
  }
  const gone = [...known.keys()].filter((name) => !wanted.has(name));
  if (changed.length + gone.length > 0 || !whole) {
    for (const [name] of changed) known.delete(name);
    for (const name of gone) known.delete(name);
    await writeState(dir, { known, whole: false });
    await sweep(dir);
    for (const name of gone) if (name !== SINGLE) await removeWithin(files, pathOf(name));
    if (!whole) await removeUnknown(files, known);
    if (gone.includes(SINGLE) || changed.some(([name]) => name === SINGLE)) {
      await rm(join(dir, 'single'), { recursive: true, force: true });
    }
    const copied = eachOf(changed, async ([name, object]) => {
      const part = join(dir, `${PART}${randomBytes(6).toString('hex')}`);
      const path = pathOf(name);
      try {
        await store.download(object, part, options.signal);
        // A cell that wrote into the copy would change what other cells read.
        await chmod(part, 0o444);
        await makeRoom(files, path);
        await rename(part, path);
      } finally {
        await rm(part, { force: true });
      }
      known.set(name, { size: object.size, etag: object.etag, modified: object.modified });
    });
    // What was copied before a failure need not be copied again.
    await copied.finally(() => writeState(dir, { known, whole: true }));
  }
  await mkdir(files, { recursive: true, mode: PRIVATE_FOLDER });
  return listing.kind === 'file' ? pathOf(SINGLE) : files;
}

type Copy = Pick<RemoteObject, 'size' | 'etag' | 'modified'>;

function isCopyOf(copy: Copy | undefined, object: RemoteObject): boolean {
  return copy !== undefined && copy.etag === object.etag && copy.size === object.size;
}

/** The folder for a file: what used to be a file may be a folder now, and the other way round. */
async function makeRoom(files: string, path: string): Promise<void> {
  const folders: string[] = [];
  for (let folder = dirname(path); folder.length > files.length; folder = dirname(folder)) {
    folders.unshift(folder);
  }
  for (const folder of folders) {
    const found = await stat(folder).catch(nullIfMissing);
    if (found !== null && !found.isDirectory()) await rm(folder, { force: true });
  }
  const there = await stat(path).catch(nullIfMissing);
  if (there?.isDirectory() === true) await rm(path, { recursive: true, force: true });
  await mkdir(dirname(path), { recursive: true, mode: PRIVATE_FOLDER });
}

async function hasSize(path: string, size: number): Promise<boolean> {
  return stat(path).then(
    (found) => found.isFile() && found.size === size,
    () => false,
  );
}

async function sweep(dir: string): Promise<void> {
  const parts = (await readdir(dir)).filter((name) => name.startsWith(PART));
  await Promise.all(parts.map((name) => rm(join(dir, name), { force: true })));
}

interface MirrorState {
  readonly known: Map<string, Copy>;
  readonly whole: boolean;
}

async function readState(dir: string): Promise<MirrorState> {
  try {
    const { objects, whole } = mirrorState.parse(JSON.parse(await readFile(join(dir, 'state.json'), 'utf8')));
    return { known: new Map(Object.entries(objects)), whole };
  } catch (_lost) {
    // A cache without its state is copied anew.
    return { known: new Map(), whole: false };
  }
}

async function writeState(dir: string, { known, whole }: MirrorState): Promise<void> {
  const state: z.infer<typeof mirrorState> = { objects: Object.fromEntries(known), whole };
  await writeFileAtomic(join(dir, 'state.json'), JSON.stringify(state));
}

/** Takes away a file and the folders it leaves empty: a bucket has none. */
async function removeWithin(files: string, path: string): Promise<void> {
  await rm(path, { force: true });
  for (let folder = dirname(path); folder.length > files.length; folder = dirname(folder)) {
    try {
      await rmdir(folder);
    } catch (error) {
      const code = errnoOf(error);
      if (code === 'ENOTEMPTY' || code === 'EEXIST') return;
      // Already gone, or a file by now that the bucket has there instead.
      if (code !== 'ENOENT' && code !== 'ENOTDIR') throw error;
    }
  }
}

/** Takes away what no state tells of: whoever put it there was killed before it could say what it is. */
async function removeUnknown(files: string, known: ReadonlyMap<string, Copy>): Promise<void> {
  const found = (await readdir(files, { recursive: true, withFileTypes: true }).catch(nullIfMissing)) ?? [];
  for (const entry of found) {
    if (entry.isDirectory()) continue;
    const path = join(entry.parentPath, entry.name);
    if (!known.has(relative(files, path).replaceAll(sep, '/'))) await removeWithin(files, path);
  }
}

/** The last part of a key, as the name of a file: what a cell sees as `mount.name`. */
export function baseName(key: string): string {
  const name = key.split('/').at(-1) ?? '';
  const clean = name.replace(/[\\\0:]/g, '_');
  return clean === '' || clean === '.' || clean === '..' ? 'object' : clean;
}

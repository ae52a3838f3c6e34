/** The working copy of a writable mount in an object store: a cell changes the copy, which is uploaded afterwards. */

import { readdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { errnoOf, nullIfMissing } from '../../lib/atomicFile.ts';
import { makePrivateFolder } from '../../lib/makePrivateFolder.ts';
import type { Listing } from './listing.ts';
import { baseName, eachOf } from './mirror.ts';
import { type ObjectStore, StoreProblem } from './objectStore.ts';

export interface StagedCopy {
  /** The path the cell opens. */
  readonly path: string;
  /** Uploads what the cell wrote; files it deleted stay in the store. @throws StoreProblem */
  writeBack(signal: AbortSignal): Promise<void>;
}

/**
 * A copy of a writable remote mount for one run: the cell works on the copy, and after it succeeded the new
 * or changed files are uploaded.
 */
export async function stage(
  store: ObjectStore,
  listing: Exclude<Listing, { kind: 'bad' }>,
  options: { readonly dir: string; readonly prefix: string; readonly signal: AbortSignal },
): Promise<StagedCopy> {
  const { dir, prefix, signal } = options;
  const isFile = listing.kind === 'file';
  const root = isFile ? join(dir, baseName(prefix)) : dir;
  makePrivateFolder(dir);
  const objects = listing.kind === 'folder' ? [...listing.objects] : [];
  if (isFile) await store.download(listing.object, root, signal);
  await eachOf(objects, async ([name, object]) => {
    const path = join(dir, name);
    makePrivateFolder(dirname(path));
    await store.download(object, path, signal);
  });
  const before = isFile ? new Map([['', await markOf(root)]]) : await marksBelow(dir);
  return {
    path: root,
    async writeBack(writing) {
      const now = isFile ? new Map([['', await markOf(root)]]) : await marksBelow(dir);
      const changed = [...now].filter(([name, mark]) => mark !== null && before.get(name) !== mark);
      let writtenCount = 0;
      await eachOf(changed, async ([name]) => {
        const key = name === '' ? prefix : prefix === '' ? name : `${prefix}/${name}`;
        try {
          await store.upload(name === '' ? root : join(dir, name), key, writing);
        } catch (error) {
          if (!(error instanceof StoreProblem)) throw error;
          throw new StoreProblem(
            `${error.message} ${writtenCount} of ${changed.length} changed files were written back before that.`,
          );
        }
        writtenCount += 1;
      });
    },
  };
}

function unreadable(path: string, error: unknown): unknown {
  const why = errnoOf(error);
  return why === null
    ? error
    : new StoreProblem(
        `What the cell wrote at ${path} cannot be read (${why}), so nothing was written back.`,
      );
}

/**
 * The marks of the plain files below a folder. Links are left out: one could lead anywhere, and cannot be stored in a
 * bucket.
 */
async function marksBelow(dir: string): Promise<Map<string, string | null>> {
  const marks = new Map<string, string | null>();
  const walk = async (folder: string, prefix: string): Promise<void> => {
    const entries = await readdir(folder, { withFileTypes: true }).catch((error: unknown) => {
      throw unreadable(folder, error);
    });
    for (const entry of entries) {
      const name = prefix + entry.name;
      if (entry.isDirectory()) await walk(join(folder, entry.name), `${name}/`);
      else if (entry.isFile()) marks.set(name, await markOf(join(folder, entry.name)));
    }
  };
  await walk(dir, '');
  return marks;
}

/**
 * The mark of a file, which changes with it; null if the file is missing.
 * @throws StoreProblem for any other error: treated as missing, the cell's output would be lost silently
 */
async function markOf(path: string): Promise<string | null> {
  const stats = await stat(path, { bigint: true })
    .catch(nullIfMissing)
    .catch((error: unknown) => {
      throw unreadable(path, error);
    });
  if (stats?.isDirectory()) throw new StoreProblem(`The cell replaced the file ${path} with a folder.`);
  return stats === null ? null : `${stats.size}:${stats.mtimeNs}:${stats.ino}`;
}

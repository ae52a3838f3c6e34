/** Lists, measures and removes a notebook's copies of external data. */

import { createHash } from 'node:crypto';
import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { errnoOf, nullIfMissing } from '../lib/atomicFile.ts';
import { moveTo, removeTree } from '../lib/guardedFolder/names.ts';
import { listFolder, readFileAt } from '../lib/guardedFolder/read.ts';
import { PlaceRefusal } from '../lib/guardedFolder/refusal.ts';
import type { NotebookFolder } from '../notebook/folder/notebookFolder.ts';
import { ownPath, ownPlace } from '../notebook/folder/ownPlaces.ts';
import { type DataItem, isWritable } from './dataItem.ts';

/**
 * A local copy of external data: of a read-only mount (`.svc/mount_cache`) or a fetched file (`.svc/fetch`). All can be
 * downloaded again; a copy is retained while a cell names its source.
 */
export interface Copy {
  readonly kind: 'mount' | 'fetch';
  /** The absolute path of the copy. */
  readonly path: string;
  readonly bytes: number;
  /** When it was downloaded or last compared with its source; milliseconds since the epoch. */
  readonly usedAtMs: number;
  /** Whether a cell or the notebook names its source. */
  readonly held: boolean;
}

/** The folder of a mount's copy below `.svc/mount_cache`. */
export function copyNameOf(mountKey: string): string {
  return createHash('sha256').update(mountKey).digest('hex').slice(0, 32);
}

/** The copies of a notebook. @param dir the notebook's folder @param items the data that its cells name now */
export async function listCopies(dir: NotebookFolder, items: readonly DataItem[]): Promise<readonly Copy[]> {
  const mounts = new Set(
    items.flatMap((item) => (item.kind === 'mount' && !isWritable(item) ? [copyNameOf(item.key)] : [])),
  );
  const digests = await heldDigests(dir, items);
  const copies: Copy[] = [];
  for (const [kind, folder, isInUse] of [
    ['mount', ownPath(dir, 'mountCache'), mounts],
    ['fetch', ownPath(dir, 'fetch'), digests],
  ] as const) {
    for (const name of foldersIn(folder)) {
      const path = join(folder, name);
      const { bytes, newestMs } = await sizeOfTree(path);
      copies.push({ kind, path, bytes, usedAtMs: newestMs, held: isInUse.has(name) });
    }
  }
  return copies;
}

/** Deletes copies; a partly deleted one is no longer used. @returns the freed bytes */
export async function removeCopies(copies: readonly Copy[]): Promise<number> {
  let bytes = 0;
  for (const copy of copies) {
    const trash = `${copy.path}.gone`;
    await removeTree(trash);
    moveTo(copy.path, trash);
    await removeTree(trash);
    bytes += copy.bytes;
  }
  return bytes;
}

/**
 * The bytes of the files in a tree, links not followed, and the last change of any of its folders or files.
 */
export async function sizeOfTree(
  path: string,
): Promise<{ readonly bytes: number; readonly newestMs: number }> {
  // Removed or unreadable entries count as nothing: the size is only informative.
  const info = await lstat(path).catch(nullIfRefused);
  if (info === null) return { bytes: 0, newestMs: 0 };
  if (!info.isDirectory()) return { bytes: info.isFile() ? info.size : 0, newestMs: info.ctimeMs };
  let bytes = 0;
  let newestMs = info.ctimeMs;
  const names = (await readdir(path).catch(nullIfRefused)) ?? [];
  const parts = await Promise.all(names.map((name) => sizeOfTree(join(path, name))));
  for (const part of parts) {
    bytes += part.bytes;
    newestMs = Math.max(newestMs, part.newestMs);
  }
  return { bytes, newestMs };
}

/** The digests that the cells' fetches refer to: pinned contents, and those in the index for their URLs. */
async function heldDigests(dir: NotebookFolder, items: readonly DataItem[]): Promise<ReadonlySet<string>> {
  const fetches = items.flatMap((item) => (item.kind === 'fetch' ? [item.fetch] : []));
  const digests = new Set(fetches.flatMap(({ sha256 }) => (sha256 === null ? [] : [sha256])));
  const text = await readIndexText(dir);
  const index = recordOf(text);
  for (const { url } of fetches) {
    const entry = recordOf(index[url]);
    if (typeof entry['sha256'] === 'string') digests.add(entry['sha256']);
  }
  return digests;
}

/** A damaged index counts as empty, as in the fetcher. */
function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  try {
    const parsed: unknown = typeof value === 'string' ? JSON.parse(value) : value;
    return typeof parsed === 'object' && parsed !== null ? { ...parsed } : {};
  } catch (error) {
    if (error instanceof SyntaxError) return {};
    throw error;
  }
}

/** A link in place of a folder is skipped: its target is not ours. */
function foldersIn(folder: string): readonly string[] {
  try {
    return listFolder(folder).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []));
  } catch (error) {
    if (error instanceof PlaceRefusal) return [];
    throw error;
  }
}

async function readIndexText(dir: NotebookFolder): Promise<string | null> {
  try {
    return (await readFileAt(ownPlace(dir, 'fetch', 'index.json'))).toString('utf8');
  } catch (error) {
    return error instanceof PlaceRefusal ? null : nullIfMissing(error);
  }
}

function nullIfRefused(error: unknown): null {
  if (errnoOf(error) === 'EACCES' || errnoOf(error) === 'EPERM') return null;
  return nullIfMissing(error);
}

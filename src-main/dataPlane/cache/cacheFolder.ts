/** The files of the row-group cache on disk: finds, checks, writes and removes entries. */

import { randomBytes } from 'node:crypto';
import {
  type FileHandle,
  mkdir,
  open,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { PRIVATE_FILE, PRIVATE_FOLDER } from '../../lib/privateFiles.ts';
import { killPoint } from '../planeSteps.ts';
import { tenantFolder } from './cacheKey.ts';
import { type EntryLayout, layoutOf } from './entryLayout.ts';
import { ChangedEntry } from './openEntry.ts';

/** The version of the cache's folder layout. */
export const CACHE_VERSION = 'v4';
const DATA = '.arrowstream';
const META = '.meta.json';
const MAX_CONCURRENT_CHECKS = 64;

/** The description of an entry, without its bytes. */
export const entryMeta = z.object({
  table_id: z.string(),
  snapshot_id: z.string(),
  file_path: z.string(),
  row_group_id: z.int(),
  columns: z.array(z.string()).nullable(),
  num_rows: z.int(),
  size_bytes: z.int(),
  /** Epoch seconds. */
  created_at: z.number(),
});
export type EntryMeta = z.infer<typeof entryMeta>;

export interface StoredEntry {
  readonly key: string;
  /** The first digits of the hash of the tenant. */
  readonly folder: string;
  readonly meta: EntryMeta;
  /** The checked layout; null if the messages in the file have not been read yet. */
  readonly checked: CheckedFiles | null;
}

/** The state of an entry's files when they were last read and found valid. */
interface CheckedFiles {
  /** Sizes, times and inodes. */
  readonly stamp: string;
  readonly layout: EntryLayout;
}

/** An entry that is complete and valid. */
export type ValidEntry = StoredEntry & { readonly checked: CheckedFiles };

/** An entry while it is written. Nothing is visible before `finish`. */
export interface NewEntry {
  write(bytes: Uint8Array): Promise<void>;
  /** @throws ChangedEntry if its files are not what was written, for example because another server removed them */
  finish(meta: Omit<EntryMeta, 'size_bytes'>): Promise<ValidEntry>;
  abandon(): Promise<void>;
}

/** The files of the cache: v4/<tenant>/<2 digits>/<2 digits>/<key>.arrowstream, each with a .meta.json. */
export class CacheFolder {
  readonly root: string;

  constructor(cacheDir: string) {
    this.root = join(cacheDir, CACHE_VERSION);
  }

  /** Prepares the folder, removes files that other versions and killed servers left, and lists the entries. */
  async open(): Promise<readonly StoredEntry[]> {
    await mkdir(this.root, { recursive: true, mode: PRIVATE_FOLDER });
    await removeOtherVersions(join(this.root, '..'));
    const entries: StoredEntry[] = [];
    const names = await readdir(this.root, { recursive: true, withFileTypes: true });
    const files = names.filter((name) => name.isFile());
    const present = new Set(files.map(({ name }) => name));
    const look = async ({ name, parentPath }: (typeof files)[number]): Promise<void> => {
      const path = join(parentPath, name);
      const key = name.split('.', 1)[0] ?? '';
      if (name.endsWith('.tmp')) return removeOldDraft(path);
      if (!present.has(key + DATA)) return rm(path, { force: true });
      if (!name.endsWith(DATA)) return;
      const folder = path.slice(this.root.length + 1).split(/[/\\]/)[0] ?? '';
      const entry = await this.#look(key, folder);
      if (entry === null) await rm(path, { force: true });
      else entries.push(entry);
    };
    for (let at = 0; at < files.length; at += MAX_CONCURRENT_CHECKS) {
      await Promise.all(files.slice(at, at + MAX_CONCURRENT_CHECKS).map(look));
    }
    return entries;
  }

  pathOf(key: string, folder: string): string {
    return join(this.root, folder, key.slice(0, 2), key.slice(2, 4), `${key}${DATA}`);
  }

  /**
   * The entry on disk, complete and valid, or null. A damaged entry is removed.
   * @param known what this returned before: files that have not changed since are not read again
   */
  async find(key: string, folder: string, known: StoredEntry | null): Promise<ValidEntry | null> {
    const path = this.pathOf(key, folder);
    const before = await stampOf(path);
    const checked = known?.checked ?? null;
    if (known !== null && checked !== null && checked.stamp === before) return { ...known, checked };
    const entry = before === null ? null : await this.#look(key, folder);
    if (before === null || entry === null) return null;
    const layout = await readLayout(path, entry.meta);
    if (layout !== null) return { ...entry, checked: { stamp: before, layout } };
    await this.remove({ key, folder });
    return null;
  }

  /** The description of an entry, and whether its file has the right size and end. */
  async #look(key: string, folder: string): Promise<StoredEntry | null> {
    const path = this.pathOf(key, folder);
    try {
      const meta = entryMeta.parse(JSON.parse(await readFile(metaPathOf(path), 'utf8')));
      if (await isComplete(path, meta.size_bytes)) return { key, folder, meta, checked: null };
    } catch (error) {
      if (isMissing(error)) return null;
      if (!(error instanceof SyntaxError) && !(error instanceof z.ZodError)) throw error;
    }
    await this.remove({ key, folder });
    return null;
  }

  async create(key: string, tenant: string): Promise<NewEntry> {
    const folder = tenantFolder(tenant);
    const path = this.pathOf(key, folder);
    await mkdir(join(path, '..'), { recursive: true, mode: PRIVATE_FOLDER });
    const draft = `${path}.${randomBytes(6).toString('hex')}.tmp`;
    const file = await open(draft, 'wx', PRIVATE_FILE);
    killPoint('entry_begun');
    let size = 0;
    const abandon = async (): Promise<void> => {
      await closeQuietly(file);
      await rm(draft, { force: true });
      await rm(`${draft}.meta.tmp`, { force: true });
    };
    return {
      async write(bytes) {
        size += bytes.byteLength;
        await file.writeFile(bytes);
        killPoint('entry_written');
      },
      async finish(about) {
        await file.sync();
        await file.close();
        killPoint('entry_synced');
        const meta = { ...about, size_bytes: size };
        const metaDraft = `${draft}.meta.tmp`;
        await writeFile(metaDraft, JSON.stringify(meta), { mode: PRIVATE_FILE, flush: true });
        // The data is written last: a file without a description would not be an entry.
        await rename(metaDraft, metaPathOf(path));
        killPoint('entry_described');
        await rename(draft, path);
        killPoint('entry_placed');
        const [stamp, layout] = [await stampOf(path), await readLayout(path, meta)];
        if (stamp === null || layout === null) throw new ChangedEntry();
        return { key, folder, meta, checked: { stamp, layout } };
      },
      abandon,
    };
  }

  async remove({ key, folder }: Pick<StoredEntry, 'key' | 'folder'>): Promise<void> {
    const path = this.pathOf(key, folder);
    await rm(path, { force: true });
    killPoint('entry_removed');
    await rm(metaPathOf(path), { force: true });
  }
}

function metaPathOf(path: string): string {
  return path.slice(0, -DATA.length) + META;
}

/** A newer draft may still be written by another server. */
const OLD_DRAFT_MS = 3_600_000;

async function removeOldDraft(path: string): Promise<void> {
  const draft = await stat(path).catch((error: unknown) => {
    if (isMissing(error)) return null;
    throw error;
  });
  if (draft !== null && Date.now() - draft.mtimeMs > OLD_DRAFT_MS) await rm(path, { force: true });
}

/** Null: one of the two files of an entry is missing. */
async function stampOf(path: string): Promise<string | null> {
  try {
    const files = await Promise.all([stat(path), stat(metaPathOf(path))]);
    return files.map(({ size, mtimeMs, ino }) => `${size} ${mtimeMs} ${ino}`).join(' ');
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

async function readLayout(path: string, meta: EntryMeta): Promise<EntryLayout | null> {
  const file = await open(path, 'r');
  try {
    return await layoutOf(file, { size: meta.size_bytes, rows: meta.num_rows });
  } finally {
    await file.close();
  }
}

const CONTINUATION = Buffer.from([0xff, 0xff, 0xff, 0xff]);
const END = Buffer.from([0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0]);

/** An Arrow stream begins with a mark and ends with one, and has the size that was written. */
async function isComplete(path: string, size: number): Promise<boolean> {
  if ((await stat(path)).size !== size || size < CONTINUATION.length + END.length) return false;
  const file = await open(path, 'r');
  try {
    const head = Buffer.alloc(CONTINUATION.length);
    const tail = Buffer.alloc(END.length);
    await file.read(head, 0, head.length, 0);
    await file.read(tail, 0, tail.length, size - tail.length);
    return head.equals(CONTINUATION) && tail.equals(END);
  } finally {
    await file.close();
  }
}

/** Folders of other versions of the cache, if they contain only cache files. */
async function removeOtherVersions(cacheDir: string): Promise<void> {
  for (const { name } of await readdir(cacheDir, { withFileTypes: true })) {
    if (!/^v\d+$/.test(name) || name === CACHE_VERSION) continue;
    const inside = await readdir(join(cacheDir, name), { recursive: true, withFileTypes: true });
    const isOurs = inside.every(
      (entry) => entry.isDirectory() || entry.name.endsWith(DATA) || entry.name.endsWith(META),
    );
    if (isOurs) await rm(join(cacheDir, name), { recursive: true, force: true });
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}

async function closeQuietly(file: FileHandle): Promise<void> {
  try {
    await file.close();
  } catch (error) {
    // The handle may already be closed.
    if (!(error instanceof Error && 'code' in error && error.code === 'EBADF')) throw error;
  }
}

/** Reads the Python modules in a notebook's folder and what they import, because they are part of cells' cache keys. */

import { createHash } from 'node:crypto';
import { type BigIntStats, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { errnoOf } from '../../lib/atomicFile.ts';
import { createSerialRunner } from '../../lib/serialRunner.ts';
import type { NotebookFolder } from '../../notebook/folder/notebookFolder.ts';
import type { PythonAnalysis } from '../python/analyzer.ts';
import { absoluteName, type ModuleFacts, type ModuleFile, placesOf, sameFacts } from './closure.ts';
import { type AskInstalled, readStars, starExportsOf } from './starNames.ts';

/** Reads the modules of a folder that Python would import; reads unchanged files once. */
export interface ModuleReader {
  /**
   * Every module these names lead to. Returns the same object as before if nothing has changed, so that callers can
   * compare by reference.
   * @param stars modules imported with a star, whose names to read
   */
  read(names: ReadonlySet<string>, stars?: ReadonlySet<string>): Promise<ModuleFacts>;
}

export interface ModuleReaderOptions {
  readonly dir: NotebookFolder;
  readonly analyze: (
    source: string,
  ) => Pick<PythonAnalysis, 'parsed' | 'normalized' | 'moduleNames' | 'defines' | 'unseen'>;
  /** Absent: no interpreter is asked. */
  readonly askInstalled?: AskInstalled;
  /** Epoch milliseconds. */
  readonly now?: () => number;
}

/** A file written this recently may be written again within the same tick of the file system's clock. */
const UNSURE_MS = 50;

/** No hand-written module is larger. A larger file is identified by size and time, and not read. */
const MAX_BYTES = 8n << 20n;

interface CachedFile {
  readonly stamp: string;
  readonly file: ModuleFile;
  /** Read so soon after it was written that an equal modification time proves nothing. */
  readonly isUnsure: boolean;
}

/**
 * One folder's modules. A check costs a few system calls per module that exists, and one for all that do not: a name
 * without a file is looked up again only when the folder's modification time changes.
 */
export function createModuleReader({
  dir,
  analyze,
  askInstalled = async () => null,
  now = Date.now,
}: ModuleReaderOptions): ModuleReader {
  const cache = new Map<string, CachedFile>();
  /** Top-level names without a file or folder when the folder's stamp was `absentAt`. */
  let absent = new Set<string>();
  let absentAt = '';
  let last: ModuleFacts | null = null;
  const inTurn = createSerialRunner();

  const fileAt = async (path: string): Promise<ModuleFile | null> => {
    const stats = statOf(join(dir, path));
    if (stats === null || !stats.isFile()) {
      cache.delete(path);
      return null;
    }
    const stamp = stampOf(stats);
    const before = cache.get(path);
    if (before !== undefined && before.stamp === stamp && !before.isUnsure) return before.file;
    const readAt = now();
    const file = stats.size > MAX_BYTES ? unreadFile(path, stamp) : await readFileAt(path, stamp);
    if (file === null) return null;
    cache.set(path, { stamp, file, isUnsure: readAt - Number(stats.mtimeMs) < UNSURE_MS });
    return file;
  };

  /**
   * Reads and analyzes a file; null if it was removed meanwhile. An unreadable file still exists: importing it fails.
   */
  const readFileAt = async (path: string, stamp: string): Promise<ModuleFile | null> => {
    try {
      return fileOf(path, await readFile(join(dir, path)), analyze);
    } catch (error) {
      const code = errnoOf(error);
      if (code === null) throw error;
      return code === 'ENOENT' ? null : unreadFile(path, `${stamp} ${code}`);
    }
  };

  /** The files a name leads to that are not in `files` yet, outermost first. Notes top-level names without any file. */
  const follow = async (name: string, files: Map<string, ModuleFile>): Promise<ModuleFile[]> => {
    const fresh: ModuleFile[] = [];
    for (const [depth, place] of placesOf(name).entries()) {
      if (depth === 0 && absent.has(place.folder)) break;
      const [inPackage, asModule] = [files.get(place.package), files.get(place.module)];
      const file = inPackage ?? asModule ?? (await fileAt(place.package)) ?? (await fileAt(place.module));
      if (file === null) {
        if (statOf(join(dir, place.folder))?.isDirectory()) continue;
        if (depth === 0) absent.add(place.folder);
        break;
      }
      if (!files.has(file.path)) {
        files.set(file.path, file);
        fresh.push(file);
      }
      if (file.path === place.module) break;
    }
    return fresh;
  };

  const scanFolder = async (names: ReadonlySet<string>, stars: ReadonlySet<string>): Promise<ModuleFacts> => {
    const folder = statOf(dir);
    const stamp = folder === null ? '' : stampOf(folder);
    const isSure = folder !== null && now() - Number(folder.mtimeMs) >= UNSURE_MS;
    if (stamp !== absentAt || !isSure) absent = new Set();
    absentAt = stamp;
    const files = new Map<string, ModuleFile>();
    const visited = new Set<string>();
    const pending = [...names].filter((name) => !name.startsWith('.'));
    for (let name = pending.pop(); name !== undefined; name = pending.pop()) {
      if (visited.has(name)) continue;
      visited.add(name);
      for (const file of await follow(name, files)) pending.push(...file.imports);
    }
    const starFacts = stars.size === 0 ? {} : { stars: await readStars(stars, files, askInstalled) };
    const facts: ModuleFacts = { files, asked: new Set(names), ...starFacts };
    if (last === null || !sameFacts(last, facts)) last = facts;
    return last;
  };

  return {
    read: (names, stars = new Set()) => inTurn(() => scanFolder(names, stars)),
  };
}

/**
 * The stats of a path; null for one that cannot be read for any reason: Python's own search skips it too. Synchronous,
 * because it is called before and after every run and the thread pool would take ten times as long.
 */
function statOf(path: string): BigIntStats | null {
  try {
    return statSync(path, { bigint: true, throwIfNoEntry: false }) ?? null;
  } catch (_unreadable) {
    return null;
  }
}

function stampOf({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): string {
  return `${dev} ${ino} ${size} ${mtimeNs} ${ctimeNs}`;
}

function unreadFile(path: string, stamp: string): ModuleFile {
  return { path, digest: createHash('sha256').update(`unread\0${stamp}`).digest('hex'), imports: [] };
}

function fileOf(path: string, bytes: Buffer, analyze: ModuleReaderOptions['analyze']): ModuleFile {
  const text = bytes.toString('utf8');
  const analysis = analyze(text);
  // A file that is not UTF-8, or newer than the grammar, is identified by its bytes.
  const meaning = analysis.parsed && !text.includes('\ufffd') ? `module\0${analysis.normalized}` : bytes;
  const imports = analysis.moduleNames.map((name) => absoluteName(path, name));
  return {
    path,
    digest: createHash('sha256').update(meaning).digest('hex'),
    imports: imports.filter((name): name is string => name !== null),
    star: starExportsOf(path, analysis),
  };
}

import { createHash } from 'node:crypto';
import { type BigIntStats, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { errnoOf } from '../../lib/atomicFile.ts';
import { createInTurn } from '../../lib/inTurn.ts';
import type { PythonAnalysis } from '../python/analyzer.ts';
import { absoluteName, type ModuleFacts, type ModuleFile, placesOf, sameFacts } from './closure.ts';
import { type AskInstalled, readStars, starGiftOf } from './starNames.ts';

/** Reads what of a folder Python would import; remembers what did not change. */
export interface ModuleReader {
  /**
   * Everything these names lead to. The very facts given before where nothing has changed, so that they can be
   * compared by reference.
   * @param stars modules imported with a star, whose names are wanted
   */
  read(names: ReadonlySet<string>, stars?: ReadonlySet<string>): Promise<ModuleFacts>;
}

export interface ModuleReaderOptions {
  readonly dir: string;
  readonly analyze: (
    source: string,
  ) => Pick<PythonAnalysis, 'parsed' | 'normalized' | 'moduleNames' | 'defines' | 'unseen'>;
  /** Absent: nothing is asked of any interpreter. */
  readonly askInstalled?: AskInstalled;
  /** Epoch milliseconds. */
  readonly now?: () => number;
}

/** A file written this shortly before it was looked at may be written again within the same tick of its clock. */
const UNSURE_MS = 50;

/** No module a person wrote is larger: what is, counts by its size and time and is not read. */
const MOST_BYTES = 8n << 20n;

interface Known {
  readonly stamp: string;
  readonly file: ModuleFile;
  /** Read so shortly after it was written that its time of writing proves nothing. */
  readonly isUnsure: boolean;
}

/**
 * One folder's modules. Looking costs a few questions to the system a module that is there and one for all that are
 * not: a name that no file stood for is asked again only when the folder's own time changes.
 */
export function createModuleReader({
  dir,
  analyze,
  askInstalled = async () => null,
  now = Date.now,
}: ModuleReaderOptions): ModuleReader {
  const known = new Map<string, Known>();
  /** Top-level names nothing stood for when the folder had `absentAt`. */
  let absent = new Set<string>();
  let absentAt = '';
  let last: ModuleFacts | null = null;
  const inTurn = createInTurn();

  const fileAt = async (path: string): Promise<ModuleFile | null> => {
    const found = look(join(dir, path));
    if (found === null || !found.isFile()) {
      known.delete(path);
      return null;
    }
    const stamp = stampOf(found);
    const before = known.get(path);
    if (before !== undefined && before.stamp === stamp && !before.isUnsure) return before.file;
    const readAt = now();
    const file = found.size > MOST_BYTES ? unreadFile(path, stamp) : await readFileAt(path, stamp);
    if (file === null) return null;
    known.set(path, { stamp, file, isUnsure: readAt - Number(found.mtimeMs) < UNSURE_MS });
    return file;
  };

  /** Null where it went meanwhile. One that may not be read is there all the same: importing it fails. */
  const readFileAt = async (path: string, stamp: string): Promise<ModuleFile | null> => {
    try {
      return fileOf(path, await readFile(join(dir, path)), analyze);
    } catch (error) {
      const code = errnoOf(error);
      if (code === null) throw error;
      return code === 'ENOENT' ? null : unreadFile(path, `${stamp} ${code}`);
    }
  };

  /** The files a name leads to, outermost first; whether anything at all stands at its first part. */
  const follow = async (name: string, files: Map<string, ModuleFile>): Promise<ModuleFile[]> => {
    const fresh: ModuleFile[] = [];
    for (const [depth, place] of placesOf(name).entries()) {
      if (depth === 0 && absent.has(place.folder)) break;
      const [inPackage, asModule] = [files.get(place.package), files.get(place.module)];
      const file = inPackage ?? asModule ?? (await fileAt(place.package)) ?? (await fileAt(place.module));
      if (file === null) {
        if (look(join(dir, place.folder))?.isDirectory()) continue;
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

  const read = async (names: ReadonlySet<string>, stars: ReadonlySet<string>): Promise<ModuleFacts> => {
    const folder = look(dir);
    const stamp = folder === null ? '' : stampOf(folder);
    const isSure = folder !== null && now() - Number(folder.mtimeMs) >= UNSURE_MS;
    if (stamp !== absentAt || !isSure) absent = new Set();
    absentAt = stamp;
    const files = new Map<string, ModuleFile>();
    const seen = new Set<string>();
    const pending = [...names].filter((name) => !name.startsWith('.'));
    for (let name = pending.pop(); name !== undefined; name = pending.pop()) {
      if (seen.has(name)) continue;
      seen.add(name);
      for (const file of await follow(name, files)) pending.push(...file.imports);
    }
    const given = stars.size === 0 ? {} : { stars: await readStars(stars, files, askInstalled) };
    const facts: ModuleFacts = { files, asked: new Set(names), ...given };
    if (last === null || !sameFacts(last, facts)) last = facts;
    return last;
  };

  return {
    read: (names, stars = new Set()) => inTurn(() => read(names, stars)),
  };
}

/**
 * What cannot be looked at is not there for Python's own search either, whatever the system's reason. Asked before and
 * after every run: at once, which takes a tenth of what it would by way of the thread pool.
 */
function look(path: string): BigIntStats | null {
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
  // What is no UTF-8, or newer than the grammar, means what its bytes are.
  const meaning = analysis.parsed && !text.includes('\ufffd') ? `module\0${analysis.normalized}` : bytes;
  const imports = analysis.moduleNames.map((name) => absoluteName(path, name));
  return {
    path,
    digest: createHash('sha256').update(meaning).digest('hex'),
    imports: imports.filter((name): name is string => name !== null),
    star: starGiftOf(path, analysis),
  };
}

/** The local history of a notebook: the texts that its cells had in the last thirty days, in `.svc/history`. */

import { type CellId, isCellId } from '../../../src-shared/notebook/ids.ts';
import { makeFolderAt, removeTree, setAside } from '../../lib/guardedFolder/names.ts';
import { type Place, placeUnder } from '../../lib/guardedFolder/place.ts';
import { lstatAt, namesIn } from '../../lib/guardedFolder/read.ts';
import { PlaceRefusal } from '../../lib/guardedFolder/refusal.ts';
import { copyAside } from '../../lib/guardedFolder/replace.ts';
import { createSerialRunner } from '../../lib/serialRunner.ts';
import { hexStemOf, idOfHexStem } from '../file/cellFileNames.ts';
import type { NotebookFolder } from '../folder/notebookFolder.ts';
import { ownName, ownPlace } from '../folder/ownPlaces.ts';
import {
  appendVersions,
  type CellVersion,
  digestOf,
  lineOf,
  readVersions,
  rewriteVersions,
  toVersion,
  type VersionFile,
} from './cellVersions.ts';

/** Which text of a cell it is: its source, its tests, or its own settings in notebook.toml. */
type HistoryPart = 'source' | 'tests' | 'settings';

/**
 * Identifies the file for one part of one cell: the stem of the cell's id, with the part unless it is the
 * source.
 */
type Stem = string;

function stemOf(id: CellId, part: HistoryPart): Stem {
  const stem = hexStemOf(id);
  return part === 'source' ? stem : `${stem}.${part}`;
}

/** A text a cell has now. */
interface NotedText {
  readonly text: string;
  readonly why: CellVersion['why'];
  readonly author: string | null;
  /** The previous text, for a history that does not contain it yet. */
  readonly before: string | null;
}

/**
 * The local history of a notebook's cells: their texts of the last thirty days, in `.svc/history`, including
 * deleted cells. Nothing waits for it or fails because of it: a history that cannot be written is reported
 * and skipped. Saves close to each other become one version. The newest text is stored after a while, or by
 * `flush`; a kill before that loses only this text, and the cell's file has it.
 */
export interface CellHistory {
  note(id: CellId, text: NotedText, part?: HistoryPart): void;
  /** The versions of a cell, newest first. `problem`: a message about parts that could not be read or written. */
  list(
    id: CellId,
    part?: HistoryPart,
  ): Promise<{ readonly versions: readonly CellVersion[]; readonly problem: string | null }>;
  /** The text of a version, null if there is none. */
  read(
    id: CellId,
    version: string,
    part?: HistoryPart,
  ): Promise<{ readonly version: CellVersion; readonly text: string } | null>;
  /** Every cell with a history, with the newest version of its source. */
  cells(): Promise<readonly { readonly id: CellId; readonly last: CellVersion; readonly text: string }[]>;
  /** Resolves when everything noted is on disk or was reported as failed. */
  flush(): Promise<void>;
}

interface HistoryOptions {
  readonly onError: (error: unknown) => void;
  readonly now?: () => number;
  readonly limits?: Partial<HistoryLimits>;
}

export interface HistoryLimits {
  /** How long a version is stored. */
  readonly ageMs: number;
  /** Edits closer to each other than this become one version. */
  readonly togetherMs: number;
  readonly bytesPerCell: number;
  readonly bytes: number;
}

const DAY_MS = 86_400_000;
const HISTORY_LIMITS: HistoryLimits = {
  ageMs: 30 * DAY_MS,
  togetherMs: 30_000,
  bytesPerCell: 8 * 1024 * 1024,
  bytes: 128 * 1024 * 1024,
};
/** A text and when it was noted. */
type TimedText = NotedText & { readonly atMs: number };

/** The state of a cell's file without its texts, and the text that waits to become a version. */
interface Known {
  newest: { readonly sha: string; readonly at: number; readonly why: CellVersion['why'] } | null;
  oldestMs: number | null;
  shas: Set<string>;
  wholeBytes: number;
  pending: { readonly noted: TimedText; readonly timer: NodeJS.Timeout } | null;
  isPruned: boolean;
  problem: string | null;
}

function knownOf(file: VersionFile): Known {
  const newest = file.lines.at(-1) ?? null;
  return {
    newest,
    oldestMs: file.lines[0]?.at ?? null,
    shas: new Set(file.texts.keys()),
    wholeBytes: file.wholeBytes,
    pending: null,
    isPruned: false,
    problem: null,
  };
}

export function createCellHistory(dir: NotebookFolder, options: HistoryOptions): CellHistory {
  const folder = ownPlace(dir, 'history');
  const now = options.now ?? Date.now;
  const limits = { ...HISTORY_LIMITS, ...options.limits };
  const cells = new Map<Stem, Known>();
  let isPruned = false;
  const inTurn = createSerialRunner();
  const fileOf = (stem: Stem): Place => placeUnder(folder, `${stem}.jsonl`);

  /** Reads a cell's file; damaged parts are set aside, and the rest is rewritten. */
  const readFile = async (stem: Stem): Promise<{ file: VersionFile; problem: string | null }> => {
    refuseLink(folder);
    const place = fileOf(stem);
    const file = await readVersions(place);
    if (file.damaged === 0) return { file, problem: null };
    if (lstatAt(place)?.isFile() === true) await copyAside(place);
    else await setAside(place);
    return { file: await rewriteVersions(place, file), problem: damagedMessage(file.damaged, stem) };
  };

  const load = async (stem: Stem): Promise<Known> => {
    const cell = cells.get(stem);
    if (cell !== undefined) return cell;
    const { file, problem } = await readFile(stem);
    const fresh = { ...knownOf(file), problem };
    cells.set(stem, fresh);
    return fresh;
  };

  const append = async (stem: Stem, cell: Known, entry: TimedText): Promise<void> => {
    const { atMs } = entry;
    const texts: { readonly atMs: number; readonly of: Pick<NotedText, 'text' | 'why' | 'author'> }[] = [];
    const { before } = entry;
    // A history that starts here, or has a gap, also gets the previous text.
    if (before !== null && before !== entry.text && cell.newest?.sha !== digestOf(before)) {
      texts.push({ atMs: atMs - 1, of: { text: before, why: 'edit', author: null } });
    }
    const isThere = texts.length === 0 && cell.newest?.sha === digestOf(entry.text);
    if (!isThere || entry.why === 'deleted') texts.push({ atMs, of: entry });
    const shas = new Set(cell.shas);
    const lines = texts.map(({ atMs: at, of: { text, why, author } }) => {
      const line = lineOf({ atMs: at, why, author }, text, shas.has(digestOf(text)));
      shas.add(line.sha);
      return line;
    });
    const newest = lines.at(-1);
    if (newest === undefined) return;
    refuseLink(folder);
    makeFolderAt(folder);
    const wholeBytes = await appendVersions(fileOf(stem), cell.wholeBytes, lines);
    if (wholeBytes === null) {
      // The file was truncated or removed: it is read again and continued.
      Object.assign(cell, knownOf((await readFile(stem)).file));
      return append(stem, cell, entry);
    }
    if (cell.problem?.startsWith(UNWRITTEN) === true) cell.problem = null;
    Object.assign(cell, { newest, shas, wholeBytes, oldestMs: cell.oldestMs ?? lines[0]?.at ?? null });
    await pruneCell(stem, cell);
  };

  /** Removes outdated versions, once a session, and the older half of an oversized file. */
  const pruneCell = async (stem: Stem, cell: Known): Promise<void> => {
    const oldest = now() - limits.ageMs;
    const isMuch = cell.wholeBytes > limits.bytesPerCell;
    const isOld = !cell.isPruned && (cell.oldestMs ?? oldest) < oldest;
    cell.isPruned = true;
    if (!isMuch && !isOld) return;
    const { file } = await readFile(stem);
    let lines = file.lines.filter(({ at }) => at >= oldest);
    if (isMuch) lines = lines.slice(Math.floor(lines.length / 2));
    const { pending, problem } = cell;
    const fresh = knownOf(await rewriteVersions(fileOf(stem), { ...file, lines }));
    Object.assign(cell, fresh, { pending, problem, isPruned: true });
  };

  /**
   * Once a session: removes files unchanged for thirty days, and the least recently changed of an oversized
   * folder.
   */
  const pruneFolder = async (): Promise<void> => {
    if (isPruned) return;
    isPruned = true;
    refuseLink(folder);
    const files = namesIn(folder).flatMap((name) => {
      const place = placeUnder(folder, name);
      const stats = lstatAt(place);
      return stats === null ? [] : [{ place, mtimeMs: stats.mtimeMs, size: stats.size }];
    });
    let bytes = 0;
    for (const { place, mtimeMs, size } of files.toSorted((a, b) => b.mtimeMs - a.mtimeMs)) {
      bytes += size;
      if (mtimeMs < now() - limits.ageMs || bytes > limits.bytes) await removeTree(place);
    }
  };

  const write = async (stem: Stem): Promise<void> => {
    const cell = cells.get(stem);
    if (cell?.pending == null) return;
    clearTimeout(cell.pending.timer);
    const { noted: notedText } = cell.pending;
    cell.pending = null;
    await attempt(stem, cell, notedText);
  };

  const attempt = async (stem: Stem, cell: Known, entry: TimedText): Promise<void> => {
    try {
      await append(stem, cell, entry);
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      cell.problem = `${UNWRITTEN} ${message}. The cell itself is saved. Free some space, or make ${ownName('history')} writable.`;
      options.onError(error);
    }
  };

  const take = async (stem: Stem, entry: TimedText): Promise<void> => {
    await pruneFolder();
    const cell = await load(stem);
    const { newest } = cell;
    // A text may wait only if it follows the newest version or the waiting text: otherwise an intermediate
    // text would be lost.
    const goesOn =
      entry.why === 'edit' &&
      newest?.why === 'edit' &&
      (entry.before === null ||
        entry.before === cell.pending?.noted.text ||
        digestOf(entry.before) === newest.sha);
    const waits = goesOn ? newest.at + limits.togetherMs - entry.atMs : 0;
    if (cell.pending !== null && entry.why !== 'edit') await write(stem);
    if (cell.pending !== null) clearTimeout(cell.pending.timer);
    cell.pending = null;
    if (waits <= 0) return attempt(stem, cell, entry);
    // Rounded to seconds: the runtime keeps one list per duration of unref'd timers.
    const ms = Math.ceil(waits / 1_000) * 1_000;
    const timer = setTimeout(() => void inTurn(() => write(stem)).catch(options.onError), ms);
    timer.unref();
    cell.pending = { noted: { ...entry, before: null }, timer };
  };

  /** The versions in a file and the waiting text, which counts as the newest version of the result. */
  const withWaiting = async (stem: Stem): Promise<VersionFile & { readonly problem: string | null }> => {
    const cell = await load(stem);
    await write(stem);
    const { file, problem } = await readFile(stem);
    cell.problem = problem ?? cell.problem;
    const oldest = now() - limits.ageMs;
    return { ...file, lines: file.lines.filter(({ at }) => at >= oldest), problem: cell.problem };
  };

  return {
    note(id, text, part = 'source') {
      const timed = { ...text, atMs: now() };
      inTurn(() => take(stemOf(id, part), timed)).catch(options.onError);
    },
    list: (id, part = 'source') =>
      inTurn(async () => {
        const { lines, problem } = await withWaiting(stemOf(id, part));
        return { versions: lines.map(toVersion).reverse(), problem };
      }),
    read: (id, version, part = 'source') =>
      inTurn(async () => {
        const { lines, texts } = await withWaiting(stemOf(id, part));
        const match = lines.map(toVersion).find((one) => one.id === version);
        const text = match === undefined ? undefined : texts.get(match.sha);
        return match === undefined || text === undefined ? null : { version: match, text };
      }),
    cells: () =>
      inTurn(async () => {
        refuseLink(folder);
        const entries = [];
        for (const name of namesIn(folder)) {
          const id = idOf(name);
          if (id === null) continue;
          const { lines, texts } = await withWaiting(stemOf(id, 'source'));
          const line = lines.at(-1);
          if (line !== undefined)
            entries.push({ id, last: toVersion(line), text: texts.get(line.sha) ?? '' });
        }
        return entries.toSorted((a, b) => b.last.atMs - a.last.atMs);
      }),
    flush: () =>
      inTurn(async () => {
        for (const stem of cells.keys()) await write(stem);
      }),
  };
}

const UNWRITTEN = 'Couldn’t save the newest versions of this cell:';

function damagedMessage(count: number, stem: Stem): string {
  const what = count === 1 ? 'One version' : `${count} versions`;
  return `${what} of this cell could not be read. The damaged file was renamed to ${ownName('history', stem)}.jsonl.bad. The other versions are available.`;
}

/**
 * The cell whose sources a file contains; null for other files, and if the id is too long for a file name.
 */
function idOf(name: string): CellId | null {
  const id = name.endsWith('.jsonl') ? idOfHexStem(name.slice(0, -'.jsonl'.length)) : null;
  return id !== null && isCellId(id) ? id : null;
}

/** Refuses a link in place of the folder: an untrusted notebook may contain one, which would lead out of it. */
function refuseLink(folder: Place): void {
  const message = `${ownName('history')} is not a real folder. Remove it so that history can be saved again`;
  try {
    const stats = lstatAt(folder);
    if (stats === null || stats.isDirectory()) return;
  } catch (error) {
    if (!(error instanceof PlaceRefusal)) throw error;
  }
  throw new Error(message);
}

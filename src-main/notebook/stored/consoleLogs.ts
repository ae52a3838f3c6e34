/** Stores console outputs of runs that are too long for `.svc/console/`, in `.svc/logs/`. */

import type { CellId } from '../../../src-shared/notebook/ids.ts';
import { makeFolderAt, removeFile } from '../../lib/guardedFolder/names.ts';
import { type Place, pathOf, placeUnder } from '../../lib/guardedFolder/place.ts';
import { isPlainFile, lstatAt, namesIn } from '../../lib/guardedFolder/read.ts';
import { replaceFile } from '../../lib/guardedFolder/replace.ts';
import type { NotebookFolder } from '../folder/notebookFolder.ts';
import { ownPlace } from '../folder/ownPlaces.ts';

/**
 * Which output stream a log has. A file has one stream of one run, so that a stored result that answers again comes
 * with the log of its own run. Losing the logs does no harm.
 */
type LogStream = 'stdout' | 'stderr';

/** The executor's files for a run's streams once they are long, each up to `maxBytes`. */
export interface ConsoleLogFiles {
  readonly stdout: string;
  readonly stderr: string;
  readonly maxBytes: number;
}

export interface ConsoleLogs {
  begin(id: CellId, run: string): ConsoleLogFiles;
  /**
   * Call when the run is over: an output too short for the executor's file but too long for the console's is written
   * now.
   */
  end(id: CellId, run: string, printed: Readonly<Record<LogStream, string>>): Promise<void>;
  /** The file of a stream, or null if it has no separate file (any more). */
  find(id: CellId, run: string, stream: LogStream): Promise<string | null>;
}

/** Number of runs per cell with logs: as many as versions of a result, and the last failed one. */
const KEPT_RUNS = 5;
/** The maximum size of all logs of a notebook together; the oldest are removed first. */
const KEPT_BYTES = 2 * 1024 ** 3;

export function createConsoleLogs(
  dir: NotebookFolder,
  options: { readonly maxBytes: number; readonly longerThan: number },
): ConsoleLogs {
  const folder = ownPlace(dir, 'logs');
  const prefix = (id: CellId): string => `${Buffer.from(id).toString('hex')}-`;
  const fileOf = (id: CellId, run: string, stream: LogStream): Place =>
    placeUnder(folder, `${prefix(id)}${run}.${stream}.log`);
  return {
    begin(id, run) {
      makeFolderAt(folder);
      const { maxBytes } = options;
      return {
        stdout: pathOf(fileOf(id, run, 'stdout')),
        stderr: pathOf(fileOf(id, run, 'stderr')),
        maxBytes,
      };
    },
    async end(id, run, printed) {
      let wrote = false;
      for (const stream of ['stdout', 'stderr'] as const) {
        const text = printed[stream];
        if (text.length <= options.longerThan) continue;
        wrote = true;
        const file = fileOf(id, run, stream);
        if (!isPlainFile(file)) await replaceFile(file, text, { mode: 0o600, flush: false });
      }
      if (wrote) prune(folder, prefix(id));
    },
    async find(id, run, stream) {
      if (!/^[\w-]{1,64}$/.test(run)) return null;
      const file = fileOf(id, run, stream);
      return isPlainFile(file) ? pathOf(file) : null;
    },
  };
}

function prune(folder: Place, prefix: string): void {
  const names = namesIn(folder).filter((name) => name.endsWith('.log'));
  const logs = names.flatMap((name) => {
    const place = placeUnder(folder, name);
    const stats = lstatAt(place);
    if (stats === null) return [];
    return [{ place, run: name.split('.', 1)[0] ?? '', mtimeMs: stats.mtimeMs, size: stats.size }];
  });
  const newestFirst = logs.toSorted((a, b) => b.mtimeMs - a.mtimeMs);
  const runs = [...new Set(newestFirst.map(({ run }) => run).filter((run) => run.startsWith(prefix)))];
  const old = new Set(runs.slice(KEPT_RUNS));
  let bytes = 0;
  for (const [index, { place, run, size }] of newestFirst.entries()) {
    bytes += size;
    if (old.has(run) || (index > 1 && bytes > KEPT_BYTES)) removeFile(place);
  }
}

/** Saves the output of current runs in `.svc/running/`, so that it survives a killed server. */

import * as z from 'zod';
import { makeFolderAt, removeFile, removeTree } from '../../lib/guardedFolder/names.ts';
import { type Place, placeUnder } from '../../lib/guardedFolder/place.ts';
import { namesIn } from '../../lib/guardedFolder/read.ts';
import { PlaceRefusal } from '../../lib/guardedFolder/refusal.ts';
import { replaceFileSync } from '../../lib/guardedFolder/replace.ts';
import { hexStemOf } from '../file/cellFileNames.ts';
import type { NotebookFolder } from '../folder/notebookFolder.ts';
import { ownPlace } from '../folder/ownPlaces.ts';
import { loadRecord } from '../folder/record.ts';

/**
 * The output of current runs on disk. A file exists only during its run; for a run that ends within `afterMs` nothing
 * is written.
 */
export interface RunningConsoles {
  /** A run of a cell begins; `run` names its logs. */
  begin(id: string, run: string): RunningConsole;
}

interface RunningConsole {
  push(text: { readonly stream: 'stdout' | 'stderr'; readonly text: string }): void;
  /** Call when the run is over: its result has the output. */
  end(): void;
}

/** The output of a run when its server ended. */
const cutRun = z.object({
  id: z.string(),
  run: z.string().regex(/^[\w-]{1,64}$/),
  stdout: z.string(),
  stderr: z.string(),
});
export type CutRun = z.infer<typeof cutRun>;

/** Approximate maximum length of each stream; a longer one has its own log. */
const KEPT_CHARACTERS = 64 * 1024;
/** Delay between the first unsaved text and its write. */
const AFTER_MS = 1_000;
/** The maximum size of a record, with any escaping. */
const MAX_RECORD_BYTES = 4 * 1024 * 1024;

const folderOf = (dir: NotebookFolder): Place => ownPlace(dir, 'running');

export function createRunningConsoles(
  dir: NotebookFolder,
  options: { readonly onError: (error: unknown) => void; readonly afterMs?: number },
): RunningConsoles {
  const { onError, afterMs = AFTER_MS } = options;
  return {
    begin(id, run) {
      const place = placeUnder(folderOf(dir), `${hexStemOf(id)}.json`);
      const tails = { stdout: new Tail(), stderr: new Tail() };
      let timer: NodeJS.Timeout | null = null;
      let isWritten = false;
      let isRefused = false;
      const write = (): void => {
        timer = null;
        const { stdout, stderr } = tails;
        const record: CutRun = { id, run, stdout: stdout.text(), stderr: stderr.text() };
        try {
          makeFolderAt(folderOf(dir));
          replaceFileSync(place, JSON.stringify(record), { mode: 0o600 });
          isWritten = true;
        } catch (error) {
          // If the disk refuses, the record ends, not the run.
          isRefused = true;
          onError(error);
        }
      };
      return {
        push({ stream, text }) {
          if (isRefused) return;
          tails[stream].push(text);
          if (timer === null) timer = setTimeout(write, afterMs).unref();
        },
        end() {
          if (timer !== null) clearTimeout(timer);
          isRefused = true;
          if (!isWritten) return;
          try {
            removeFile(place);
          } catch (error) {
            onError(error);
          }
        },
      };
    },
  };
}

/** The tail of a growing text, joined only on request. */
class Tail {
  #pieces: string[] = [];
  #length = 0;

  push(text: string): void {
    this.#pieces.push(text);
    this.#length += text.length;
    let first = this.#pieces[0];
    while (first !== undefined && this.#length - first.length >= KEPT_CHARACTERS) {
      this.#pieces.shift();
      this.#length -= first.length;
      first = this.#pieces[0];
    }
  }

  text(): string {
    const all = this.#pieces.join('');
    this.#pieces = [all];
    return all;
  }
}

/** The runs that were cut off when the folder's last server ended. A damaged record is skipped. */
export async function loadCutRuns(dir: NotebookFolder): Promise<readonly CutRun[]> {
  const folder = folderOf(dir);
  const records = await Promise.all(
    listed(folder).map(async (name) => {
      const options = { repairs: false, maxBytes: MAX_RECORD_BYTES };
      // One that the system does not let us read is skipped, like a damaged one.
      return loadRecord(placeUnder(folder, name), cutRun, options).catch(() => null);
    }),
  );
  return records.flatMap((record) => record?.value ?? []);
}

/** Deletes the records, which are stored elsewhere now. */
export async function forgetCutRuns(dir: NotebookFolder): Promise<void> {
  await removeTree(folderOf(dir));
}

/** The names of the records. A link in the folder's place contains nothing of this notebook. */
function listed(folder: Place): readonly string[] {
  try {
    return namesIn(folder);
  } catch (error) {
    if (error instanceof PlaceRefusal) return [];
    throw error;
  }
}

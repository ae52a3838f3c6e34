/** Records each run on a worker in the notebook's folder, so that the next start of the program fetches its result. */

import * as z from 'zod';
import { errnoOf } from '../../lib/atomicFile.ts';
import { makeFolderAt, removeFile } from '../../lib/guardedFolder/names.ts';
import type { Place } from '../../lib/guardedFolder/place.ts';
import { replaceFileSync } from '../../lib/guardedFolder/replace.ts';
import { fileStemOf } from '../../notebook/file/cellFileNames.ts';
import type { NotebookFolder } from '../../notebook/folder/notebookFolder.ts';
import { ownFolder, ownPlace } from '../../notebook/folder/ownPlaces.ts';
import { loadRecord } from '../../notebook/folder/record.ts';

/** A run that is under way on a worker, recorded so that the next start of the program can fetch its result. */
const runRecord = z.object({
  build_id: z.string(),
  worker: z.string(),
  url: z.string(),
  provenance_hash: z.string(),
  source_hash: z.string(),
  /** Id of the run on this machine, under which the store records its results. Older records have none. */
  run_id: z.string().optional(),
});
type RecordedRun = z.infer<typeof runRecord>;

const placeOf = (dir: NotebookFolder, cellId: string): Place =>
  ownPlace(dir, 'remoteRun', fileStemOf(cellId));

/** The recorded run of a cell; null when there is none because the last one ended in order. */
export async function readRecordedRun(dir: NotebookFolder, cellId: string): Promise<RecordedRun | null> {
  return (await loadRecord(placeOf(dir, cellId), runRecord)).value;
}

/**
 * Records a run before it is sent, until {@link forgetRun}, so that it is not run twice, however soon the program ends.
 * Every cell on a worker waits for this, so it is not flushed to disk: after a power failure the cell may run again.
 */
export function recordRun(dir: NotebookFolder, cellId: string, run: RecordedRun): void {
  const write = (): void => replaceFileSync(placeOf(dir, cellId), JSON.stringify(run), { mode: 0o600 });
  try {
    try {
      write();
    } catch (error) {
      if (errnoOf(error) !== 'ENOENT') throw error;
      // The first run of the notebook. The notebook's own folder is never created here.
      makeFolderAt(ownFolder(dir));
      write();
    }
  } catch (error) {
    // Without the record the cell runs again after a crash. A full disk is reported by what needs the space.
    if (errnoOf(error) === null) throw error;
  }
}

/** Removes the record at once, so that the next run of the cell does not find it. */
export function forgetRun(dir: NotebookFolder, cellId: string): void {
  removeFile(placeOf(dir, cellId));
}

import * as z from 'zod';
import { errnoOf } from '../../lib/atomicFile.ts';
import { makeFolderAt, removeFile } from '../../lib/guardedFolder/names.ts';
import { placeIn } from '../../lib/guardedFolder/place.ts';
import { replaceNow } from '../../lib/guardedFolder/replace.ts';
import { fileStemOf } from '../../notebook/file/cellFileNames.ts';
import { loadSidecar } from '../../notebook/kept/sidecarFile.ts';

/** A run that is under way on a worker, so that a program that comes after this one can ask for it. */
const heldRun = z.object({
  build_id: z.string(),
  worker: z.string(),
  url: z.string(),
  provenance_hash: z.string(),
  source_hash: z.string(),
  /** Of this machine: what the store has of it is recorded under that. Those written down before had none. */
  run_id: z.string().optional(),
});
export type HeldRun = z.infer<typeof heldRun>;

const nameOf = (cellId: string): string => `remote-run-${fileStemOf(cellId)}.json`;

/** What was under way when the program before this one ended; null where it ended in order. */
export async function lastRun(dir: string, cellId: string): Promise<HeldRun | null> {
  return (await loadSidecar(dir, nameOf(cellId), heldRun)).value;
}

/**
 * Writes a run down before it is sent, until {@link forgetRun}: however soon it ends, it is not run twice. Every cell on
 * a worker waits for this, so that it is for a program that is killed; after a power cut the cell may run anew.
 */
export function holdRun(dir: string, cellId: string, run: HeldRun): void {
  const name = nameOf(cellId);
  const write = (): void => replaceNow(placeIn(dir, '.svc', name), JSON.stringify(run), { mode: 0o600 });
  try {
    try {
      write();
    } catch (error) {
      if (errnoOf(error) !== 'ENOENT') throw error;
      // Its first run; a notebook's own folder is never made here.
      makeFolderAt(placeIn(dir, '.svc'));
      write();
    }
  } catch (error) {
    // Without it the cell runs anew after a crash, as without this file; a full disk is told by what needs it.
    if (errnoOf(error) === null) throw error;
  }
}

/** At once: the next run of the cell does not meet it. */
export function forgetRun(dir: string, cellId: string): void {
  removeFile(placeIn(dir, '.svc', nameOf(cellId)));
}

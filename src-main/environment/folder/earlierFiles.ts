/** Stores pyproject.toml and uv.lock from before and after each environment job, so that the job can be undone. */

import * as z from 'zod';
import { removeFile } from '../../lib/guardedFolder/names.ts';
import { type Place, placeUnder } from '../../lib/guardedFolder/place.ts';
import { namesIn } from '../../lib/guardedFolder/read.ts';
import type { NotebookFolder } from '../../notebook/folder/notebookFolder.ts';
import { ownPlace } from '../../notebook/folder/ownPlaces.ts';
import { loadRecord, saveRecord } from '../../notebook/folder/record.ts';

/** The project's two files before and after a finished job, with which the job can be reverted or compared. */
const filesAround = z.object({
  before: z.object({ project: z.string(), lock: z.string() }),
  after: z.object({ project: z.string(), lock: z.string() }),
});
export type FilesAround = z.infer<typeof filesAround>;

/** Stores the files of a job that changed them, and removes those of jobs that are no longer in the history. */
export async function storeEarlierFiles(
  dir: NotebookFolder,
  job: {
    readonly id: string;
    readonly files: FilesAround;
    readonly history: readonly { readonly id: string }[];
  },
): Promise<void> {
  const folder = folderOf(dir);
  await saveRecord(placeUnder(folder, `${job.id}.json`), job.files, { makesFolder: true });
  const namesToKeep = new Set(job.history.map(({ id }) => `${id}.json`));
  for (const name of namesIn(folder)) {
    if (!namesToKeep.has(name)) removeFile(placeUnder(folder, name));
  }
}

/** The files around a job; null when the job changed nothing or its files were removed. */
export async function readEarlierFiles(dir: NotebookFolder, jobId: string): Promise<FilesAround | null> {
  if (!/^[\w-]+$/.test(jobId)) return null;
  // Each job writes its own file once, so a damaged one is not replaced.
  const place = placeUnder(folderOf(dir), `${jobId}.json`);
  return (await loadRecord(place, filesAround, { repairs: false })).value;
}

function folderOf(dir: NotebookFolder): Place {
  return ownPlace(dir, 'environmentFiles');
}

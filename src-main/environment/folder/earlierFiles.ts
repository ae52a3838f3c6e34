import * as z from 'zod';
import { makeFolderAt, removeFile } from '../../lib/guardedFolder/names.ts';
import { type Place, placeIn, under } from '../../lib/guardedFolder/place.ts';
import { namesIn } from '../../lib/guardedFolder/read.ts';
import { replaceFile } from '../../lib/guardedFolder/replace.ts';
import { readIfThere } from './projectFile.ts';

/** The project's two files before and after a finished job, with which the job can be reverted or compared. */
const filesAround = z.object({
  before: z.object({ project: z.string(), lock: z.string() }),
  after: z.object({ project: z.string(), lock: z.string() }),
});
export type FilesAround = z.infer<typeof filesAround>;

/** Stores the files of a job that changed them, and removes those of jobs that are no longer in the history. */
export async function keepEarlierFiles(
  dir: string,
  job: {
    readonly id: string;
    readonly files: FilesAround;
    readonly history: readonly { readonly id: string }[];
  },
): Promise<void> {
  const folder = folderOf(dir);
  makeFolderAt(folder);
  await replaceFile(under(folder, `${job.id}.json`), JSON.stringify(job.files));
  const namesToKeep = new Set(job.history.map(({ id }) => `${id}.json`));
  for (const name of namesIn(folder)) {
    if (!namesToKeep.has(name)) removeFile(under(folder, name));
  }
}

/** Null when the job changed nothing or its files were removed. */
export async function readEarlierFiles(dir: string, jobId: string): Promise<FilesAround | null> {
  if (!/^[\w-]+$/.test(jobId)) return null;
  const bytes = await readIfThere(under(folderOf(dir), `${jobId}.json`));
  if (bytes === null) return null;
  try {
    return filesAround.parse(JSON.parse(bytes.toString('utf8')));
  } catch {
    // `.svc` may be lost: then the job cannot be reverted.
    return null;
  }
}

function folderOf(dir: string): Place {
  return placeIn(dir, '.svc/environment_files');
}

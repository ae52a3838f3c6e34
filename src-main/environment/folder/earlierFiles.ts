import * as z from 'zod';
import { makeFolderAt, removeFile } from '../../lib/guardedFolder/names.ts';
import { type Place, placeIn, under } from '../../lib/guardedFolder/place.ts';
import { namesIn } from '../../lib/guardedFolder/read.ts';
import { replaceFile } from '../../lib/guardedFolder/replace.ts';
import { readIfThere } from './projectFile.ts';

/** The project's two files around one finished job: what going back to before it takes, and how they differ. */
const filesAround = z.object({
  before: z.object({ project: z.string(), lock: z.string() }),
  after: z.object({ project: z.string(), lock: z.string() }),
});
export type FilesAround = z.infer<typeof filesAround>;

/** Keeps the files of a job that changed them, and those of no job older than the history. */
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
  const known = new Set(job.history.map(({ id }) => `${id}.json`));
  for (const name of namesIn(folder)) {
    if (!known.has(name)) removeFile(under(folder, name));
  }
}

/** Null where the job changed nothing, or what it changed is not kept any more. */
export async function readEarlierFiles(dir: string, jobId: string): Promise<FilesAround | null> {
  if (!/^[\w-]+$/.test(jobId)) return null;
  const bytes = await readIfThere(under(folderOf(dir), `${jobId}.json`));
  if (bytes === null) return null;
  try {
    return filesAround.parse(JSON.parse(bytes.toString('utf8')));
  } catch {
    // `.svc` is state that may be lost: without it there is nothing to go back to.
    return null;
  }
}

function folderOf(dir: string): Place {
  return placeIn(dir, '.svc/environment_files');
}

import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { writeFileAtomic } from '../lib/atomicFile.ts';
import { PRIVATE_FOLDER } from '../lib/privateFiles.ts';
import { readIfThere } from './projectFile.ts';
import { makeStateFolder } from './stateFolder.ts';

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
  await makeStateFolder(dir);
  await mkdir(folder, { recursive: true, mode: PRIVATE_FOLDER });
  await writeFileAtomic(join(folder, `${job.id}.json`), JSON.stringify(job.files));
  const known = new Set(job.history.map(({ id }) => `${id}.json`));
  for (const name of await readdir(folder)) {
    if (!known.has(name)) await rm(join(folder, name), { force: true });
  }
}

/** Null where the job changed nothing, or what it changed is not kept any more. */
export async function readEarlierFiles(dir: string, jobId: string): Promise<FilesAround | null> {
  if (!/^[\w-]+$/.test(jobId)) return null;
  const bytes = await readIfThere(join(folderOf(dir), `${jobId}.json`));
  if (bytes === null) return null;
  try {
    return filesAround.parse(JSON.parse(bytes.toString('utf8')));
  } catch {
    // `.svc` is state that may be lost: without it there is nothing to go back to.
    return null;
  }
}

function folderOf(dir: string): string {
  return join(dir, '.svc', 'environment_files');
}

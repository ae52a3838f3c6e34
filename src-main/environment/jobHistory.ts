/** Loads and saves the list of a notebook's recent environment jobs. */

import * as z from 'zod';
import { type EnvironmentJob, environmentJob } from '../../src-shared/wire/environment.ts';
import { nullIfMissing } from '../lib/atomicFile.ts';
import type { NotebookFolder } from '../notebook/folder/notebookFolder.ts';
import { ownPlace } from '../notebook/folder/ownPlaces.ts';
import { type LoadOptions, loadRecord, saveRecord } from '../notebook/folder/record.ts';

/** How many finished jobs are kept per notebook (docs/spec/notebook-file.md, 1). */
const MAX_HISTORY = 8;

/** The history with this job: newest first, at most eight, each id once. */
export function withFinished(
  history: readonly EnvironmentJob[],
  job: EnvironmentJob,
): readonly EnvironmentJob[] {
  return [job, ...history.filter(({ id }) => id !== job.id)].slice(0, MAX_HISTORY);
}

/** The recorded jobs, newest first. A damaged record counts as empty; with `repairs` it is set aside. */
export async function loadJobHistory(
  dir: NotebookFolder,
  options: Pick<LoadOptions, 'repairs'> = {},
): Promise<readonly EnvironmentJob[]> {
  const { value } = await loadRecord(ownPlace(dir, 'environmentJobs'), z.array(environmentJob), options);
  return (value ?? []).slice(0, MAX_HISTORY);
}

/** Saves the jobs; does nothing when the notebook's folder is gone, and does not create it. */
export async function saveJobHistory(dir: NotebookFolder, history: readonly EnvironmentJob[]): Promise<void> {
  const jobs = history.slice(0, MAX_HISTORY);
  await saveRecord(ownPlace(dir, 'environmentJobs'), jobs, { form: 'pretty', makesFolder: true }).catch(
    nullIfMissing,
  );
}

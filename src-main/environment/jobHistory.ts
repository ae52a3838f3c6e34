import * as z from 'zod';
import { type EnvironmentJob, environmentJob } from '../../src-shared/wire/environment.ts';
import { type Place, placeIn } from '../lib/guardedFolder/place.ts';
import { replaceFile } from '../lib/guardedFolder/replace.ts';
import { readIfThere } from './folder/projectFile.ts';
import { makeStateFolder } from './folder/stateFolder.ts';

/** How many finished jobs are kept per notebook (notebook-file 1). */
export const MAX_HISTORY = 8;

/** The history with this job: newest first, at most eight, each id once. */
export function withFinished(
  history: readonly EnvironmentJob[],
  job: EnvironmentJob,
): readonly EnvironmentJob[] {
  return [job, ...history.filter(({ id }) => id !== job.id)].slice(0, MAX_HISTORY);
}

/** The jobs recorded in `.svc/environment_jobs.json`, newest first; a missing or damaged file has none. */
export async function loadJobHistory(dir: string): Promise<readonly EnvironmentJob[]> {
  try {
    const bytes = await readIfThere(historyPlace(dir));
    if (bytes === null) return [];
    return z
      .array(environmentJob)
      .parse(JSON.parse(bytes.toString('utf8')))
      .slice(0, MAX_HISTORY);
  } catch {
    // `.svc` may be lost (notebook-file 1: corrupt = empty); the next job writes the file again.
    return [];
  }
}

/** Saves the jobs; does nothing when the notebook's folder is gone, and does not create it. */
export async function saveJobHistory(dir: string, history: readonly EnvironmentJob[]): Promise<void> {
  if (!(await makeStateFolder(dir))) return;
  await replaceFile(historyPlace(dir), `${JSON.stringify(history.slice(0, MAX_HISTORY), null, 2)}\n`);
}

function historyPlace(dir: string): Place {
  return placeIn(dir, '.svc/environment_jobs.json');
}

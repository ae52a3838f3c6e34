import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { nullIfMissing, writeFileAtomic } from '../lib/atomicFile.ts';
import { makeStateFolder } from './stateFolder.ts';
import { venvDir } from './venv.ts';

/**
 * Whether this folder ever had an environment. Cells of a notebook without one may run on a Python of the machine,
 * which is said; cells of a notebook that lost its environment may not: another Python gives other values.
 */
export async function hadEnvironment(dir: string): Promise<boolean> {
  if ((await lstat(venvDir(dir)).catch(nullIfMissing)) !== null) return true;
  return (await lstat(recordPath(dir)).catch(nullIfMissing)) !== null;
}

/** Call when the notebook has an environment. Costs a look at a file when that is recorded already. */
export async function recordEnvironment(dir: string): Promise<void> {
  if ((await lstat(recordPath(dir)).catch(nullIfMissing)) !== null) return;
  if (!(await makeStateFolder(dir))) return;
  await writeFileAtomic(recordPath(dir), `${JSON.stringify({ had_environment: true })}\n`);
}

function recordPath(dir: string): string {
  return join(dir, '.svc', 'environment.json');
}

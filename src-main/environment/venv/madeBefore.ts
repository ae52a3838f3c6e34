import { type Place, placeIn } from '../../lib/guardedFolder/place.ts';
import { lookAt } from '../../lib/guardedFolder/read.ts';
import { replaceFile } from '../../lib/guardedFolder/replace.ts';
import { makeStateFolder } from '../folder/stateFolder.ts';
import { venvDir } from './venv.ts';

/**
 * Whether this folder ever had an environment. Cells of a notebook without one may run on a Python of the machine,
 * which is said; cells of a notebook that lost its environment may not: another Python gives other values.
 */
export async function hadEnvironment(dir: string): Promise<boolean> {
  if (lookAt(venvDir(dir)) !== null) return true;
  return lookAt(recordPlace(dir)) !== null;
}

/** Call when the notebook has an environment. Costs a look at a file when that is recorded already. */
export async function recordEnvironment(dir: string): Promise<void> {
  if (lookAt(recordPlace(dir)) !== null) return;
  if (!(await makeStateFolder(dir))) return;
  await replaceFile(recordPlace(dir), `${JSON.stringify({ had_environment: true })}\n`);
}

function recordPlace(dir: string): Place {
  return placeIn(dir, '.svc/environment.json');
}

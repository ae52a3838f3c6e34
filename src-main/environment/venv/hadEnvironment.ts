import { nullIfMissing } from '../../lib/atomicFile.ts';
import type { Place } from '../../lib/guardedFolder/place.ts';
import { lstatAt } from '../../lib/guardedFolder/read.ts';
import type { NotebookFolder } from '../../notebook/folder/notebookFolder.ts';
import { ownPlace } from '../../notebook/folder/ownPlaces.ts';
import { saveRecord } from '../../notebook/folder/record.ts';
import { venvDir } from './venv.ts';

/**
 * Whether this notebook ever had an environment. Cells of a notebook without one may run on a Python of the machine,
 * with a message. When the environment was lost they may not, because another Python gives other values.
 */
export async function hadEnvironment(dir: NotebookFolder): Promise<boolean> {
  if (lstatAt(venvDir(dir)) !== null) return true;
  return lstatAt(recordPlace(dir)) !== null;
}

/** Call when the notebook has an environment. Only checks a file when that is already recorded. */
export async function recordEnvironment(dir: NotebookFolder): Promise<void> {
  if (lstatAt(recordPlace(dir)) !== null) return;
  await saveRecord(recordPlace(dir), { had_environment: true }, { form: 'line', makesFolder: true }).catch(
    nullIfMissing,
  );
}

function recordPlace(dir: NotebookFolder): Place {
  return ownPlace(dir, 'environment');
}

/** Checks, when called, whether `.venv` is still the environment that cells should run in. */

import { environmentIdentity, venvDir, venvPython } from '../../environment/venv/venv.ts';
import { venvPrint } from '../../environment/venv/venvPrint.ts';
import { nullIfMissing } from '../../lib/atomicFile.ts';
import type { NotebookFolder } from '../../notebook/folder/notebookFolder.ts';

/** Checks whether a notebook's environment is still the one its cells should run in. */
interface VenvWatch {
  /** True for a Python outside the folder, too: Cellar never replaces that one. */
  isStill(interpreter: { readonly path: string; readonly identity: string }): Promise<boolean>;
}

/** Creates the check for one notebook. */
export function createVenvWatch(dir: NotebookFolder): VenvWatch {
  const venv = venvDir(dir);
  const python = venvPython(venv);
  /** The print (venvPrint) with which the environment last matched. */
  let last: { readonly identity: string; readonly print: string } | null = null;
  return {
    async isStill({ path, identity }) {
      if (path !== python) return true;
      // Taken before the identity: a later change has another print at the next check.
      const print = venvPrint(venv);
      if (print === null) return false;
      if (last?.identity === identity && last.print === print) return true;
      const now = await environmentIdentity(python, venv).catch(nullIfMissing);
      if (now !== identity) return false;
      last = { identity, print };
      return true;
    },
  };
}

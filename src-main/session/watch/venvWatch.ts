import { environmentIdentity, venvDir, venvPython } from '../../environment/venv/venv.ts';
import { venvPrint } from '../../environment/venv/venvPrint.ts';
import { nullIfMissing } from '../../lib/atomicFile.ts';

/** Looks whether a notebook's environment is still the one that cells are to run in. */
export interface VenvWatch {
  /** True for a Python outside the folder, too: nothing of ours replaces that one. */
  isStill(interpreter: { readonly path: string; readonly identity: string }): Promise<boolean>;
}

export function createVenvWatch(dir: string): VenvWatch {
  const venv = venvDir(dir);
  const python = venvPython(venv);
  /** A print under which the environment was last seen to be this one. */
  let known: { readonly identity: string; readonly print: string } | null = null;
  return {
    async isStill({ path, identity }) {
      if (path !== python) return true;
      // Before the identity: what changes in between has another print at the next look.
      const print = venvPrint(venv);
      if (print === null) return false;
      if (known?.identity === identity && known.print === print) return true;
      const now = await environmentIdentity(python, venv).catch(nullIfMissing);
      if (now !== identity) return false;
      known = { identity, print };
      return true;
    },
  };
}

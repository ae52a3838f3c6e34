/** The packages of the environment in which a cell runs. */

import type { InstalledPackages } from '../../environment/venv/installedPackages.ts';

/** The packages installed where cells run, and the part of the environment that every result depends on. */
export interface KnownPackages {
  /** Digest of everything but packages: the interpreter, and what each of its processes reads on start. */
  readonly fixed: string;
  readonly installed: InstalledPackages;
}

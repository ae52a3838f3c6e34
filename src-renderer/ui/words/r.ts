/** By how the library stands to the lock. */
const STATE = {
  absent: '',
  never: 'The packages of the lock are not installed yet.',
  ok: '',
  outdated: 'The installed packages are not those of the lock.',
  failed: 'The packages of the lock could not be installed.',
} as const;

/** What the window says of R. */
export const R_WORDS = {
  title: 'R',
  version: 'Version',
  lock: 'Lock file',
  noLock: 'none',
  madeWith: 'Made with',
  madeWithR: (version: string): string => `R ${version}`,
  state: STATE,
  packages: 'R packages',
  none: 'No packages are installed for this notebook.',
  init: 'Set up R packages',
  initHint:
    'R cells see the packages this R has. With renv the notebook keeps its own, locked, so that others get the same.',
  name: 'R package',
  nameHint: 'A name: dplyr. It is installed with what it needs, and locked.',
  notOne: 'This is not the name of one R package.',
  add: 'Add',
  restore: 'Restore from the lock',
  working: 'R is working',
  missing:
    'R cells cannot run: R was not found on this machine. Install R (Debian and Ubuntu: sudo apt install r-base-core; others: www.r-project.org), or set SVC_RSCRIPT to the path of Rscript. Then edit or open the notebook again.',
} as const;

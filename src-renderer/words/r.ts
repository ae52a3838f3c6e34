/** UI texts for how the installed R packages compare with the lock file. */
const STATE = {
  absent: '',
  never: 'The packages in the lock file are not installed yet.',
  ok: '',
  outdated: 'The installed packages differ from the lock file.',
  failed: 'Couldn’t install the packages in the lock file.',
} as const;

/** UI texts of R and its packages. */
export const R_WORDS = {
  title: 'R',
  version: 'Version',
  lock: 'Lock file',
  noLock: 'none',
  madeWith: 'Made with',
  madeWithR: (version: string): string => `R ${version}`,
  state: STATE,
  packages: 'R packages',
  none: 'No R packages are installed for this notebook.',
  init: 'Set up R packages',
  initHint:
    'R cells use the packages of the installed R. With renv, the notebook has its own locked packages, so others get the same versions.',
  name: 'R package',
  nameHint: 'Name, for example dplyr. Its dependencies are installed and locked too.',
  notOne: 'Enter the name of a single R package.',
  add: 'Add',
  restore: 'Restore from lock file',
  working: 'R is running',
  missing:
    'R cells can’t run because R was not found on this machine. Install R (Debian and Ubuntu: sudo apt install r-base-core; others: www.r-project.org), or set SVC_RSCRIPT to the path of Rscript. Then edit a cell or reopen the notebook.',
} as const;

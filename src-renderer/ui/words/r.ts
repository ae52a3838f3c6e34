/** What the window says of R. */
export const R_WORDS = {
  title: 'R',
  version: 'Version',
  missing:
    'R cells cannot run: R was not found on this machine. Install R (Debian and Ubuntu: sudo apt install r-base-core; others: cran.r-project.org), or set SVC_RSCRIPT to the path of Rscript. Then edit or open the notebook again.',
} as const;

/** UI texts of the environment diagnostics. */
export const DIAGNOSIS_WORDS = {
  title: 'Environment diagnostics',
  command: 'Environment diagnostics',
  hint: 'The Python and packages this notebook uses. Passwords and secrets are left out.',
  open: 'Diagnostics…',
  looking: 'Checking…',
  lookHere: 'Check:',
  wrong: (count: number): string =>
    count === 0 ? 'No problems found.' : count === 1 ? '1 possible problem' : `${count} possible problems`,
  again: 'Check again',
  copy: 'Copy',
  copied: 'Copied',
  notCopied: 'Couldn’t copy. Select the text and copy it manually.',
  repair: 'Repair',
  repairing: 'Repairing…',
  repairHint:
    'Rebuilds the environment from the lock file and removes leftovers of failed jobs. Package versions do not change.',
} as const;

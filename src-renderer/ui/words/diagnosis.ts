/** Words of the page that says what a notebook's environment stands on. */
export const DIAGNOSIS_WORDS = {
  title: 'Environment diagnostics',
  command: 'Environment diagnostics',
  hint: 'What the notebook’s Python and its packages stand on. Passwords and secrets are left out of it.',
  open: 'Diagnostics…',
  looking: 'Looking …',
  lookHere: 'Look here:',
  wrong: (count: number): string =>
    count === 0
      ? 'Nothing here looks wrong.'
      : count === 1
        ? 'One thing to look at'
        : `${count} things to look at`,
  again: 'Look again',
  copy: 'Copy',
  copied: 'Copied.',
  notCopied: 'The browser does not allow copying.',
  repair: 'Repair',
  repairing: 'Working …',
  repairHint:
    'A repair builds the environment anew from the lock, beside the one in use, and clears away what broken jobs left. No package changes its version.',
} as const;

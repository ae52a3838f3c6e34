/** Words about the set-up cell. */
export const SETUP_WORDS = {
  badge: 'Set-up cell',
  badgeHint:
    'Runs at the start of every Python cell: seeds, options, paths and environment that it sets hold in all of them. An edit of it makes all of them stale.',
  submenu: 'Set-up cell',
  make: 'Make this the set-up cell',
  makeOrdinary: 'Make this an ordinary cell',
  needsPython: 'Only a Python cell can be the set-up cell',
  isThat: 'It says @setup already',
  isOrdinary: 'It does not say @setup',
} as const;

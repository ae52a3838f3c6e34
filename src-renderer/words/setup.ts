/** UI texts about the setup cell. */
export const SETUP_WORDS = {
  badge: 'Setup cell',
  badgeHint:
    'Runs before every Python cell. Seeds, options, paths and environment variables set here apply to all of them. Editing it makes all of them stale.',
  submenu: 'Setup cell',
  make: 'Make this the setup cell',
  makeOrdinary: 'Make this a normal cell',
  needsPython: 'only a Python cell can be the setup cell',
  isThat: 'already the setup cell',
  isOrdinary: 'not the setup cell',
} as const;

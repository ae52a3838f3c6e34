/** Words of what cells were. */
export const HISTORY_WORDS = {
  title: (name: string): string => `Earlier texts of ${name}`,
  partOf: 'What of the cell',
  part: { source: 'Text', tests: 'Tests', settings: 'Settings' },
  cell: 'Cell',
  deletedCell: (title: string): string => `Deleted: ${title === '' ? 'an empty cell' : title}`,
  versions: 'Versions',
  why: { edit: 'saved', outside: 'written by another program', deleted: 'before it was deleted' },
  by: (author: string): string => `by ${author}`,
  lines: (count: number): string => (count === 1 ? '1 line' : `${count} lines`),
  current: 'as it is now',
  loading: 'Looking…',
  none: {
    source: 'Nothing is kept of this cell yet. Every text you save is, for thirty days.',
    tests: 'No tests of this cell are kept yet. Every text of them you save is, for thirty days.',
    settings:
      'The settings of this cell (worker, timeout, variables and mounts in notebook.toml) have not changed in the last thirty days.',
  },
  same: 'This is the text as it is now.',
  difference: 'This version and the text as it is now',
  wholeText: 'The text of this version',
  restore: {
    source: 'Bring this text back',
    tests: 'Bring these tests back',
    settings: 'Bring these settings back',
  },
  restoreCell: 'Bring the cell back',
  asNewCell: 'Add as a new cell',
  restored: {
    source: 'The earlier text is back',
    tests: 'The earlier tests are back',
    settings: 'The earlier settings are back',
  },
} as const;

/** Words of the history of cells. */
export const HISTORY_WORDS = {
  title: (name: string): string => `History of ${name}`,
  partOf: 'Part of the cell',
  part: { source: 'Code', tests: 'Tests', settings: 'Settings' },
  cell: 'Cell',
  deletedCell: (title: string): string => `Deleted: ${title === '' ? 'an empty cell' : title}`,
  versions: 'Versions',
  why: { edit: 'saved', outside: 'changed by another program', deleted: 'before deletion' },
  by: (author: string): string => `by ${author}`,
  lines: (count: number): string => (count === 1 ? '1 line' : `${count} lines`),
  current: 'current',
  loading: 'Loading…',
  none: {
    source: 'No earlier versions of this cell yet. Saved versions are kept for 30 days.',
    tests: 'No earlier versions of these tests yet. Saved versions are kept for 30 days.',
    settings:
      'The settings of this cell (worker, timeout, variables and mounts in notebook.toml) have not changed in the last 30 days.',
  },
  same: 'This is the current version.',
  difference: 'This version and the current one',
  wholeText: 'Full text of this version',
  restore: {
    source: 'Restore this version',
    tests: 'Restore these tests',
    settings: 'Restore these settings',
  },
  restoreCell: 'Restore cell',
  asNewCell: 'Add as new cell',
  restored: {
    source: 'Version restored',
    tests: 'Tests restored',
    settings: 'Settings restored',
  },
} as const;

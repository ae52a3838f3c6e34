/** Words of the files panel. */
export const FILES_WORDS = {
  folder: 'Notebook folder',
  refresh: 'Refresh',
  empty: 'This folder has no files',
  truncated: 'This folder has more files than are listed here.',
  details: (path: string, when: string): string => `${path}, changed ${when}`,
} as const;

/** Words of the files panel. */
export const FILES_WORDS = {
  folder: 'Folder of the notebook',
  refresh: 'Look again',
  empty: 'This folder has no files',
  truncated: 'There are more files than are listed here.',
  details: (path: string, when: string): string => `${path}, changed ${when}`,
} as const;

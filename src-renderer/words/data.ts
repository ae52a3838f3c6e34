/** UI texts of the data panel. */
export const DATA_WORDS = {
  files: 'Data files',
  noFiles: 'Drop a file on the window to copy it into the notebook’s folder.',
  preview: (name: string): string => `Show the first rows of ${name}`,
  addCellFor: (name: string): string => `Insert a cell that reads ${name}`,
  addCell: 'Insert a cell that reads this',
  firstRows: (name: string): string => `First rows of ${name}`,
  reading: 'Reading the first rows',
  noRows: 'There are no rows.',
  noColumns: 'There are no columns.',
  close: 'Close',
  retry: 'Try again',
  atSnapshot: (table: string, snapshot: string): string => `${table} at snapshot ${snapshot}`,
} as const;

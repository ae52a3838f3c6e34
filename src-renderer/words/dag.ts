/** UI texts of the Graph panel. */
export const DAG_WORDS = {
  label: 'Cell graph. Move with the arrow keys, press Enter to go to the cell.',
  empty: 'No cells to draw',
  emptyText: 'Code cells appear here, with arrows for what they read from each other.',
  none: 'Couldn’t draw the graph',
  reads: (names: string): string => `reads from ${names}`,
  readBy: (names: string): string => `read by ${names}`,
} as const;

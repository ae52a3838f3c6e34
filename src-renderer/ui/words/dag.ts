/** Words of the graph. */
export const DAG_WORDS = {
  label: 'Graph of the cells. Arrows go along it, Enter goes to the cell.',
  empty: 'No cells to draw',
  emptyText: 'Cells that compute something appear here with who reads from whom.',
  none: 'There is no graph',
  reads: (names: string): string => `reads from ${names}`,
  readBy: (names: string): string => `read by ${names}`,
} as const;

/** Words of the comparison of two kept results. */
export const COMPARE_WORDS = {
  open: 'Compare results',
  title: (name: string): string => `Results of ${name}`,
  variable: 'Of',
  before: 'Before',
  after: 'After',
  comparing: 'Comparing…',
  difference: 'Difference',
  same: 'They are the same, byte for byte.',
  rows: 'Rows',
  bothHave: (count: string): string => `${count} in both`,
  columns: 'Columns',
  sameColumns: 'the same',
  columnsAdded: 'Columns added',
  columnsRemoved: 'Columns removed',
  noDifference: (rows: string): string =>
    `No value differs in the first ${rows} rows of the columns both have.`,
  firstDifferences: (rows: string): string => `Values that differ in the first ${rows} rows`,
  row: 'Row',
  column: 'Column',
  missing: '(none)',
} as const;

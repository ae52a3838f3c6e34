/** UI texts of the code that reproduces a table, and of why there is none. */
export const TABLE_CODE_WORDS = {
  noVariable: 'Code can read this table only if the cell ends with the name of a variable, such as df.',
  searchNumbers: (search: string): string =>
    `The search for “${search}” depends on how numbers and times are shown. Use a filter on a column instead.`,
  noKey: 'Choose a column to group by.',
  searchNested: 'A search in nested values cannot be written as code. Use a filter on a column instead.',
  noColumn: (name: string): string => `The column “${name}” is no longer in the table.`,
  twoColumns: (name: string): string => `Several columns are named “${name}”. Rename them first.`,
  durations: (name: string): string =>
    `Conditions on times of day and durations (“${name}”) cannot be written as code.`,
  moment: (value: string): string =>
    `“${value}” cannot be written as code. Use a date such as 2025-01-31 or a time such as 2025-01-31 12:00:00.`,
} as const;

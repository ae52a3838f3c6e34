/** Text and alignment of plain values in tables and JSON trees. */

/** A value on one line, for a table cell or a closed tree node. */
export function shortValue(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'string') return value;
  if (typeof value === 'object') return JSON.stringify(value);
  return String(value);
}

/** Whether all values of a column are numbers, which are aligned at the right. */
export function isNumeric(rows: readonly (readonly unknown[])[], column: number): boolean {
  let hasValue = false;
  for (const row of rows) {
    const value = row[column];
    if (value === null || value === undefined || value === '') continue;
    if (typeof value !== 'number') return false;
    hasValue = true;
  }
  return hasValue;
}

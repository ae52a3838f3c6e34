/**
 * Parses the row number that a user typed to go to a row of a table (`1,200` and `1 200` are 1200); null if there is no
 * such row.
 */
export function rowNumber(text: string, total: number): number | null {
  const digits = text.replace(/[\s,.'’]/g, '');
  if (!/^\d{1,12}$/.test(digits)) return null;
  const row = Number(digits);
  return row >= 1 && row <= total ? row : null;
}

/** Matches the rows of two tables, for their comparison. */

import type { CellValue } from '../columns/cellValue.ts';

/** The first rows of a table, which a comparison reads. */
export interface TablePart {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly CellValue[])[];
  /** Rows of the whole table. */
  readonly total: number;
}

/** Which rows of two tables are compared with each other. */
interface RowMatch {
  /** Row numbers, in the order of the first table. */
  readonly pairs: readonly (readonly [before: number, after: number])[];
  /** The key values of rows that only one of them has. Empty if rows are matched by position. */
  readonly added: readonly CellValue[];
  readonly removed: readonly CellValue[];
}

/**
 * Columns that can identify a row: they are in both tables, and each value occurs once and is a text, a whole number or
 * a boolean. In the order of the second table.
 */
export function keyColumns(before: TablePart, after: TablePart): readonly string[] {
  const shared = new Set(before.columns);
  return after.columns.filter(
    (name) => shared.has(name) && keysIn(before, name) !== null && keysIn(after, name) !== null,
  );
}

/** Matches rows with the same value of the key column. Null: the column cannot identify rows. */
export function matchByKey(before: TablePart, after: TablePart, column: string): RowMatch | null {
  const [was, is] = [keysIn(before, column), keysIn(after, column)];
  if (was === null || is === null) return null;
  const pairs: [number, number][] = [];
  const removed: CellValue[] = [];
  for (const [key, { at, value }] of was) {
    const there = is.get(key);
    if (there === undefined) removed.push(value);
    else pairs.push([at, there.at]);
  }
  const added = [...is].filter(([key]) => !was.has(key)).map(([, { value }]) => value);
  return { pairs, added, removed };
}

/** Matches rows with the same position; further rows of the longer table are not matched. */
export function matchByPosition(before: TablePart, after: TablePart): RowMatch {
  const count = Math.min(before.rows.length, after.rows.length);
  return { pairs: Array.from({ length: count }, (_, row) => [row, row] as const), added: [], removed: [] };
}

/** The row of each key; null if a value is missing, occurs twice, or is neither text, a whole number nor a boolean. */
function keysIn(
  part: TablePart,
  column: string,
): ReadonlyMap<string, { readonly at: number; readonly value: CellValue }> | null {
  const place = part.columns.indexOf(column);
  if (place === -1 || part.rows.length === 0) return null;
  const keys = new Map<string, { at: number; value: CellValue }>();
  for (const [at, row] of part.rows.entries()) {
    const value = row[place] ?? null;
    const isKey =
      typeof value === 'string' ||
      typeof value === 'boolean' ||
      (typeof value === 'number' && Number.isInteger(value));
    // Types differ between versions of a table: 1 and "1" are one key.
    const key = String(value);
    if (!isKey || keys.has(key)) return null;
    keys.set(key, { at, value });
  }
  return keys;
}

/** Compares two stored tables for the window: columns, rows and values that differ. */

import type { CellValue } from '../columns/cellValue.ts';
import type { TablePart } from './matchRows.ts';
import { keyColumns, matchByKey, matchByPosition } from './matchRows.ts';

interface TableDifference {
  /** The row's number in the second table, from 0. */
  readonly row: number;
  /** The value of the key column; null if rows are matched by position. */
  readonly key: CellValue;
  readonly column: string;
  readonly before: CellValue;
  readonly after: CellValue;
}

export interface TableComparison {
  readonly columnsAdded: readonly string[];
  readonly columnsRemoved: readonly string[];
  readonly differences: readonly TableDifference[];
  readonly rowsCompared: number;
  /** The column by which rows are matched; null: by position. */
  readonly key: string | null;
  /** The columns that can be the key. */
  readonly keys: readonly string[];
  /** The first keys that only one of the tables has, and the number of all of them. */
  readonly rowsAdded: OnlyInOne;
  readonly rowsRemoved: OnlyInOne;
}

interface OnlyInOne {
  readonly count: number;
  readonly first: readonly CellValue[];
}

/** How rows are matched: by their position, by the first column that identifies them, or by a column. */
export type MatchBy = 'position' | 'key' | { readonly column: string };

/** Maximum number of listed differences. */
const MAX_DIFFERENCES = 20;

/**
 * The differences of two tables: their columns by name, then the values of common columns, row by row. A column that
 * does not identify each row is not used as the key: rows are then matched by position. No I/O.
 */
export function compareTables(
  before: TablePart,
  after: TablePart,
  by: MatchBy = 'position',
): TableComparison {
  const beforeAt = new Map(before.columns.map((name, at) => [name, at]));
  const afterAt = new Map(after.columns.map((name, at) => [name, at]));
  const shared = [...afterAt].flatMap(([name, at]) => {
    const was = beforeAt.get(name);
    return was === undefined ? [] : [{ name, was, at }];
  });
  const keys = keyColumns(before, after);
  const keyColumn = by === 'position' ? null : by === 'key' ? (keys[0] ?? null) : by.column;
  const key = keyColumn !== null && keys.includes(keyColumn) ? keyColumn : null;
  const match = (key === null ? null : matchByKey(before, after, key)) ?? matchByPosition(before, after);
  const keyAt = key === null ? -1 : (afterAt.get(key) ?? -1);
  const differences: TableDifference[] = [];
  for (const [was, is] of match.pairs) {
    if (differences.length === MAX_DIFFERENCES) break;
    const [oldRow, newRow] = [before.rows[was], after.rows[is]];
    for (const column of shared) {
      if (column.at === keyAt) continue;
      const [old, now] = [oldRow?.[column.was] ?? null, newRow?.[column.at] ?? null];
      if (sameValue(old, now)) continue;
      const rowKey = keyAt === -1 ? null : (newRow?.[keyAt] ?? null);
      differences.push({ row: is, key: rowKey, column: column.name, before: old, after: now });
      if (differences.length === MAX_DIFFERENCES) break;
    }
  }
  return {
    columnsAdded: after.columns.filter((name) => !beforeAt.has(name)),
    columnsRemoved: before.columns.filter((name) => !afterAt.has(name)),
    differences,
    rowsCompared: match.pairs.length,
    key,
    keys,
    rowsAdded: firstOf(match.added),
    rowsRemoved: firstOf(match.removed),
  };
}

function firstOf(values: readonly CellValue[]): OnlyInOne {
  return { count: values.length, first: values.slice(0, MAX_DIFFERENCES) };
}

/** Compares JSON values; nested ones are few and small. */
function sameValue(a: CellValue, b: CellValue): boolean {
  return (
    a === b || (typeof a === 'object' && typeof b === 'object' && JSON.stringify(a) === JSON.stringify(b))
  );
}

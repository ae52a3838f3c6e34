import type { CellValue } from '../columns/cellValue.ts';

/** The first rows of a table, which a comparison reads. */
export interface TablePart {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly CellValue[])[];
  /** Rows of the whole table. */
  readonly total: number;
}

export interface TableDifference {
  /** From 0. */
  readonly row: number;
  readonly column: string;
  readonly before: CellValue;
  readonly after: CellValue;
}

export interface TableComparison {
  readonly columnsAdded: readonly string[];
  readonly columnsRemoved: readonly string[];
  readonly differences: readonly TableDifference[];
  readonly rowsCompared: number;
}

/** Maximum number of listed differences. */
const MAX_DIFFERENCES = 20;

/** The differences of two tables: their columns by name, then the values of common columns, row by row. Pure. */
export function compareTables(before: TablePart, after: TablePart): TableComparison {
  const beforeAt = new Map(before.columns.map((name, at) => [name, at]));
  const afterAt = new Map(after.columns.map((name, at) => [name, at]));
  const shared = [...afterAt].flatMap(([name, at]) => {
    const was = beforeAt.get(name);
    return was === undefined ? [] : [{ name, was, at }];
  });
  const rowsCompared = Math.min(before.rows.length, after.rows.length);
  const differences: TableDifference[] = [];
  for (let row = 0; row < rowsCompared && differences.length < MAX_DIFFERENCES; row += 1) {
    for (const { name, was, at } of shared) {
      const [old, now] = [before.rows[row]?.[was] ?? null, after.rows[row]?.[at] ?? null];
      if (sameValue(old, now)) continue;
      differences.push({ row, column: name, before: old, after: now });
      if (differences.length === MAX_DIFFERENCES) break;
    }
  }
  return {
    columnsAdded: after.columns.filter((name) => !beforeAt.has(name)),
    columnsRemoved: before.columns.filter((name) => !afterAt.has(name)),
    differences,
    rowsCompared,
  };
}

/** Compares JSON values; nested ones are few and small. */
function sameValue(a: CellValue, b: CellValue): boolean {
  return (
    a === b || (typeof a === 'object' && typeof b === 'object' && JSON.stringify(a) === JSON.stringify(b))
  );
}

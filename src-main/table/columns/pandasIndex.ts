/** Shows the index of a pandas data frame as the first columns of its table in the data viewer. */

import type { Column } from './column.ts';

/**
 * Puts the index of a pandas frame first and names it like `reset_index`. A RangeIndex is not stored as a column, so it
 * is not shown. `metadata` = the schema's `pandas` entry, which may be invalid.
 */
export function orderColumns(columns: readonly Column[], metadata: string | null): readonly Column[] {
  const names = indexNames(metadata);
  if (names.length === 0) return columns;
  const index = names.flatMap((name) => columns.find((column) => column.fieldName === name) ?? []);
  const rest = columns.filter((column) => !index.includes(column));
  const usedNames = new Set(rest.map((column) => column.name));
  const renamed = index.map((column, level) => {
    const name = index.length === 1 ? 'index' : `level_${level}`;
    const unnamed = /^__index_level_\d+__$/.test(column.fieldName);
    return unnamed && !usedNames.has(name) ? { ...column, name } : column;
  });
  return [...renamed, ...rest];
}

/** `index_columns` contains names of stored columns and descriptions of ranges. */
function indexNames(metadata: string | null): readonly string[] {
  if (metadata === null) return [];
  let parsed: unknown;
  try {
    parsed = JSON.parse(metadata);
  } catch (error) {
    if (error instanceof SyntaxError) return [];
    throw error;
  }
  if (typeof parsed !== 'object' || parsed === null || !('index_columns' in parsed)) return [];
  const { index_columns: names } = parsed;
  return Array.isArray(names) ? names.filter((name): name is string => typeof name === 'string') : [];
}

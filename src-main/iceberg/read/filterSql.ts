import type { Predicate } from '../plan/filters.ts';
import { literalSql } from './literalSql.ts';

/** A condition of a scan as SQL over the expression of its column. NULL never matches; NaN only matches `!=`. */
export function filterSql(predicate: Predicate, column: string): string {
  if (predicate.value === null) return predicate.op === 'never' ? 'false' : `${column} IS NOT NULL`;
  const { type, op, value } = predicate;
  const condition = `${column} ${op} ${literalSql(value, type)}`;
  if (type.kind !== 'float' && type.kind !== 'double') return condition;
  // In DuckDB, NaN is greater than every number. If the file's statistics, which ignore NaN, decide a
  // comparison for all other values, DuckDB does not compare the values at all; isnan is always evaluated.
  return op === '!=' ? `(${condition} OR isnan(${column}))` : `${condition} AND NOT isnan(${column})`;
}

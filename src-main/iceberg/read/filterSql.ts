import type { Predicate } from '../plan/filters.ts';
import { literalSql } from './literalSql.ts';

/** A condition as SQL over the expression of its column. NULL never matches; NaN only matches `!=`. */
export function filterSql(predicate: Predicate, column: string): string {
  if (predicate.value === null) return predicate.op === 'never' ? 'false' : `${column} IS NOT NULL`;
  const { type, op, value } = predicate;
  const condition = `${column} ${op} ${literalSql(value, type)}`;
  if (type.kind !== 'float' && type.kind !== 'double') return condition;
  // For DuckDB, NaN is greater than every number. Where the statistics of a file, which leave NaN out, decide a comparison for all
  // other values, it does not compare at all: isnan always looks at the value.
  return op === '!=' ? `(${condition} OR isnan(${column}))` : `${condition} AND NOT isnan(${column})`;
}

import type { Predicate } from '../plan/filters.ts';
import { literalSql } from './literalSql.ts';

/** A condition as SQL over the expression of its column. NULL never matches; NaN only matches `!=`. */
export function filterSql(predicate: Predicate, column: string): string {
  if (predicate.value === null) return predicate.op === 'never' ? 'false' : `${column} IS NOT NULL`;
  const { type, op, value } = predicate;
  const condition = `${column} ${op} ${literalSql(value, type)}`;
  // For DuckDB, NaN is greater than every number.
  const excludesNan = (type.kind === 'float' || type.kind === 'double') && op.startsWith('>');
  return excludesNan ? `${condition} AND NOT isnan(${column})` : condition;
}

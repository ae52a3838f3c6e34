/**
 * Determines the kind of a table's column (number, time, text and so on), from which its alignment and filter operators
 * follow.
 */

import type { Row } from './tablePage.ts';
import type { FilterValue, Operator } from './tableQuery.ts';

/** The kind of a column's values: determines alignment, operators and the field of a filter. */
export type ColumnKind = 'number' | 'temporal' | 'bool' | 'text' | 'other';

const BY_DTYPE: readonly (readonly [RegExp, ColumnKind])[] = [
  [
    /^(u?int|float|double|half|decimal|long|short|byte|u?tinyint|u?smallint|u?bigint|hugeint|real)/i,
    'number',
  ],
  [/^(timestamp|datetime|date|time|duration|interval)/i, 'temporal'],
  [/^bool/i, 'bool'],
  [/^(large_)?(utf8|string|str|text|varchar|categor|dictionary|object|enum)/i, 'text'],
];
const LOOKS_TEMPORAL = /^\d{4}-\d{2}-\d{2}([ T]\d{2}:\d{2}|$)/;

/** The kind by the type that the server names, or by the loaded values if the type is not known yet. */
export function columnKind(dtype: string | null, rows: readonly Row[], column: number): ColumnKind {
  if (dtype !== null) {
    return BY_DTYPE.find(([pattern]) => pattern.test(dtype))?.[1] ?? 'other';
  }
  const kinds = new Set<ColumnKind>();
  for (const row of rows) {
    const value = row[column];
    if (value !== null && value !== undefined && value !== '') kinds.add(kindOfValue(value));
  }
  const [kind] = kinds;
  return kinds.size === 1 && kind !== undefined ? kind : 'text';
}

function kindOfValue(value: unknown): ColumnKind {
  if (typeof value === 'number') return 'number';
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'string') return LOOKS_TEMPORAL.test(value) ? 'temporal' : 'text';
  return 'other';
}

/** The operators that make sense for a kind, most likely first. */
export const OPERATORS_OF: Record<ColumnKind, readonly Operator[]> = {
  number: ['eq', 'ne', 'gt', 'ge', 'lt', 'le', 'between', 'in', 'not_in', 'is_null', 'not_null'],
  temporal: ['ge', 'gt', 'le', 'lt', 'between', 'eq', 'ne', 'in', 'not_in', 'is_null', 'not_null'],
  bool: ['eq', 'is_null', 'not_null'],
  text: [
    'contains',
    'not_contains',
    'eq',
    'ne',
    'in',
    'not_in',
    'starts_with',
    'ends_with',
    'regex',
    'gt',
    'ge',
    'lt',
    'le',
    'between',
    'is_null',
    'not_null',
  ],
  other: ['contains', 'is_null', 'not_null'],
};

/** How many values a condition takes. */
export function valuesOf(op: Operator): 0 | 1 | 2 | 'list' {
  if (op === 'in' || op === 'not_in') return 'list';
  if (op === 'is_null' || op === 'not_null') return 0;
  return op === 'between' ? 2 : 1;
}

/** The text of a filter's field as a value of the column; null if it is not one. */
export function filterValue(kind: ColumnKind, text: string): FilterValue | null {
  const trimmed = text.trim();
  if (kind === 'number') {
    const value = Number(trimmed.replace(',', '.'));
    return trimmed === '' || !Number.isFinite(value) ? null : value;
  }
  if (kind === 'bool') return trimmed === 'true';
  if (kind === 'temporal') return trimmed === '' ? null : trimmed;
  return text === '' ? null : text;
}

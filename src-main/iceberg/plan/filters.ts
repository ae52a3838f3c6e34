/** Binds the conditions of a scan (`column op value`) to the columns and types of an Iceberg table. */

import { IcebergError } from '../icebergError.ts';
import { type Field, isPrimitive, type Primitive, type TableSchema, typeText } from '../metadata/types.ts';
import type { Plain } from '../values/plain.ts';
import { literalOf } from './literals.ts';

/** The comparison of a condition. */
export type Operator = '=' | '!=' | '<' | '<=' | '>' | '>=';

/** One condition of a scan, as in the request. All conditions of a scan must be true. */
export interface ScanFilter {
  readonly column: string;
  readonly op: Operator;
  readonly value: string | number | bigint | boolean;
}

/**
 * A condition bound to a column. NULL never matches; NaN only matches `!=`. `never` and `present` are the
 * results of comparisons with a value that the type does not have: `int_column < 2.5` becomes `<= 2`,
 * `int_column = 2.5` is never true.
 */
export type Predicate =
  | { readonly field: Field; readonly type: Primitive; readonly op: Operator; readonly value: Plain }
  | {
      readonly field: Field;
      readonly type: Primitive;
      readonly op: 'never' | 'present';
      readonly value: null;
    };

const OPERATORS: ReadonlySet<string> = new Set(['=', '!=', '<', '<=', '>', '>=']);

/**
 * Binds the conditions of a request.
 * @throws IcebergError `invalid_request` for an unknown column, an unknown operator, or a value that does not fit the
 * column's type
 */
export function bindFilters(filters: readonly ScanFilter[], schema: TableSchema): readonly Predicate[] {
  return filters.map((filter) => bind(filter, columnNamed(schema, filter.column)));
}

/** The column of that name. @throws IcebergError `invalid_request` if there is none */
export function columnNamed(schema: TableSchema, name: string): Field {
  const field = schema.fields.find((column) => column.name === name);
  if (field !== undefined) return field;
  const names = schema.fields.map((column) => column.name);
  const nameList = names.length > 20 ? `${names.slice(0, 20).join(', ')}, …` : names.join(', ');
  throw new IcebergError(
    'invalid_request',
    `The table has no column "${name}". Its columns are ${nameList}.`,
  );
}

function bind({ column, op, value }: ScanFilter, field: Field): Predicate {
  if (!OPERATORS.has(op)) {
    throw new IcebergError(
      'invalid_request',
      `The filter on "${column}" has the operator ${JSON.stringify(op)}. Use =, !=, <, <=, > or >=.`,
    );
  }
  const { type } = field;
  if (!isPrimitive(type) || type.kind === 'unknown') {
    throw new IcebergError(
      'invalid_request',
      `The column "${column}" has the type ${typeText(type)}, which filters cannot compare. Filter by another column.`,
    );
  }
  const literal = literalOf(value, type);
  if (literal === null) {
    throw new IcebergError(
      'invalid_request',
      `The filter on "${column}" has a value that is not valid for its type, ${typeText(type)}.`,
    );
  }
  const outside = typeof literal.value === 'bigint' ? outsideOf(literal.value, type) : null;
  if (outside !== null) {
    const isMet = op === '!=' || (outside === 'above' ? op.startsWith('<') : op.startsWith('>'));
    return { field, type, op: isMet ? 'present' : 'never', value: null };
  }
  if (literal.isExact) return { field, type, op, value: literal.value };
  // The value is between literal.value and the next value of the type.
  switch (op) {
    case '=':
      return { field, type, op: 'never', value: null };
    case '!=':
      return { field, type, op: 'present', value: null };
    case '<':
    case '<=':
      return { field, type, op: '<=', value: literal.value };
    case '>':
    case '>=':
      return { field, type, op: '>', value: literal.value };
  }
}

/** Whether a whole number is above or below the range of the type. */
function outsideOf(value: bigint, type: Primitive): 'above' | 'below' | null {
  const largest = largestOf(type);
  if (value > largest) return 'above';
  return value < (type.kind === 'decimal' ? -largest : -largest - 1n) ? 'below' : null;
}

function largestOf(type: Primitive): bigint {
  if (type.kind === 'decimal') return 10n ** BigInt(type.precision) - 1n;
  return type.kind === 'int' || type.kind === 'date' ? 2n ** 31n - 1n : 2n ** 63n - 1n;
}

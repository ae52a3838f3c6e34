/**
 * Describes a table for the writers of pandas, polars and SQL code: its variable and columns, and literals of their
 * values.
 */

import { TABLE_CODE_WORDS } from '../../../words/tableCode.ts';
import type { ColumnKind } from '../columnKind.ts';
import type { Filter, FilterValue, TableQuery } from '../tableQuery.ts';
import { alternativesOf } from '../tableQuery.ts';

/** The properties of a column that code needs. */
export interface CodeColumn {
  readonly name: string;
  /** The type as the server names it; null: not known yet. */
  readonly dtype: string | null;
  readonly kind: ColumnKind;
}

/** The table that code is written for. */
export interface CodeTable {
  /** The variable whose value is the table. */
  readonly variable: string;
  /** All columns, in the order of the result. */
  readonly columns: readonly CodeColumn[];
  /** The names of the shown columns, in order; null: all columns in the order of the result. */
  readonly shown: readonly string[] | null;
  /** True if the variable is known to be a pandas frame; otherwise it may be a polars or Arrow table. */
  readonly isPandas: boolean;
}

export type CodeStyle = 'pandas' | 'polars' | 'sql';

/** A view that cannot be written as code; the message is the reason. */
export class NotWritable extends Error {
  override readonly name = 'NotWritable';
}

/** Matches texts that could occur in the shown values of numbers, times and booleans, and not only in text. */
const NOT_ONLY_TEXT = /^[0-9.+\-:,tz truefalsinfdays]*$/i;

/**
 * The columns that a search can match. A search for characters of numbers and times depends on how these are shown,
 * which code cannot reproduce. @throws NotWritable
 */
export function searchedColumns(table: CodeTable, search: string): readonly CodeColumn[] {
  const isText = (column: CodeColumn): boolean => column.kind === 'text';
  if (!table.columns.every(isText) && NOT_ONLY_TEXT.test(search)) {
    throw new NotWritable(TABLE_CODE_WORDS.searchNumbers(search));
  }
  if (table.columns.some(({ kind }) => kind === 'other')) {
    throw new NotWritable(TABLE_CODE_WORDS.searchNested);
  }
  return table.columns.filter(isText);
}

/** The column with this name. @throws NotWritable if there is none or several */
export function columnOf(table: CodeTable, name: string): CodeColumn {
  const column = table.columns.find((one) => one.name === name);
  if (column === undefined) throw new NotWritable(TABLE_CODE_WORDS.noColumn(name));
  if (table.columns.filter((one) => one.name === name).length > 1) {
    throw new NotWritable(TABLE_CODE_WORDS.twoColumns(name));
  }
  return column;
}

/** Each condition with its column. @throws NotWritable */
export function conditionsOf(
  table: CodeTable,
  query: TableQuery,
): readonly (readonly { readonly filter: Filter; readonly column: CodeColumn }[])[] {
  return query.filters.map((condition) =>
    alternativesOf(condition).map((filter) => ({ filter, column: columnOf(table, filter.col) })),
  );
}

/** A Python string literal of the text. */
export function pythonText(text: string): string {
  // JSON's escapes are valid in Python, except for lone surrogates, which no table contains.
  return JSON.stringify(text).replaceAll('\u007f', '\\x7f');
}

/** A Python literal of a number, text or boolean. In columns of numbers, long integers arrive as text. */
export function pythonValue(value: FilterValue, column: CodeColumn): string {
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value === 'number') return numberText(value);
  return column.kind === 'number' && /^-?\d+$/.test(value) ? value : pythonText(value);
}

export function numberText(value: number): string {
  return Object.is(value, -0) ? '0' : String(value).replace('e+', 'e');
}

/** Whether values of a column can be NaN as well as null. */
export function isFloat({ dtype }: CodeColumn): boolean {
  return dtype === null || /^(double|float|halffloat)/.test(dtype);
}

export function isCategory({ dtype }: CodeColumn): boolean {
  return dtype?.startsWith('dictionary') ?? false;
}

export function isDate({ dtype }: CodeColumn): boolean {
  return dtype?.startsWith('date') ?? false;
}

/** The time zone of a column of timestamps; null if it has none. */
export function zoneOf({ dtype }: CodeColumn): string | null {
  return /tz=([^\]]+)\]/.exec(dtype ?? '')?.[1] ?? null;
}

const MOMENT = /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,6})0*)?)?)?$/;

/**
 * Year, month, day, hour, minute, second, microsecond. @throws NotWritable for a value that code cannot express exactly
 */
export function momentParts(value: FilterValue, column: CodeColumn): readonly number[] {
  if (column.dtype !== null && !/^(timestamp|date)/.test(column.dtype)) {
    throw new NotWritable(TABLE_CODE_WORDS.durations(column.name));
  }
  const match = MOMENT.exec(String(value).trim());
  if (match === null) throw new NotWritable(TABLE_CODE_WORDS.moment(String(value)));
  const [, year, month, day, hour = '0', minute = '0', second = '0', fraction = ''] = match;
  return [year, month, day, hour, minute, second, fraction.padEnd(6, '0')].map(Number);
}

/** `2025-01-31` or `2025-01-31 12:00:00.5`. */
export function momentText(value: FilterValue, column: CodeColumn): string {
  const [year = 0, month = 0, day = 0, ...clock] = momentParts(value, column);
  const two = (part: number): string => String(part).padStart(2, '0');
  const date = `${String(year).padStart(4, '0')}-${two(month)}-${two(day)}`;
  if (clock.every((part) => part === 0)) return date;
  const [hour = 0, minute = 0, second = 0, micros = 0] = clock;
  const fraction = micros === 0 ? '' : `.${String(micros).padStart(6, '0')}`;
  return `${date} ${two(hour)}:${two(minute)}:${two(second)}${fraction}`;
}

/**
 * A regular expression with the same meaning in every library: `\d`, `\w` and `\s` match ASCII only, and there are no
 * capturing groups, about which pandas warns.
 */
export function portablePattern(pattern: string): string {
  let inClass = false;
  return pattern.replaceAll(/\\.|\(\?|[[\](]/gsu, (part) => {
    if (part === '[') inClass = true;
    if (part === ']') inClass = false;
    if (part === '(' && !inClass) return '(?:';
    const plain = ASCII[part];
    if (plain === undefined) return part;
    return inClass ? plain : `[${plain}]`;
  });
}

const ASCII: Readonly<Record<string, string>> = {
  '\\d': '0-9',
  '\\w': '0-9A-Za-z_',
  '\\s': ' \\t\\n\\r\\f\\v',
};

import { isNumeric, shortValue } from '../jsonText.ts';

/** How a column's values are written; `exact` is there where the text says less than the value. */
export interface ColumnFormat {
  readonly numeric: boolean;
  readonly format: (value: unknown) => { readonly text: string; readonly exact: string | null };
}

const MIDNIGHT = /^(\d{4}-\d{2}-\d{2})[ T]00:00:00(\.0+)?$/;
/** Beyond this many digits a decimal fraction mostly shows how binary fractions round. */
const DIGITS = 10;
const MAX_CHARACTERS = 500;

/** The format of one column, out of the rows that are shown: times that are all midnight are dates. */
export function columnFormat(rows: readonly (readonly unknown[])[], column: number): ColumnFormat {
  const numeric = isNumeric(rows, column);
  const dates = !numeric && isDates(rows, column);
  return {
    numeric,
    format: (value) => {
      const exact = shortValue(value);
      const text = shortened(value, exact, dates);
      return { text, exact: text === exact ? null : exact };
    },
  };
}

function shortened(value: unknown, exact: string, dates: boolean): string {
  if (typeof value === 'number' && !Number.isInteger(value)) return String(Number(value.toPrecision(DIGITS)));
  if (dates) return MIDNIGHT.exec(exact)?.[1] ?? exact;
  return exact.slice(0, MAX_CHARACTERS);
}

function isDates(rows: readonly (readonly unknown[])[], column: number): boolean {
  let seen = false;
  for (const row of rows) {
    const value = row[column];
    if (value === null || value === undefined) continue;
    if (typeof value !== 'string' || !MIDNIGHT.test(value)) return false;
    seen = true;
  }
  return seen;
}

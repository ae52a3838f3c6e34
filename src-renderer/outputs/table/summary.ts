/** Writes the summary of a table's column: the line in its header and the sentence in its tooltip. */

import { countText } from '../../words/strings.ts';
import { TABLE_WORDS } from '../../words/table.ts';
import { shortValue } from '../jsonText.ts';
import type { ColumnKind } from './columnKind.ts';

/** The server's summary of one column, over all rows of the result. */
export interface ColumnSummary {
  readonly name: string;
  readonly dtype: string;
  readonly nulls: number;
  readonly distinct: number;
  readonly min?: unknown;
  readonly max?: unknown;
}

/** The line below a column's name: the range of numbers and times; for other kinds, the type and distinct values. */
export function summaryLine(summary: ColumnSummary, kind: ColumnKind): string {
  const nulls = summary.nulls === 0 ? [] : [TABLE_WORDS.nulls(countText(summary.nulls))];
  const range = rangeOf(summary);
  if (kind === 'number' && range !== null) return [range, ...nulls].join(' · ');
  if (kind === 'temporal') return [shortType(summary.dtype), ...nulls].join(' · ');
  return [shortType(summary.dtype), countText(summary.distinct), ...nulls].join(' · ');
}

/** The complete summary of a column in one sentence, for the tooltip and for screen readers. */
export function summarySentence(summary: ColumnSummary): string {
  const range = rangeOf(summary);
  return [
    summary.dtype,
    TABLE_WORDS.nulls(countText(summary.nulls)),
    TABLE_WORDS.distinct(countText(summary.distinct)),
    ...(range === null ? [] : [range]),
  ].join(', ');
}

function rangeOf({ min, max }: ColumnSummary): string | null {
  if (min === null || min === undefined || max === null || max === undefined) return null;
  return TABLE_WORDS.between(valueText(min), valueText(max));
}

function valueText(value: unknown): string {
  if (typeof value === 'number' && !Number.isInteger(value)) return String(Number(value.toPrecision(5)));
  return shortValue(value).replace(/[T ]00:00:00(\.0+)?$/, '');
}

/** A short name of a type: `timestamp[us, tz=UTC]` is a timestamp, `large_string` is text. */
function shortType(dtype: string): string {
  if (/string|utf8|object/i.test(dtype)) return 'text';
  return dtype.replace(/[[(<].*$/, '').replace(/\d+$/, '');
}

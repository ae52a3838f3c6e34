/** Computes the bars, with their texts, that show how the values of a table's column are distributed. */

import type { ColumnDistribution } from '../../../src-shared/wire/routes/extensions.ts';
import { countText } from '../../words/strings.ts';
import { TABLE_WORDS } from '../../words/table.ts';
import { shortValue } from '../jsonText.ts';

/** One bar, with the text shown when it is pointed at. */
export interface Bar {
  readonly count: number;
  readonly words: string;
  /** True for the bar of all values without a bar of their own. */
  readonly rest: boolean;
}

/** The most characters of a text in a label. */
const LABEL_LENGTH = 24;

/** The bars of a column of `total` rows; none if its values have no distribution. */
export function barsOf({ spread }: ColumnDistribution, total: number): readonly Bar[] {
  switch (spread.kind) {
    case 'bins':
      return spread.bins.map(({ from, to, count }) => ({
        count,
        words: TABLE_WORDS.bar(rangeText(from, to), countText(count)),
        rest: false,
      }));
    case 'values': {
      const bar = (name: string, count: number, rest: boolean): Bar => ({
        count,
        words: TABLE_WORDS.barOf(name, countText(count), shareText(count / total)),
        rest,
      });
      const others = spread.others === 0 ? [] : [bar(TABLE_WORDS.otherValues, spread.others, true)];
      return [...spread.values.map(({ value, count }) => bar(nameText(value), count, false)), ...others];
    }
    case 'none':
      return [];
    default:
      return spread satisfies never;
  }
}

function nameText(value: unknown): string {
  if (value === '') return TABLE_WORDS.emptyText;
  const text = shortValue(value).replace(/\s+/g, ' ');
  return text.length > LABEL_LENGTH ? `${text.slice(0, LABEL_LENGTH - 1)}…` : text;
}

function shareText(share: number): string {
  const percent = Math.round(share * 100);
  return percent === 0 && share > 0 ? '<1' : String(percent);
}

/** A range, with no more digits than needed to distinguish its ends. */
export function rangeText(from: unknown, to: unknown): string {
  if (from === to) return wholeText(from);
  if (typeof from === 'number' && typeof to === 'number') return numbersText(from, to);
  if (typeof from === 'string' && typeof to === 'string') return timesText(from, to);
  return TABLE_WORDS.between(shortValue(from), shortValue(to));
}

function wholeText(value: unknown): string {
  if (typeof value === 'number' && !Number.isInteger(value)) return String(Number(value.toPrecision(5)));
  return shortValue(value).replace(MIDNIGHT, '').replace('T', ' ');
}

/** A range of numbers, precise to a tenth of its width, with at least one decimal if it is narrower than 100. */
function numbersText(from: number, to: number): string {
  const decimals = Math.max(to - from < 100 ? 1 : 0, Math.ceil(-Math.log10(to - from)) + 1);
  if (Number.isInteger(from) && Number.isInteger(to)) return TABLE_WORDS.between(String(from), String(to));
  const text = (value: number): string =>
    decimals > 20 || Math.abs(value) >= 1e15
      ? String(Number(value.toPrecision(5)))
      : String(Number(value.toFixed(decimals)));
  return TABLE_WORDS.between(text(from), text(to));
}

const MIDNIGHT = /[T ]00:00:00(\.0+)?$/;
const STAMP = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2})(:\d{2})?\S*)?$/;
const TWO_DAYS_MS = 2 * 86_400_000;

/** A range of times: only the days if they are at least two days apart, else with the time; the same day only once. */
function timesText(from: string, to: string): string {
  const [, fromDay = '', fromTime, fromSeconds = ''] = STAMP.exec(from) ?? [];
  const [, toDay = '', toTime, toSeconds = ''] = STAMP.exec(to) ?? [];
  if (fromDay === '' || toDay === '') return TABLE_WORDS.between(from, to);
  const apart = Date.parse(toDay) - Date.parse(fromDay);
  const days = fromTime === undefined || toTime === undefined || apart >= TWO_DAYS_MS;
  if (days || (MIDNIGHT.test(from) && MIDNIGHT.test(to))) return TABLE_WORDS.between(fromDay, toDay);
  if (fromDay !== toDay) return TABLE_WORDS.between(`${fromDay} ${fromTime}`, `${toDay} ${toTime}`);
  if (fromTime !== toTime) return TABLE_WORDS.between(`${fromDay} ${fromTime}`, toTime);
  return TABLE_WORDS.between(`${fromDay} ${fromTime}${fromSeconds}`, `${toTime}${toSeconds}`);
}

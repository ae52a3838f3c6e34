/** Converts the dates and times of PostgreSQL from text to the numbers of Arrow. */

import { UnsupportedValue } from '../unsupportedValue.ts';

const DATE = /^(\d{4,})-(\d{2})-(\d{2})( BC)?$/;
const TIME = /^(\d{2}):(\d{2}):(\d{2})(?:\.(\d{1,6}))?$/;
const TIMESTAMP =
  /^(\d{4,}-\d{2}-\d{2}) (\d{2}:\d{2}:\d{2}(?:\.\d{1,6})?)(?:([+-])(\d{2})(?::(\d{2}))?(?::(\d{2}))?)?( BC)?$/;
const DAY_SECONDS = 86_400;

/** `2024-02-29`, `0044-03-15 BC` → days since 1970-01-01. */
export function dateDays(text: string): number {
  const match = DATE.exec(text);
  if (match === null) throw notFinite(text, 'date');
  const [, year, month, day, era] = match;
  return daysOf(era === undefined ? Number(year) : 1 - Number(year), Number(month), Number(day));
}

/** `13:05:09.00012` → microseconds since midnight. */
export function timeMicros(text: string): bigint {
  const match = TIME.exec(text);
  if (match === null) throw new UnsupportedValue(`"${text}", which is not a time; cast it: "column"::text.`);
  const [, hour, minute, second, fraction] = match;
  // PostgreSQL has the time 24:00, Arrow does not.
  if (hour === '24')
    throw new UnsupportedValue(`${text}, which Arrow has no time for; cast it: "column"::text.`);
  return secondsToMicros(Number(hour) * 3_600 + Number(minute) * 60 + Number(second), fraction);
}

/** `2024-02-29 13:05:09.5`, with an offset for timestamptz → microseconds since the epoch. */
export function timestampMicros(text: string): bigint {
  const match = TIMESTAMP.exec(text);
  if (match === null) throw notFinite(text, 'timestamp');
  const [, date = '', time = '', sign, hours = '0', minutes = '0', seconds = '0', era = ''] = match;
  const offset = (Number(hours) * 3_600 + Number(minutes) * 60 + Number(seconds)) * (sign === '-' ? -1 : 1);
  return secondsToMicros(dateDays(`${date}${era}`) * DAY_SECONDS - offset, undefined) + timeMicros(time);
}

function secondsToMicros(seconds: number, fraction: string | undefined): bigint {
  return BigInt(seconds) * 1_000_000n + BigInt((fraction ?? '').padEnd(6, '0'));
}

function notFinite(text: string, kind: string): UnsupportedValue {
  return new UnsupportedValue(
    /infinity/.test(text)
      ? `${text}, which Arrow has no ${kind} for; use nullif("column", '${text}') or cast it: "column"::text.`
      : `"${text}", which is not a ${kind} in ISO style; cast it: "column"::text.`,
  );
}

/** Days in the proleptic Gregorian calendar with a year 0. Date.UTC would read years below 100 as 19xx. */
function daysOf(year: number, month: number, day: number): number {
  const date = new Date(0);
  date.setUTCFullYear(2_000 + (year % 400), month - 1, day);
  // 400 years have 146,097 days. PostgreSQL's range of years is larger than Date's.
  return date.getTime() / 86_400_000 + (Math.trunc(year / 400) - 5) * 146_097;
}

import { NoPlace } from '../noPlace.ts';

/** What DuckDB keeps `infinity` as: the largest number of the kind, which Arrow would take for a day like any other. */
const LAST_DAY = 2_147_483_647;
const LAST_TICK = 9_223_372_036_854_775_807n;

/** What is to be thrown for a day or an instant without end; null: it is one like any other. */
export function endless(value: number | bigint, kind: 'date' | 'timestamp'): NoPlace | null {
  const last = typeof value === 'bigint' ? LAST_TICK : LAST_DAY;
  if (value !== last && value !== -last) return null;
  const text = value > 0 ? 'infinity' : '-infinity';
  return new NoPlace(
    `${text}, which Arrow has no ${kind} for; use nullif("column", '${text}') or cast it: "column"::text.`,
  );
}

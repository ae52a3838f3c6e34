/** Refuses DuckDB's infinite dates and timestamps, which Arrow cannot represent. */

import { UnsupportedValue } from '../unsupportedValue.ts';

/** How DuckDB stores `infinity`: as the largest number, which Arrow would take for an ordinary day. */
const LAST_DAY = 2_147_483_647;
const LAST_TICK = 9_223_372_036_854_775_807n;

/** The error for an infinite day or instant; null for an ordinary one. */
export function infiniteTimeError(
  value: number | bigint,
  kind: 'date' | 'timestamp',
): UnsupportedValue | null {
  const last = typeof value === 'bigint' ? LAST_TICK : LAST_DAY;
  if (value !== last && value !== -last) return null;
  const text = value > 0 ? 'infinity' : '-infinity';
  return new UnsupportedValue(
    `${text}, which Arrow has no ${kind} for; use nullif("column", '${text}') or cast it: "column"::text.`,
  );
}

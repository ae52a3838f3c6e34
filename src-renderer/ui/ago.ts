/** Relative times: "5 minutes ago", "yesterday". */

/** Created at its first use, because that takes a tenth of a second, which would delay the first paint. */
let format: Intl.RelativeTimeFormat | null = null;
const UNITS: readonly [unit: Intl.RelativeTimeFormatUnit, ms: number][] = [
  ['year', 365 * 86_400_000],
  ['month', 30 * 86_400_000],
  ['week', 7 * 86_400_000],
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
];

/** "yesterday", "3 hours ago": the time since `atMs`, rounded to its largest unit. */
export function agoText(atMs: number, nowMs: number): string {
  const passed = Math.max(0, nowMs - atMs);
  const entry = UNITS.find(([, ms]) => passed >= ms);
  if (entry === undefined) return 'just now';
  const [unit, ms] = entry;
  format ??= new Intl.RelativeTimeFormat('en', { numeric: 'auto', style: 'long' });
  return format.format(-Math.floor(passed / ms), unit);
}

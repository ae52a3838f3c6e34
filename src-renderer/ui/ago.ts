/** Times as people say them: "5 minutes ago", "yesterday". */

/** Made at its first use: that takes a tenth of a second, which the first paint would wait for. */
let format: Intl.RelativeTimeFormat | null = null;
const UNITS: readonly [unit: Intl.RelativeTimeFormatUnit, ms: number][] = [
  ['year', 365 * 86_400_000],
  ['month', 30 * 86_400_000],
  ['week', 7 * 86_400_000],
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
];

/** "yesterday", "3 hours ago": how long ago something was, never more exact than useful. */
export function agoText(atMs: number, nowMs: number): string {
  const passed = Math.max(0, nowMs - atMs);
  const entry = UNITS.find(([, ms]) => passed >= ms);
  if (entry === undefined) return 'just now';
  const [unit, ms] = entry;
  format ??= new Intl.RelativeTimeFormat('en', { numeric: 'auto', style: 'long' });
  return format.format(-Math.floor(passed / ms), unit);
}

/** Computes the local time of timestamps in a table's column with a time zone. */

/** A function that returns the seconds that local time is ahead of UTC at a second since 1970. */
type ZoneOffset = (utcSeconds: number) => number;

const cached = new Map<string, ZoneOffset>();

/** The offsets of an Arrow zone: `UTC`, `+02:00` or a name of the time zone database. Unknown names count as UTC. */
export function zoneOffsetOf(zone: string): ZoneOffset {
  const existing = cached.get(zone);
  if (existing !== undefined) return existing;
  const offset = makeOffset(zone);
  cached.set(zone, offset);
  return offset;
}

function makeOffset(zone: string): ZoneOffset {
  if (/^(UTC|GMT|Z|Etc\/UTC)$/i.test(zone)) return () => 0;
  const fixed = /^([+-])(\d{2}):?(\d{2})$/.exec(zone);
  if (fixed !== null) {
    const seconds = (Number(fixed[2]) * 60 + Number(fixed[3])) * 60 * (fixed[1] === '-' ? -1 : 1);
    return () => seconds;
  }
  let format: Intl.DateTimeFormat;
  try {
    format = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      timeZoneName: 'longOffset',
      year: 'numeric',
    });
  } catch (error) {
    if (error instanceof RangeError) return () => 0;
    throw error;
  }
  // Offsets only change at quarter hours; a call of Intl for each row would take microseconds.
  const quarters = new Map<number, number>();
  return (utcSeconds) => {
    const quarter = Math.floor(utcSeconds / 900);
    const cachedOffset = quarters.get(quarter);
    if (cachedOffset !== undefined) return cachedOffset;
    const offset = intlOffset(format, quarter * 900_000);
    if (quarters.size > 200_000) quarters.clear();
    quarters.set(quarter, offset);
    return offset;
  };
}

const LAST_DATE_MS = 8.64e15;

function intlOffset(format: Intl.DateTimeFormat, ms: number): number {
  if (Math.abs(ms) > LAST_DATE_MS) return 0;
  const name = format.formatToParts(ms).find((part) => part.type === 'timeZoneName')?.value ?? 'GMT';
  const match = /^GMT(?:([+-])(\d{1,2}):(\d{2})(?::(\d{2}))?)?$/.exec(name);
  if (match?.[1] === undefined) return 0;
  const seconds = Number(match[2]) * 3600 + Number(match[3]) * 60 + Number(match[4] ?? 0);
  return match[1] === '-' ? -seconds : seconds;
}

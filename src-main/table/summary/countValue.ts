/**
 * Formats an integer of a column's summary in the unit of the column, as a table page shows its values (`cellValue`).
 */

import { dateText } from '../../lib/civil.ts';
import type { ArrowType } from '../columns/arrowType.ts';
import { type CellValue, decimalText } from '../columns/cellValue.ts';
import { durationText, timestampText, timeText } from '../columns/temporalText.ts';

const DAY_MS = 86_400_000n;

/** The value for a count. @param count in the unit of the column: days, nanoseconds, hundredths of a decimal … */
export function countValue(type: ArrowType, count: bigint): CellValue {
  switch (type.kind) {
    case 'decimal':
      return decimalText(count, type.scale);
    case 'date':
      return dateText(Number(type.unit === 'day' ? count : daysOf(count)));
    case 'time':
      return timeText(count, type.unit);
    case 'timestamp':
      return timestampText(count, type.unit, type.zone);
    case 'duration':
      return durationText(count, type.unit);
    default:
      return Number.isSafeInteger(Number(count)) ? Number(count) : count.toString();
  }
}

/** The day of a time, rounded down, also before 1970. */
function daysOf(ms: bigint): bigint {
  const days = ms / DAY_MS;
  return days * DAY_MS > ms ? days - 1n : days;
}

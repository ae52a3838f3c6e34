/** Tests whether a range of values may contain a match for a condition of a scan. */

import { comparePlain, type Plain } from '../values/plain.ts';

/** The known range of the values in a file, a partition or a group of files. Null: unknown. */
interface KnownRange {
  readonly lower: Plain | null;
  readonly upper: Plain | null;
}

/** A condition that every matching value must meet. */
export interface RangeTest {
  readonly op: '=' | '<' | '<=' | '>' | '>=';
  readonly value: Plain;
}

/** Whether a value in the range may meet the condition. */
export function mayMeet({ lower, upper }: KnownRange, { op, value }: RangeTest): boolean {
  switch (op) {
    case '=':
      return (
        (lower === null || comparePlain(lower, value) <= 0) &&
        (upper === null || comparePlain(upper, value) >= 0)
      );
    case '<':
      return lower === null || comparePlain(lower, value) < 0;
    case '<=':
      return lower === null || comparePlain(lower, value) <= 0;
    case '>':
      return upper === null || comparePlain(upper, value) > 0;
    case '>=':
      return upper === null || comparePlain(upper, value) >= 0;
  }
}

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ALL_LINES, lineAtRow, ROW_HEIGHT, rowStarts, windowOf } from './lineWindow.ts';

test.each<[string, Parameters<typeof windowOf>, ReturnType<typeof windowOf>]>([
  [
    'few lines are all drawn',
    [ALL_LINES, null, { top: 900, height: 400 }],
    { first: 0, end: 500, before: 0, rows: 500 },
  ],
  [
    'the end is followed',
    [100_000, null, { top: null, height: 396 }],
    { first: 99_948, end: 100_000, before: 99_948, rows: 100_000 },
  ],
  [
    'a place in between',
    [100_000, null, { top: 1_000 * ROW_HEIGHT, height: 180 }],
    { first: 970, end: 1_041, before: 970, rows: 100_000 },
  ],
  [
    'beyond the end',
    [1_000, null, { top: 9e9, height: 180 }],
    { first: 999, end: 1_000, before: 999, rows: 1_000 },
  ],
])('%s', (_name, args, expected) => {
  expect(windowOf(...args)).toEqual(expected);
});

test('draws the visible lines for wrapped lines of any length', () => {
  fc.assert(
    fc.property(
      fc.array(fc.nat(400), { minLength: ALL_LINES + 1, maxLength: 700 }),
      fc.integer({ min: 10, max: 120 }),
      fc.nat(3_000),
      (widths, columns, topRow) => {
        const starts = rowStarts(widths.length, (at) => widths[at] ?? 0, columns);
        const rows = starts[widths.length] ?? 0;
        const top = Math.min(topRow, rows - 1);
        const range = windowOf(widths.length, starts, { top: top * ROW_HEIGHT, height: 10 * ROW_HEIGHT });
        expect(range.first).toBeLessThanOrEqual(lineAtRow(widths.length, starts, top));
        const last = Math.min(rows - 1, top + 9);
        expect(range.end).toBeGreaterThan(lineAtRow(widths.length, starts, last));
        expect(range.before).toBe(starts[range.first]);
      },
    ),
    { numRuns: 60 },
  );
});

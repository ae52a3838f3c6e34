import fc from 'fast-check';
import { expect, test } from 'vitest';
import { columnSpan, MAX_HEIGHT, ROW_HEIGHT, rowSpan, scaleOf } from './gridWindow.ts';

test.each<[Parameters<typeof rowSpan>, ReturnType<typeof rowSpan>]>([
  [[0, 0, 400], { first: 0, end: 0 }],
  [[5, 0, 400], { first: 0, end: 5 }],
  [[10_000, 5_000 * ROW_HEIGHT, 250], { first: 4_988, end: 5_022 }],
  [[100, 1e9, 250], { first: 99, end: 100 }],
])('of rows %j the span %j is drawn', (args, expected) => {
  expect(rowSpan(...args)).toEqual(expected);
});

test('draws the visible columns for any widths', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 48, max: 400 }), { minLength: 1, maxLength: 300 }),
      fc.nat(50_000),
      fc.integer({ min: 100, max: 2_500 }),
      (widths, left, width) => {
        const edges = [0];
        for (const one of widths) edges.push((edges.at(-1) ?? 0) + one);
        const { first, end } = columnSpan(edges, 0, { left, width });
        const visible = widths.flatMap((_one, at) =>
          (edges[at + 1] ?? 0) > left && (edges[at] ?? 0) < left + width ? [at] : [],
        );
        expect(visible.every((at) => at >= first && at < end)).toBe(true);
      },
    ),
  );
});

test('a scroll bar of supported height reaches all of ten million rows', () => {
  const scale = scaleOf(10_000_000, 600);
  expect(scale.height).toBe(MAX_HEIGHT);
  expect(scale.toTop(0)).toBe(0);
  expect(scale.toTop(MAX_HEIGHT - 600)).toBeCloseTo(10_000_000 * ROW_HEIGHT - 600);
  expect(scale.toTop(scale.toBar(123_456_789))).toBeCloseTo(123_456_789);
  expect(scaleOf(1_000, 600).toTop(321)).toBe(321);
});

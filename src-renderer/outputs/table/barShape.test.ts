import { expect, test } from 'vitest';
import { barAt, barShape } from './barShape.ts';
import type { Bar } from './distribution.ts';

const bars = (...counts: readonly number[]): Bar[] =>
  counts.map((count) => ({ count, words: '', rest: false }));

test.each<[string, readonly Bar[], number, { width: number; pitch: number }]>([
  ['few bars have a limited width', bars(1, 2, 3), 300, { width: 35, pitch: 12 }],
  ['many bars share the width, in whole pixels', bars(...Array(24).fill(1)), 90, { width: 71, pitch: 3 }],
  [
    'many bars in a wide column have a limited width',
    bars(...Array(24).fill(1)),
    500,
    { width: 119, pitch: 5 },
  ],
  ['without a gap if there is no space for one', bars(...Array(24).fill(1)), 30, { width: 30, pitch: 1.25 }],
  ['none', [], 90, { width: 0, pitch: 12 }],
])('%s', (_name, all, room, wanted) => {
  expect(barShape(all, room)).toMatchObject(wanted);
});

test('the highest bar fills the height, and a single row among many is visible', () => {
  const rest: Bar = { count: 50_000, words: '', rest: true };
  const shape = barShape([...bars(100_000, 0, 1), rest], 100);
  expect(shape.bars).toBe('M0 18v-18h11v18zM24 18v-1h11v1z');
  expect(shape.rest).toBe('M36 18v-9h11v9z');
  expect([-3, 0, 11.9, 12, 47, 90].map((x) => barAt(shape, 4, x))).toEqual([0, 0, 0, 1, 3, 3]);
});

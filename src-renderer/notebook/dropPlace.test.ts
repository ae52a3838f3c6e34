import { expect, test } from 'vitest';
import { gapAt, gapOf } from './dropPlace.ts';

const boxes = ['a', 'b', 'c'].map((id, at) => ({ id, top: at * 100, bottom: at * 100 + 90 }));

test.each<[number, number, string | null, number]>([
  [-50, 0, 'a', -5],
  [10, 0, 'a', -5],
  [60, 1, 'b', 95],
  [140, 1, 'b', 95],
  [240, 2, 'c', 195],
  [280, 3, null, 295],
  [900, 3, null, 295],
])('a drop at %i selects gap %i', (y, index, beforeId, line) => {
  expect(gapAt(boxes, y)).toEqual({ index, beforeId, y: line });
});

test('without other cells there is no gap, and no gap outside of the notebook', () => {
  expect(gapAt([], 5)).toBeNull();
  expect(gapOf(boxes, 9).index).toBe(3);
  expect(gapOf(boxes, -1).index).toBe(0);
});

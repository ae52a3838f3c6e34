import { expect, test } from 'vitest';
import { type Span, scrollToShow } from './scrollToShow.ts';

const BOX: Span = { top: 40, bottom: 440 };

test.each<[string, Span, number, number]>([
  ['in the middle', { top: 200, bottom: 220 }, 20, 0],
  ['at the lower edge, with its margin', { top: 400, bottom: 420 }, 20, 0],
  ['a line below that', { top: 420, bottom: 440 }, 20, 20],
  ['far below', { top: 1295, bottom: 1315 }, 20, 895],
  ['at the upper edge', { top: 40, bottom: 60 }, 20, -20],
  ['far above', { top: -300, bottom: -280 }, 0, -340],
])('a caret %s', (_name, caret, margin, by) => {
  expect(scrollToShow(BOX, caret, margin)).toBe(by);
});

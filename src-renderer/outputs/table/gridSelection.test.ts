import { expect, test } from 'vitest';
import type { GridPlace } from './gridSelection.ts';
import { cellAfterKey, HEADER_ROW, rectangleOf, tsvOf } from './gridSelection.ts';

const bounds = { firstRow: 20, lastRow: 29, columns: 5, pageRows: 4 };
const at = (row: number, column: number): GridPlace => ({ row, column });

test.each<[string, GridPlace, string, boolean, GridPlace | null]>([
  ['down', at(20, 1), 'ArrowDown', false, at(21, 1)],
  ['down from the header', at(HEADER_ROW, 1), 'ArrowDown', false, at(20, 1)],
  ['down at the end', at(29, 1), 'ArrowDown', false, at(29, 1)],
  ['up into the header', at(20, 1), 'ArrowUp', false, at(HEADER_ROW, 1)],
  ['up at the header', at(HEADER_ROW, 1), 'ArrowUp', false, at(HEADER_ROW, 1)],
  ['left at the edge', at(22, 0), 'ArrowLeft', false, at(22, 0)],
  ['right at the edge', at(22, 4), 'ArrowRight', false, at(22, 4)],
  ['far right', at(22, 1), 'ArrowRight', true, at(22, 4)],
  ['home', at(22, 3), 'Home', false, at(22, 0)],
  ['end', at(22, 3), 'End', false, at(22, 4)],
  ['far home', at(25, 3), 'Home', true, at(20, 0)],
  ['far end', at(22, 1), 'End', true, at(29, 4)],
  ['page down', at(22, 1), 'PageDown', false, at(26, 1)],
  ['page down beyond', at(28, 1), 'PageDown', false, at(29, 1)],
  ['page up', at(22, 1), 'PageUp', false, at(20, 1)],
  ['another key', at(22, 1), 'x', false, null],
])('%s', (_name, from, key, far, expected) => {
  expect(cellAfterKey(from, { key, far }, bounds)).toEqual(expected);
});

test('an empty answer keeps the active cell in the header', () => {
  const empty = { ...bounds, firstRow: 0, lastRow: -1 };
  expect(cellAfterKey(at(HEADER_ROW, 1), { key: 'ArrowDown', far: false }, empty)).toEqual(at(HEADER_ROW, 1));
});

test('a selection is a rectangle in any drag direction, without the header', () => {
  expect(rectangleOf({ anchor: at(24, 3), active: at(HEADER_ROW, 1) }, 20)).toEqual({
    top: 20,
    bottom: 24,
    left: 1,
    right: 3,
  });
});

test('what is copied keeps its columns', () => {
  expect(
    tsvOf([
      ['a\tb', '1'],
      ['c\r\nd', ''],
    ]),
  ).toBe('a b\t1\nc d\t');
});

import { expect, test } from 'vitest';
import { arrangeColumns, type GridColumn, moveBeside } from './columnLayout.ts';
import { rowNumber } from './rowNumber.ts';
import { isNested, isPicture } from './valueKind.ts';

const format = (): { text: string; exact: null } => ({ text: '', exact: null });
const columns = ['a', 'b', 'c', 'd'].map(
  (name, at): GridColumn => ({
    at,
    name,
    label: name,
    kind: 'text',
    format,
    width: 100,
    fixed: false,
    pinned: name === 'd',
  }),
);

test.each<readonly [order: readonly string[], hidden: readonly string[], shown: string]>([
  [[], [], 'd a b c'],
  [['c', 'a', 'b', 'd'], [], 'd c a b'],
  [['c', 'a', 'b', 'd'], ['a'], 'd c b'],
  [['c', 'gone', 'a'], [], 'd c b a'],
])('[TB-6] the order %j without %j shows %s', (order, hidden, shown) => {
  expect(
    arrangeColumns(columns, { order, hidden })
      .map(({ name }) => name)
      .join(' '),
  ).toBe(shown);
});

test.each([
  ['a', { beside: 'c', after: true }, 'b c a d'],
  ['d', { beside: 'a', after: false }, 'd a b c'],
  ['b', { beside: 'b', after: true }, 'a b c d'],
])('[TB-6] %s is placed next to another column', (name, to, order) => {
  expect(moveBeside(['a', 'b', 'c', 'd'], name, to).join(' ')).toBe(order);
});

test.each([
  ['12', 12],
  [' 1,200 ', 1200],
  ['1 200', 1200],
  ['0', null],
  ['5001', null],
  ['-3', null],
  ['', null],
  ['x', null],
])('[TB-9] %j is the row %s of 5,000', (text, row) => {
  expect(rowNumber(text, 5_000)).toBe(row);
});

test.each<readonly [unknown, boolean, boolean]>([
  [{ a: 1 }, true, false],
  [[1], true, false],
  [{}, false, false],
  [null, false, false],
  ['data:image/png;base64,iVBORw0KGgo=', false, true],
  ['data:image/svg+xml;base64,PHN2Zz4=', false, false],
  ['https://example.org/a.png', false, false],
  ['data:image/png;base64,a" onload="x', false, false],
])('[TB-10] %j: a tree %s, a picture %s', (value, tree, picture) => {
  expect([isNested(value), isPicture(value)]).toEqual([tree, picture]);
});

import { expect, test } from 'vitest';
import { columnKind, filterValue, OPERATORS_OF, valuesOf } from './columnKind.ts';
import { OPERATORS } from './tableQuery.ts';

test.each<[string | null, unknown[], ReturnType<typeof columnKind>]>([
  ['int64', [], 'number'],
  ['decimal128(10, 2)', [], 'number'],
  ['timestamp[us, tz=UTC]', [], 'temporal'],
  ['date32', [], 'temporal'],
  ['bool', [], 'bool'],
  ['large_string', [], 'text'],
  ['list<int64>', [], 'other'],
  [null, [1, null, 2.5], 'number'],
  [null, [true, null], 'bool'],
  [null, ['2025-01-01 00:03'], 'temporal'],
  [null, ['a', 1], 'text'],
  [null, [null], 'text'],
  [null, [[1]], 'other'],
])('a column of %j with %j is of kind %s', (dtype, values, kind) => {
  expect(
    columnKind(
      dtype,
      values.map((value) => [value]),
      0,
    ),
  ).toBe(kind);
});

test.each<[Parameters<typeof filterValue>, ReturnType<typeof filterValue>]>([
  [['number', ' 1,5 '], 1.5],
  [['number', 'x'], null],
  [['number', ''], null],
  [['text', ' a '], ' a '],
  [['text', ''], null],
  [['bool', 'false'], false],
  [['temporal', '2025-01-01'], '2025-01-01'],
])('a field with %j holds %j', (args, value) => {
  expect(filterValue(...args)).toBe(value);
});

test('every operator of the route can be chosen for some column, and takes its values', () => {
  const offered = new Set(Object.values(OPERATORS_OF).flat());
  expect([...OPERATORS].filter((op) => !offered.has(op))).toEqual([]);
  expect(OPERATORS.map(valuesOf)).toEqual([1, 1, 1, 1, 1, 1, 2, 'list', 'list', 1, 1, 1, 1, 1, 0, 0]);
});

import { expect, it } from 'vitest';
import type { Cell } from '../../src-shared/wire/cell.ts';
import { sharedNames, sharedSymbols } from './sharedNames.ts';

const cell = (part: Partial<Cell>) => part as Cell; // only the fields that are read
const exports = [
  { name: 'K', kind: 'constant' },
  { name: 'P', kind: 'class' },
  { name: 'area', kind: 'function' },
];

it('lists functions and classes, not constants', () => {
  expect(sharedNames({ module_exports: exports })).toEqual(['P', 'area']);
  expect(sharedNames({})).toEqual([]);
});

it('lists the readers of each', () => {
  const maker = cell({ module_exports: exports, downstream_ids: ['a', 'b', 'gone'] });
  const cells = {
    a: { cell: cell({ references: ['P', 'area'] }) },
    b: { cell: cell({ references: ['area', 'x'] }) },
  };
  expect(sharedSymbols({ cells } as never, maker)).toEqual([
    { name: 'K', kind: 'constant', readers: [] },
    { name: 'P', kind: 'class', readers: ['a'] },
    { name: 'area', kind: 'function', readers: ['a', 'b'] },
  ]);
});

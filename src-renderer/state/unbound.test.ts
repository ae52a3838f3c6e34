import { expect, test } from 'vitest';
import { fakeCell } from '../../e2e/support/fakeServerNotebook.ts';
import type { Cell } from '../../src-shared/wire/cell.ts';
import { cellModelOf, emptyNotebook } from './notebookModel.ts';
import { unboundNames } from './unbound.ts';

const ROWS: readonly [
  what: string,
  cell: Partial<Cell>,
  others: readonly Partial<Cell>[],
  unbound: readonly string[],
][] = [
  ['a name of a deleted cell', { source: 'c = b * 2', defines: ['c'], references: ['b'] }, [], ['b']],
  ['a name another cell gives', { source: 'b', references: ['b'] }, [{ defines: ['b'] }], []],
  ['a builtin', { source: 'len', references: ['len'], builtin_references: ['len'] }, [], []],
  ['its own', { source: 'x += 1', defines: ['x'], references: ['x'] }, [], []],
  ['names that the harness provides', { source: 'display(1)', references: ['display'] }, [], []],
  ['after a star import', { source: 'from math import *\npi', references: ['pi'] }, [], []],
  ['code that creates globals', { source: 'exec(t); b', references: ['b'] }, [], []],
  ['a fetched file', { source: '# @fetch raw https://a/b\nraw', references: ['raw'] }, [], []],
  ['another language', { language: 'r', source: 'b', references: ['b'] }, [], []],
];

test.each(ROWS)('[WI-241] %s', (_what, cell, others, unbound) => {
  const fakeCells = [...others, cell].map((part, at) => fakeCell({ id: `c${at}`, ...part }));
  const model = {
    ...emptyNotebook,
    order: fakeCells.map(({ id }) => id),
    cells: Object.fromEntries(fakeCells.map((one) => [one.id, cellModelOf(one, undefined)])),
  };
  expect(unboundNames(model, fakeCells.at(-1) ?? fakeCell({ id: 'none' }))).toEqual(unbound);
});

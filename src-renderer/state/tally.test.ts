import { expect, test } from 'vitest';
import { fakeCell } from '../../e2e/support/fakeServerNotebook.ts';
import type { Cell } from '../../src-shared/wire/cell.ts';
import { cellModelOf, emptyNotebook, type NotebookModel } from './notebookModel.ts';
import { notUpToDate, tally } from './tally.ts';

function notebook(...cells: readonly (Partial<Cell> & { id: string })[]): NotebookModel {
  const fakeCells = cells.map((fields) => fakeCell({ source: 'x = 1', ...fields }));
  return {
    ...emptyNotebook,
    order: fakeCells.map((cell) => cell.id),
    cells: Object.fromEntries(fakeCells.map((cell) => [cell.id, cellModelOf(cell, undefined)])),
  };
}

const text = { language: 'markdown' as const, status: 'ready' as const };

test.each<[string, NotebookModel, string[]]>([
  ['nothing', notebook(), []],
  ['all ready', notebook({ id: 'a', status: 'ready' }), []],
  [
    'what is stale, new or failed; text and empty cells never',
    notebook(
      { id: 'a', status: 'stale' },
      { id: 't', ...text },
      { id: 'b', status: 'ready' },
      { id: 'c', status: 'idle' },
      { id: 'e', status: 'idle', source: ' \n' },
      { id: 'd', status: 'error' },
      { id: 'r', status: 'running' },
    ),
    ['a', 'c', 'd'],
  ],
  [
    'inputs come first, wherever they are in the notebook',
    notebook(
      { id: 'a', status: 'stale', upstream_ids: ['b'] },
      { id: 'b', status: 'ready', upstream_ids: ['c'] },
      { id: 'c', status: 'idle' },
    ),
    ['c', 'a'],
  ],
  [
    'a cycle does not cause an endless loop',
    notebook(
      { id: 'a', status: 'idle', upstream_ids: ['b'] },
      { id: 'b', status: 'idle', upstream_ids: ['a'] },
    ),
    ['b', 'a'],
  ],
])('cells to update, in order: %s', (_name, model, expected) => {
  expect(notUpToDate(model)).toEqual(expected);
});

test('a chain of 20,000 cells is ordered', () => {
  const cells = Array.from({ length: 20_000 }, (_none, at) => ({
    id: `c${at}`,
    status: 'stale' as const,
    upstream_ids: at === 19_999 ? [] : [`c${at + 1}`],
  }));
  const order = notUpToDate(notebook(...cells));
  expect(order).toHaveLength(20_000);
  expect(order[0]).toBe('c19999');
});

test('cells are counted by state, text apart', () => {
  const model = notebook(
    { id: 'a', status: 'stale' },
    { id: 't', ...text },
    { id: 'b', status: 'error' },
    { id: 'c', status: 'running' },
    { id: 'd' },
  );
  expect(tally(model)).toEqual({ running: 1, stale: 1, failed: 1, idle: 1, ready: 0, total: 5 });
});

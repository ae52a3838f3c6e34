import { expect, test } from 'vitest';
import { fakeBody, fakeCell } from '../../e2e/support/fakeServerNotebook.ts';
import type { Cell } from '../../src-shared/wire/cell.ts';
import { cellModelOf, emptyNotebook } from '../state/notebookModel.ts';
import { createNotebookStore, type NotebookView, type RunWish } from '../state/notebookStore.ts';
import { mayRun, withoutVain } from './runWishes.ts';

function view(
  waiting: readonly RunWish[],
  ...cells: readonly (Partial<Cell> & { id: string })[]
): NotebookView {
  const made = cells.map((fields) => fakeCell(fields));
  const { cells: _cells, ...meta } = fakeBody({ name: 'n', cells: made });
  const model = {
    ...emptyNotebook,
    meta,
    order: made.map((cell) => cell.id),
    cells: Object.fromEntries(made.map((cell) => [cell.id, cellModelOf(cell, undefined)])),
  };
  const start = createNotebookStore({ sessionId: 's', path: null }).getState();
  return { ...start, link: { kind: 'live' }, model, waiting };
}

const stale = (cellId: string): RunWish => ({ kind: 'cell', cellId, stale: true });
const asked = (cellId: string): RunWish => ({ kind: 'cell', cellId });

test.each<[string, NotebookView, RunWish[]]>([
  ['what is stale runs', view([stale('a')], { id: 'a', status: 'stale' }), [stale('a')]],
  ['what became ready meanwhile does not', view([stale('a')], { id: 'a', status: 'ready' }), []],
  ['a cell that is gone does not', view([stale('x'), stale('a')], { id: 'a', status: 'idle' }), [stale('a')]],
  [
    'below a failure nothing runs, beside it everything',
    view(
      [stale('b'), stale('c')],
      { id: 'a', status: 'error' },
      { id: 'b', status: 'stale', upstream_ids: ['a'] },
      { id: 'c', status: 'stale' },
    ),
    [stale('c')],
  ],
  ['a person who clicked is not overruled', view([asked('a')], { id: 'a', status: 'ready' }), [asked('a')]],
])('runs that bring the notebook up to date: %s', (_name, state, expected) => {
  expect(withoutVain(state)).toEqual(expected);
});

test.each<[string, Partial<NotebookView>, boolean]>([
  ['nothing in the way', {}, true],
  ['a run was asked for', { asked: { a: true } }, false],
  ['not connected', { link: { kind: 'connecting' } }, false],
])('a waiting run starts: %s', (_name, change, expected) => {
  expect(mayRun({ ...view([], { id: 'a', status: 'ready' }), ...change })).toBe(expected);
});

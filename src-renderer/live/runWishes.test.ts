import { expect, test } from 'vitest';
import { fakeBody, fakeCell, fakeJob } from '../../e2e/support/fakeServerNotebook.ts';
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
const after = (cellId: string): RunWish => ({ kind: 'cell', cellId, after: 'job1' });

/** A notebook whose last job of the environment ended so. */
function afterJob(status: 'completed' | 'failed', waiting: readonly RunWish[]): NotebookView {
  const now = view(waiting, { id: 'a', status: 'error' });
  const { meta } = now.model;
  if (meta === null) throw new Error('a notebook without anything');
  const job = fakeJob({ id: 'job1', status });
  return { ...now, model: { ...now.model, meta: { ...meta, environment_job_history: [job] } } };
}

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
  [
    '[WI-183] what waits for a package runs once it is there',
    afterJob('completed', [after('a')]),
    [after('a')],
  ],
  ['[WI-183] and not where it could not be had', afterJob('failed', [after('a')]), []],
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

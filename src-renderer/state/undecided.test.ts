import { expect, test } from 'vitest';
import { fakeBody, fakeCell } from '../../e2e/support/fakeServerNotebook.ts';
import type { Cell } from '../../src-shared/wire/cell.ts';
import type { Draft } from './drafts.ts';
import { cellModelOf, emptyNotebook } from './notebookModel.ts';
import { createNotebookStore, type NotebookView } from './notebookStore.ts';
import {
  countNotUpToDate,
  shownModel,
  shownTally,
  undecidedBefore,
  undecidedCells,
  undecidedCode,
} from './undecided.ts';

const draft = (state: Draft['state']): Draft => ({ text: 'mine', base: '', state, sent: [], reason: null });

function view(
  drafts: Readonly<Record<string, Draft['state']>>,
  ...cells: readonly (Partial<Cell> & { id: string })[]
): NotebookView {
  const fakeCells = cells.map((fields) => fakeCell({ status: 'ready', source: 'theirs', ...fields }));
  const { cells: _cells, ...meta } = fakeBody({ name: 'n', cells: fakeCells });
  return {
    ...createNotebookStore({ sessionId: 's', path: null }).getState(),
    model: {
      ...emptyNotebook,
      meta,
      order: fakeCells.map((cell) => cell.id),
      cells: Object.fromEntries(fakeCells.map((cell) => [cell.id, cellModelOf(cell, undefined)])),
    },
    drafts: Object.fromEntries(Object.entries(drafts).map(([id, state]) => [id, draft(state)])),
  };
}

test.each<[string, Partial<Cell>, Partial<Cell>]>([
  ['up to date', { status: 'ready', cache_hit: true }, { status: 'idle', cache_hit: false }],
  [
    'failed',
    { status: 'error', error: 'NameError' },
    { status: 'idle', error: null, past_error: 'NameError' },
  ],
  ['out of date', { status: 'stale', staleness_reasons: ['upstream'] }, { status: 'idle' }],
  ['running', { status: 'running' }, { status: 'running' }],
])(
  '[ED-70] a cell whose text is undecided does not show the status of the other text: %s',
  (_, server, shown) => {
    const all = view({ a: 'refused', b: 'sent' }, { id: 'a', ...server }, { id: 'b', ...server });
    expect(shownModel(all, 'a')?.cell).toMatchObject(shown);
    expect(shownModel(all, 'a')).toBe(shownModel({ ...all }, 'a'));
    expect(shownModel(all, 'b')).toBe(all.model.cells['b']);
  },
);

test('[ED-70] undecided cells are listed in the notebook’s order, with those that run', () => {
  const all = view(
    { c: 'refused', t: 'refused', a: 'refused', b: 'typed', v: 'refused' },
    { id: 'a' },
    { id: 'b' },
    { id: 't', language: 'markdown' },
    { id: 'v', variant_active: false },
    { id: 'c', status: 'stale' },
  );
  expect(undecidedCells(all)).toEqual(['a', 't', 'v', 'c']);
  expect(undecidedCode(all)).toEqual(['a', 'c']);
  expect(countNotUpToDate(all)).toBe(2);
});

test('[ED-70] nor does it show that results of the other text were not stored', () => {
  const all = view({ a: 'refused' }, { id: 'a', status: 'idle', unkept: ['x'] });
  expect(shownModel(all, 'a')?.cell.unkept).toBeUndefined();
});

test('[ED-70] cells are counted as they are shown', () => {
  const all = view(
    { a: 'refused', b: 'sent', c: 'refused', t: 'refused' },
    { id: 'a', status: 'error', error: 'NameError' },
    { id: 'b', status: 'error', error: 'NameError' },
    { id: 'c', status: 'running' },
    { id: 't', language: 'markdown' },
  );
  expect(shownTally(all)).toEqual({ running: 1, stale: 0, failed: 1, idle: 1, ready: 0, total: 4 });
});

test.each<[string, NotebookView, string | undefined]>([
  ['the cell itself', view({ b: 'refused' }, { id: 'a' }, { id: 'b', upstream_ids: ['a'] }), 'b'],
  [
    'one far above that is not ready',
    view(
      { a: 'refused' },
      { id: 'a', status: 'stale' },
      { id: 'm', status: 'stale', upstream_ids: ['a'] },
      { id: 'b', upstream_ids: ['m'] },
    ),
    'a',
  ],
  [
    'not one that would not run',
    view({ a: 'refused' }, { id: 'a' }, { id: 'b', upstream_ids: ['a'] }),
    undefined,
  ],
  ['not one beside it', view({ a: 'refused' }, { id: 'a', status: 'idle' }, { id: 'b' }), undefined],
])('[ED-70] what a run of a cell would run undecided: %s', (_name, state, expected) => {
  expect(undecidedBefore(state, 'b')).toBe(expected);
});

import { expect, test } from 'vitest';
import { fakeBody, fakeCell } from '../../e2e/support/fakeServerNotebook.ts';
import { applyFrame } from './applyFrame.ts';
import { emptyNotebook, type NotebookModel } from './notebookModel.ts';
import { remainingTime } from './remainingTime.ts';

const dag = { edges: [], topological_order: [], leaves: [], roots: [], variable_producer: {} };
const AT = 1_000_000;

/** Cells that took 10, 20 and 30 s, one that never ran, and a text. */
function notebook(running: string | null): NotebookModel {
  const cells = [
    ...[10, 20, 30].map((s, at) => fakeCell({ id: `abc`[at] ?? '', last_duration_ms: s * 1_000 })),
    fakeCell({ id: 'd', last_duration_ms: null }),
    fakeCell({ id: 'm', language: 'markdown' }),
  ].map((cell) => (cell.id === running ? { ...cell, status: 'running' as const } : cell));
  const payload = { ...fakeBody({ name: 'n', cells }), dag };
  const model = applyFrame(emptyNotebook, { type: 'notebook_state', payload, seq: 1, ts: '' });
  const cell = running === null ? undefined : model.cells[running];
  if (running === null || cell === undefined) return model;
  return { ...model, cells: { ...model.cells, [running]: { ...cell, runningSince: AT } } };
}

const queued = (...ids: (string | null)[]) =>
  ids.map((cell_id, at) => ({ id: `r${at}`, cell_id, mode: 'normal' as const }));
const rest = { completed: 1, total: 3, remaining_ms: 50_000, untimed: 0, heardAt: AT };

test.each<[string, string | null, Partial<NotebookModel>, number, unknown]>([
  ['nothing runs', null, { queue: queued('a') }, 0, null],
  ['one cell runs alone: its own timer is enough', 'a', {}, 0, null],
  ['a cell runs, two wait', 'a', { queue: queued('b', 'c') }, 4_000, [56_000, 0, null]],
  ['it takes longer than last time', 'a', { queue: queued('b') }, 99_000, [20_000, 0, null]],
  ['a waiting cell never ran', 'a', { queue: queued('d') }, 0, [10_000, 1, null]],
  ['the whole notebook waits', 'a', { queue: queued(null) }, 0, [70_000, 1, null]],
  ['a run of several', 'b', { rest }, 15_000, [35_000, 0, { current: 2, total: 3 }]],
  [
    'a run of several, and one more waits',
    'b',
    { rest: { ...rest, untimed: 2 }, queue: queued('a') },
    0,
    [60_000, 2, { current: 2, total: 3 }],
  ],
])('[EX-91] the rest of the run: %s', (_name, running, change, elapsedMs, expected) => {
  const remaining = remainingTime({ ...notebook(running), ...change }, AT + elapsedMs);
  expect(remaining === null ? null : [remaining.remainingMs, remaining.untimed, remaining.place]).toEqual(
    expected,
  );
});

test('[EX-91] the progress of a run is that of the cell that began last, and is removed when a single cell runs', () => {
  const status = (cell_id: string, more: object = {}) => ({
    type: 'cell_status' as const,
    payload: { cell_id, status: 'running' as const, ...more },
    seq: 2,
    ts: '',
  });
  const progress = { completed: 1, total: 3, remaining_ms: 50_000, untimed: 0 };
  const first = applyFrame(notebook(null), status('b', { run_progress: progress }), AT);
  expect(first.rest).toEqual({ ...progress, heardAt: AT });
  expect(applyFrame(first, status('b', { remote_build_state: 'running' }), AT).rest).toEqual(first.rest);
  expect(applyFrame(first, status('a'), AT).rest).toBeNull();
});

/** Which requests a session refuses while its folder is on hold (quiesced): runs first, and later also writes. */

import { describe, expect, it } from 'vitest';
import { cellId } from '../../../src-shared/notebook/ids.ts';
import { AUTO_RUN_OFF } from '../../../src-shared/wire/autoRun.ts';
import { AppError } from '../../../src-shared/wire/errors.ts';
import type { Origin, SessionRequest } from '../state/requests.ts';
import { createWorld, lines } from '../testing/testWorld.ts';

const A = cellId('a');
const CALLER: Origin = { kind: 'caller', identity: 'local' };
const mounts = { type: 'change_settings', change: { of: 'mounts', mounts: [] } } as const;

const RUNS: readonly SessionRequest[] = [
  { type: 'run_cell', cellId: A, mode: 'normal', upstream: 'go' },
  { type: 'confirm_plan', cellId: A, planId: 'p' },
  { type: 'run_all', mode: 'normal', continueOnError: true },
  { type: 'test_cell', cellId: A, source: 'def test_a(): pass', base: null },
  { type: 'update_widget', cellId: A, values: {} },
  { type: 'start_environment_job', work: { action: 'sync', isRequested: true }, waits: false },
  { type: 'open_console', cellId: A },
  { type: 'ask_console', cellId: A, expr: '1' },
];
const WRITES: readonly SessionRequest[] = [
  { type: 'edit_source', cellId: A, source: 'x = 2', force: true },
  { type: 'edit_tests', cellId: A, source: '', base: null },
  { type: 'add_cell', afterId: null, language: 'python' },
  { type: 'delete_cell', cellId: A },
  { type: 'reorder_cells', cellIds: [] },
  { type: 'rename_notebook', name: 'n' },
  { type: 'change_settings', change: { of: 'values', values: { timeout: 1 } } },
  mounts,
  { type: 'change_settings', change: { of: 'connections', connections: [] } },
  { type: 'change_settings', change: { of: 'env', env: {} } },
  { type: 'refresh_secrets' },
  { type: 'limit_parallel_cells', parallelCells: 2 },
  { type: 'set_auto_run', autoRun: AUTO_RUN_OFF },
];
const FREE: readonly SessionRequest[] = [
  { type: 'sync' },
  { type: 'cancel_cell', cellId: A },
  { type: 'cancel_environment_job' },
  { type: 'focus_cell', cellId: A },
  { type: 'view_profiling' },
  { type: 'move_in_queue', id: 'r', beforeId: null },
  { type: 'edit_settled', cellIds: [A] },
];

/** Whether a notebook with this hold refuses the request, as a caller and as a socket see it. */
function heard(phase: 'draining' | 'held', request: SessionRequest): string {
  const world = createWorld({ a: 'x = 1' });
  world.report({ type: 'hold_changed', phase });
  const reply = world.send(request, CALLER);
  const isHeld = reply?.kind === 'refused' && reply.error.code === 'NOTEBOOK_QUIESCED';
  world.frames.length = 0;
  world.send(request);
  const [first = ''] = lines(world.frames);
  const isAnnounced = first.startsWith('refused only s1 NOTEBOOK_QUIESCED');
  return `${isHeld} ${isAnnounced}`;
}

describe('[QH-2] requests that a hold refuses', () => {
  const rows = [
    ...RUNS.map((request) => ({ phase: 'draining' as const, request, refused: true })),
    ...RUNS.map((request) => ({ phase: 'held' as const, request, refused: true })),
    ...WRITES.map((request) => ({ phase: 'draining' as const, request, refused: false })),
    ...WRITES.map((request) => ({ phase: 'held' as const, request, refused: true })),
    ...FREE.map((request) => ({ phase: 'held' as const, request, refused: false })),
  ];
  it.each(rows)('$phase: $request.type is refused: $refused', ({ phase, request, refused }) =>
    expect(heard(phase, request)).toBe(`${refused} ${refused}`),
  );

  it('has the job next to the code for a refused run, and the cell', () => {
    const world = createWorld({ a: 'x = 1' });
    world.report({ type: 'hold_changed', phase: 'held' });
    const reply = world.send({ type: 'run_cell', cellId: A, mode: 'normal', upstream: 'go' }, CALLER);
    expect(reply).toMatchObject({ error: { context: { cell_id: 'a', environment_job: null } } });
  });

  it('after a release everything continues', () => {
    const world = createWorld({ a: 'x = 1' });
    world.report({ type: 'hold_changed', phase: 'held' });
    world.report({ type: 'hold_changed', phase: null });
    world.send({ type: 'run_cell', cellId: A, mode: 'normal', upstream: 'go' });
    expect(world.settle()).toEqual(['a']);
  });

  it('the first sync of a folder that becomes trusted during a hold waits for the release', () => {
    const world = createWorld({ a: 'x = 1' }, { trusted: false });
    world.report({ type: 'hold_changed', phase: 'held' });
    world.report({ type: 'folder_trusted' });
    expect(world.environmentStarts).toBe(0);
    world.report({ type: 'hold_changed', phase: null });
    expect(world.environmentStarts).toBe(1);
  });

  it('a text that the disk had refused is written at the release', () => {
    const written: string[] = [];
    let isFull = true;
    const disk: NonNullable<Parameters<typeof createWorld>[1]>['disk'] = ({ source }) => {
      if (isFull) return new AppError('source_not_saved', 'full', { cell_id: A });
      written.push(source);
      return null;
    };
    const world = createWorld({ a: 'x = 1' }, { disk });
    const retry = () => {
      const due = world.writesDue.shift();
      if (due !== undefined) world.report({ type: 'write_due', cellId: due.cellId, origin: due.origin });
    };
    world.send({ type: 'edit_source', cellId: A, source: 'x = 2', force: false });
    isFull = false;
    world.report({ type: 'hold_changed', phase: 'held' });
    retry();
    expect(written).toEqual([]);
    world.report({ type: 'hold_changed', phase: null });
    retry();
    expect(written).toEqual(['x = 2']);
  });
});

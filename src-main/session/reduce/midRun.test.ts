import { describe, expect, it } from 'vitest';
import { type CellId, cellId } from '../../../src-shared/notebook/ids.ts';
import type { Origin } from '../state/requests.ts';
import { createWorld, lines, type World } from '../testing/testWorld.ts';

/** The effects of changes of the notebook on a current run. */

const id = cellId;
const CALLER: Origin = { kind: 'caller', identity: 'local' };
const run = (cell: string, mode: 'normal' | 'rerun' | 'force' = 'normal') =>
  ({ type: 'run_cell', cellId: id(cell), mode, upstream: 'go' }) as const;
const edit = (cell: string, source: string) =>
  ({ type: 'edit_source', cellId: id(cell), source, force: false }) as const;
const RUN_ALL = { type: 'run_all', mode: 'normal', continueOnError: true } as const;

function statuses(world: World): Record<string, string> {
  return Object.fromEntries(
    [...world.state().cells].map(([key, cell]) => [key, [cell.status, ...cell.reasons].join('/')]),
  );
}

/** The file and the state without some cells, as the disk reports it. */
function removeCells(world: World, removed: readonly CellId[]): void {
  const { file } = world.state();
  world.report({
    type: 'structure_changed',
    ticket: 0,
    file: { ...file, cells: file.cells.filter((entry) => !removed.includes(entry.id)) },
    added: [],
    removed,
    change: 'deleted',
    reply: { kind: 'done' },
  });
}

describe('an edit during a run', () => {
  it('[PV-9] of a cell that already ran: runs with the old value never answer for the new one', () => {
    const world = createWorld({ a: 'x = 1', b: 'y = 1', c: 'z = x', d: 'z' });
    world.send(RUN_ALL);
    world.step();
    world.send(edit('a', 'x = 5'), CALLER);
    expect(world.settle()).toEqual(['b', 'c', 'd']);
    expect(statuses(world)).toEqual({ a: 'idle', b: 'ready', c: 'stale/upstream', d: 'stale/upstream' });
    world.send(RUN_ALL);
    expect(world.settle()).toEqual(['a', 'c', 'd']);
    world.send(edit('a', 'x = 1'));
    world.send(RUN_ALL);
    expect(world.settle()).toEqual([]);
  });

  it('[PV-9] of the running cell: its result belongs to the old source', () => {
    const world = createWorld({ a: 'x = 1', b: 'x' });
    world.send(RUN_ALL);
    world.send(edit('a', 'x = 5'), CALLER);
    expect(world.settle()).toEqual(['a', 'b']);
    expect(statuses(world)).toEqual({ a: 'idle', b: 'stale/upstream' });
    world.send(RUN_ALL);
    expect(world.settle()).toEqual(['a', 'b']);
    expect(statuses(world)).toEqual({ a: 'ready', b: 'ready' });
  });

  it('[LP-31] that needs more of a finished cell: the reader waits for the next run instead of failing', () => {
    const world = createWorld({ a: 'x = 1\ny = 2', b: 'x', c: 'k = 1' });
    world.send(RUN_ALL);
    world.step();
    world.send(edit('c', 'k = y'));
    expect(world.settle()).toEqual(['b']);
    expect(statuses(world)).toEqual({ a: 'idle', b: 'stale/upstream', c: 'stale/upstream' });
    world.send(RUN_ALL);
    world.settle();
    expect(statuses(world)).toEqual({ a: 'ready', b: 'ready', c: 'ready' });
  });

  it('[LP-32] that makes a cycle ends the run after the current cell; nothing fails because of it', () => {
    const world = createWorld({ a: 'x = 1', b: 'y = x', c: 'y' });
    world.send(RUN_ALL);
    world.send(edit('a', '# @after c\nx = 1'), CALLER);
    world.step();
    expect(world.pending).toEqual([]);
    expect(world.state().running).toBe(null);
    world.send(edit('a', 'x = 1'));
    expect(statuses(world)).toEqual({ a: 'ready', b: 'idle', c: 'idle' });
  });
});

describe('a cell deleted during the request for its run', () => {
  it('[LP-33] leaves no run behind', () => {
    const world = createWorld({ a: 'x = 1', b: 'y = 1' });
    world.send(RUN_ALL);
    removeCells(world, [id('a')]);
    expect(world.settle()).toEqual(['a', 'b']);
    expect(world.state().running).toBe(null);
    const single = createWorld({ a: 'x = 1', b: 'y = 1' });
    single.send(run('a'), CALLER);
    removeCells(single, [id('a')]);
    single.settle();
    expect(single.state().running).toBe(null);
    single.send(run('b'), CALLER);
    expect(single.settle()).toEqual(['b']);
  });

  it('[LP-33] and its process is stopped, so that the run continues', () => {
    const world = createWorld({ a: 'x = 1', b: 'y = 1' });
    world.send(RUN_ALL);
    removeCells(world, [id('a')]);
    expect(world.cancelled).toEqual(['id1']);
    world.step({ kind: 'cancelled', stdout: '', stderr: '', durationMs: 1 });
    expect(world.settle()).toEqual(['b']);
  });
});

describe('a REST run over a failing chain', () => {
  it('[LP-26] reports the status of every cell it skipped', () => {
    const world = createWorld({ a: 'x = boom', b: 'y = x', c: 'y' });
    world.frames.length = 0;
    world.send(run('c'), CALLER);
    world.settle();
    expect(statuses(world)).toEqual({ a: 'error', b: 'stale/upstream', c: 'error' });
    expect(lines(world.frames).filter((line) => line.startsWith('status'))).toEqual([
      'status c running',
      'status a error',
      'status b stale upstream',
      'status c error',
    ]);
  });
});

describe('a cancel while a quiet upstream of a REST run is running', () => {
  it('[LP-25] shows its console output so far, like the state', () => {
    const world = createWorld({ a: 'x = 1', b: 'x' });
    world.send(run('b'), CALLER);
    world.frames.length = 0;
    world.send({ type: 'cancel_cell', cellId: id('b') });
    world.step({ kind: 'cancelled', stdout: 'half', stderr: '', durationMs: 1 });
    const printed = world.frames.flatMap(({ frame }) =>
      frame.type === 'cell_console' ? [frame.payload] : [],
    );
    expect(printed).toEqual([
      { cell_id: 'a', stream: 'stdout', text: 'half', chunk_seq: 0 },
      { cell_id: 'a', stream: 'stderr', text: '', chunk_seq: 0 },
    ]);
    expect(world.state().cells.get(id('a'))?.console.stdout).toBe('half');
  });
});

describe('closing', () => {
  it('[LP-34] no further cell of a run is started; edits are refused with a reply', () => {
    const world = createWorld({ a: 'x = 1', b: 'y = 1' });
    world.send(RUN_ALL);
    world.report({ type: 'close_requested', reason: 'shutdown' });
    world.step();
    expect(world.pending).toEqual([]);
    expect(world.state().running).toBe(null);
    expect(world.send(edit('a', 'x = 2'), CALLER)).toMatchObject({ kind: 'refused' });
    expect(world.send({ type: 'delete_cell', cellId: id('a') }, CALLER)).toMatchObject({ kind: 'refused' });
  });
});

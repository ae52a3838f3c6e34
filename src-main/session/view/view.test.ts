import { describe, expect, it } from 'vitest';
import { cellId } from '../../../src-shared/notebook/ids.ts';
import { failedOutput } from '../../run/displays.ts';
import type { SessionState } from '../state/state.ts';
import { createWorld } from '../testing/testWorld.ts';
import { viewBody, viewCell, viewCells, viewDag, viewLinkedDag } from './view.ts';

const A = cellId('a');
it('[RE-68] has the producer of every variable, for any name', () => {
  const world = createWorld({ a: 'x = 1' });
  const state = world.state();
  const env = { constructor: 'a', toString: 'b', X: 'e', DB: 'f' };
  const { env_sources } = viewBody({
    ...state,
    file: { ...state.file, env, fetchedFrom: { DB: 'infisical' } },
  });
  expect(env_sources).toEqual({ constructor: 'manual', toString: 'manual', X: 'manual', DB: 'infisical' });
});

const RUN = { type: 'run_cell', cellId: A, mode: 'normal', upstream: 'go' } as const;
const edit = (source: string) => ({ type: 'edit_source', cellId: A, source, force: false }) as const;

describe('the outputs of a cell', () => {
  it('[ST-10] a failure hides the last displays; restoring the old source shows them again, ready', () => {
    const world = createWorld({ a: 'x = 1' });
    const shown = () => {
      const cell = world.state().cells.get(A);
      if (cell === undefined) throw new Error('no cell');
      const view = viewCell(world.state(), cell);
      return [view.status, view.display_outputs.map(({ preview }) => preview)];
    };
    world.send(RUN);
    const display = { ...failedOutput('stands for any'), preview: 'one' };
    world.settle([display]);
    world.send(edit('x = boom'));
    world.send(RUN);
    world.settle();
    expect(shown()).toEqual(['error', []]);
    world.send(edit('x = 1'));
    expect(shown()).toEqual(['ready', ['one']]);
  });

  it('[WI-73] an error belongs to the source that failed; after an edit it is shown as an earlier one until the next result', () => {
    const world = createWorld({ a: 'x = 1' });
    const view = () => {
      const cell = world.state().cells.get(A);
      if (cell === undefined) throw new Error('no cell');
      const { status, error, past_error } = viewCell(world.state(), cell);
      return [status, error === null ? 'none' : 'one', past_error === undefined ? 'none' : 'one'];
    };
    world.send(RUN);
    world.settle();
    world.send(edit('x = boom'));
    world.send(RUN);
    world.settle();
    expect(view()).toEqual(['error', 'one', 'none']);
    world.send(edit('x = 2'));
    expect(view()).toEqual(['idle', 'none', 'one']);
    world.send(edit('x = boom'));
    expect(view()).toEqual(['error', 'one', 'none']);
    world.send(edit('x = 1'));
    expect(view()).toEqual(['ready', 'none', 'none']);
    world.send(edit('x = 3'));
    world.send(RUN);
    world.settle();
    expect(view()).toEqual(['ready', 'none', 'none']);
  });

  it('[WI-240] a current run has its start and its stopping stage; a stopped one is marked until the next', () => {
    const world = createWorld({ a: 'x = 1' });
    const view = () => {
      const cell = world.state().cells.get(A);
      if (cell === undefined) throw new Error('no cell');
      const { status, running_since, stopping, stopped_ms } = viewCell(world.state(), cell);
      return { status, since: running_since, stopping, stopped_ms };
    };
    const cancelled = { kind: 'cancelled', stdout: '', stderr: '', durationMs: 6_100.4 } as const;
    world.send(RUN);
    const since = '1970-01-01T00:16:40.000Z';
    world.advanceMs(5_000);
    expect(view()).toEqual({ status: 'running', since });
    const runId = world.pending[0]?.runId ?? '';
    world.report({ type: 'step_stopping', runId, cellId: A, signal: 'SIGINT' });
    expect(view()).toEqual({ status: 'running', since, stopping: 'interrupting' });
    world.frames.length = 0;
    world.send({ type: 'cancel_cell', cellId: A });
    world.step(cancelled);
    expect(view()).toEqual({ status: 'idle', stopped_ms: 6_100 });
    expect(world.frames[0]?.frame.payload).toEqual({ cell_id: 'a', status: 'idle', stopped_ms: 6_100 });
    world.send(edit('x = 2'));
    expect(view()).toEqual({ status: 'idle', stopped_ms: 6_100 });
    world.send(RUN);
    expect(view().stopped_ms).toBeUndefined();
    world.settle();
    expect(view()).toEqual({ status: 'ready' });
  });

  it('[WI-242] a variable that was not read before is not stored: reported until a run stores it', () => {
    const world = createWorld({ a: 'x = 1', b: 'y = 2' });
    const b = cellId('b');
    const unkept = () => {
      const cell = world.state().cells.get(A);
      if (cell === undefined) throw new Error('no cell');
      const { status, unkept: names } = viewCell(world.state(), cell);
      return [status, names];
    };
    world.send(RUN);
    world.settle();
    expect(unkept()).toEqual(['ready', undefined]);
    world.send({ type: 'edit_source', cellId: b, source: 'y = x', force: false });
    expect(unkept()).toEqual(['idle', ['x']]);
    world.send(edit('x = 5'));
    expect(unkept()).toEqual(['idle', undefined]);
    world.send(edit('x = 1'));
    expect(unkept()).toEqual(['idle', ['x']]);
    world.send(RUN);
    world.settle();
    expect(unkept()).toEqual(['ready', undefined]);
  });
});

describe('serialised views', () => {
  const b = cellId('b');
  const changes: readonly {
    readonly name: string;
    readonly change: (state: SessionState) => SessionState;
    readonly same: readonly [list: boolean, a: boolean, b: boolean];
  }[] = [
    { name: 'nothing', change: (state) => ({ ...state }), same: [true, true, true] },
    {
      name: 'the notebook file, reread without changes',
      change: (state) => ({ ...state, file: { ...state.file, env: { ...state.file.env } } }),
      same: [true, true, true],
    },
    {
      name: 'a notebook-wide variable',
      change: (state) => ({ ...state, file: { ...state.file, env: { A: '1' } } }),
      same: [false, false, false],
    },
    {
      name: 'one cell',
      change: (state) => {
        const cell = state.cells.get(b);
        if (cell === undefined) throw new Error('no cell');
        return { ...state, cells: new Map(state.cells).set(b, { ...cell, source: 'y = x + 1' }) };
      },
      same: [false, true, false],
    },
  ];
  it.each(changes)(
    '[LP-35] is the same object while its content is the same: $name changed',
    ({ change, same }) => {
      const before = createWorld({ a: 'x = 1', b: 'y = x' }).state();
      const after = change(before);
      const [list, again] = [viewCells(before), viewCells(after)];
      expect([list === again, list[0] === again[0], list[1] === again[1]]).toEqual(same);
    },
  );

  it('[LP-36] the graph of notebook_state names no producers, else it is the graph', () => {
    const state = createWorld({ a: 'x = 1', b: 'y = x' }).state();
    const { variable_producer, ...linked } = viewDag(state);
    expect(variable_producer).toEqual({ x: 'a', y: 'b' });
    expect(viewLinkedDag(state)).toEqual(linked);
    expect(viewLinkedDag(state)).toBe(viewLinkedDag({ ...state }));
  });
});

/**
 * Loop cells in the session's reducer: progress frames of iterations, and cache hits of a finished loop. The
 * executor is a fake.
 */

import { expect, it } from 'vitest';
import { cellId } from '../../../src-shared/notebook/ids.ts';
import { createWorld, lines } from '../testing/testWorld.ts';

const CELLS = { a: 'x = 1', b: '# @loop max_iter=3 carry=x\nx = x', c: 'y = x' };
const progress = { iteration: 0, maxIter: 3, artifactUri: 'u', contentType: 't', untilReached: false };

it('[LO-2] a finished iteration is reported, unless its cell runs as a quiet upstream', () => {
  for (const [target, types] of [
    ['b', ['cell_iteration_progress']],
    ['c', []],
  ] as const) {
    const world = createWorld(CELLS);
    const caller = { kind: 'caller', identity: 'local' } as const;
    world.send({ type: 'run_cell', cellId: cellId(target), mode: 'normal', upstream: 'go' }, caller);
    world.step();
    const step = world.pending[0];
    expect(step?.request).toMatchObject({ cellId: 'b', loop: { carry: 'x', maxIter: 3, start: null } });
    const before = world.state();
    world.frames.length = 0;
    const cell = cellId('b');
    world.report({
      type: 'step_iterated',
      runId: step?.runId ?? '',
      cellId: cell,
      progress: { ...progress, durationMs: 1.6 },
    });
    expect(lines(world.frames)).toEqual(types);
    // [LO-8] Iterations are not part of the state, however many there are.
    expect(world.state()).toBe(before);
  }
});

it('[LO-4] a finished loop is ready, hits, and has another key with another count', () => {
  const world = createWorld(CELLS);
  const run = () => {
    world.send({ type: 'run_all', mode: 'normal', continueOnError: true });
    return world.settle();
  };
  expect(run()).toEqual(['a', 'b', 'c']);
  expect(run()).toEqual([]);
  const source = CELLS.b.replace('3', '4');
  world.send({ type: 'edit_source', cellId: cellId('b'), source, force: false });
  expect([...world.state().cells.values()].map(({ status }) => status)).toEqual(['ready', 'idle', 'stale']);
  expect(run()).toEqual(['b']);
});

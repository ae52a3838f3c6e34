import { expect, test } from 'vitest';
import { artifactIdOf } from '../../../src-shared/notebook/artifactIds.ts';
import { cellId } from '../../../src-shared/notebook/ids.ts';
import type { ArtifactRow } from '../../artifacts/artifact.ts';
import type { SessionState } from '../state/state.ts';
import { createWorld } from '../testing/testWorld.ts';
import { heldResults } from './heldResults.ts';

const LOOP = cellId('b');
const CELLS = { a: 'x = 1', b: '# @loop max_iter=3 carry=x\nx = x' };

/** The loop has run; its result names its run, as in the real store. */
function finished(): SessionState {
  const world = createWorld(CELLS);
  world.send({ type: 'run_all', mode: 'normal', continueOnError: true });
  world.settle();
  const state = world.state();
  const loop = state.cells.get(LOOP);
  const [row] = loop?.artifacts['x'] ?? [];
  if (loop === undefined || row === undefined) throw new Error('the loop left nothing');
  const result = { ...row, createdAt: 10, params: { ...row.params, loop_run: 'whole' } };
  const cells = new Map(state.cells).set(LOOP, { ...loop, artifacts: { x: [result] } });
  return { ...state, cells };
}

/** The rows of iteration 0 that run `loopRun` stored at a time. */
function iteration(state: SessionState, loopRun: string, made: Partial<ArtifactRow>): ArtifactRow {
  const [result] = state.cells.get(LOOP)?.artifacts['x'] ?? [];
  if (result === undefined) throw new Error('no result');
  const id = artifactIdOf(state.notebookId, LOOP, 'x@iter=0');
  return { ...result, id, ...made, params: { ...result.params, ...made.params, loop_run: loopRun } };
}

const edited = (state: SessionState): SessionState => {
  const loop = state.cells.get(LOOP);
  if (loop === undefined) throw new Error('no loop');
  const analysis = { ...loop.analysis, sourceHash: 'another' };
  return { ...state, cells: new Map(state.cells).set(LOOP, { ...loop, status: 'idle', analysis }) };
};
const unfinished = (state: SessionState): SessionState => {
  const loop = state.cells.get(LOOP);
  if (loop === undefined) throw new Error('no loop');
  return { ...state, cells: new Map(state.cells).set(LOOP, { ...loop, status: 'idle' }) };
};
const removed = (state: SessionState): SessionState => {
  const loop = state.cells.get(LOOP);
  if (loop === undefined) throw new Error('no loop');
  const annotations = { ...loop.analysis.annotations, loop: null };
  const analysis = { ...loop.analysis, annotations, iterationHash: null };
  return { ...state, cells: new Map(state.cells).set(LOOP, { ...loop, analysis }) };
};

test.each([
  ['is unchanged', (state: SessionState) => state, ['iteration', null]],
  ['has unfinished iterations to continue with', unfinished, ['iteration', 'iteration']],
  ['was edited', edited, ['iteration', null]],
  ['no longer has @loop', removed, [null, null]],
])(
  '[AS-45] a sweep keeps the iterations of a loop that are still needed, if the loop %s',
  (_name, change, expected) => {
    const before = finished();
    const state = change(before);
    const own = iteration(before, 'whole', { version: 1, state: 'superseded', createdAt: 5 });
    const leftOver = iteration(before, 'killed', { version: 2, createdAt: 20 });
    const [result] = before.cells.get(LOOP)?.artifacts['x'] ?? [];
    if (result === undefined) throw new Error('no result');
    const because = heldResults(state, new Set(), [result, own, leftOver]);
    expect([because(own), because(leftOver)]).toEqual(expected);
    expect(because(result)).toBe('current');
  },
);

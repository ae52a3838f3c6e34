import { expect, it } from 'vitest';
import { cellId } from '../../../src-shared/notebook/ids.ts';
import { plainPython } from '../../run/testing/testStep.ts';
import type { CellState } from '../state/state.ts';
import { createWorld } from '../testing/testWorld.ts';
import { applyOutcome } from './outcome.ts';

const A = cellId('a');
const LAST = { stdout: 'of the last run\n', stderr: '' };
const STORED = { stdout: 'of the result\n', stderr: '' };
const NOTHING = { stdout: '', stderr: '' };

it.each<
  [
    string,
    { lastRun: string | null; hitRun?: string; stored: CellState['console'] | null },
    { console: CellState['console']; logRun: string | null },
  ]
>([
  ['its stored text', { lastRun: 'r2', hitRun: 'r1', stored: STORED }, { console: STORED, logRun: 'r1' }],
  [
    'the text of the same run',
    { lastRun: 'r1', hitRun: 'r1', stored: null },
    { console: LAST, logRun: 'r1' },
  ],
  [
    'no text of another run',
    { lastRun: 'r2', hitRun: 'r1', stored: null },
    { console: NOTHING, logRun: 'r1' },
  ],
  ['the last text if its run is unknown', { lastRun: 'r2', stored: null }, { console: LAST, logRun: 'r2' }],
])('[SO-250] a hit shows %s', (_name, { lastRun, hitRun, stored }, expected) => {
  const state = createWorld({ a: 'x = 1' }).state();
  const cell = { ...(state.cells.get(A) as CellState), console: LAST, logRun: lastRun };
  const before = { ...state, cells: new Map([[A, cell]]) };
  const request = plainPython({ source: 'x = 1', cellId: A });
  const after = applyOutcome(before, request, {
    kind: 'hit',
    promoted: [],
    displays: [],
    console: stored,
    durationMs: 1,
    ...(hitRun === undefined ? {} : { logRun: hitRun }),
  });
  expect(after.cells.get(A)).toMatchObject(expected);
});

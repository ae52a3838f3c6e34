/** Decides whether the results of a cell's tests are stale. */

import { createHash } from 'node:crypto';
import type { CellId } from '../../../src-shared/notebook/ids.ts';
import { provenanceOf } from '../../run/provenance.ts';
import type { CellState, ExpectedRun, SessionState } from '../state/state.ts';
import type { TestKey } from '../state/testRun.ts';

/** The key of a run of the cell's tests. @param run the inputs and environment of the tested cell */
export function testKeyOf(
  cell: CellState,
  run: Pick<ExpectedRun, 'inputs' | 'envHash' | 'sourceHash'>,
): TestKey {
  return {
    cell_source_hash: run.sourceHash,
    test_source_hash: createHash('sha256').update(cell.testSource).digest('hex'),
    input_fingerprint: provenanceOf(run.inputs, '', run.envHash),
  };
}

/**
 * Whether a cell's test results are stale: the source of the cell or its tests, an input or the environment has
 * changed, or an upstream cell is out of date (docs/spec/tests-and-consoles.md, 1). Part of the status walk: `state`
 * has this walk's keys and statuses.
 */
function areTestsStale(state: SessionState, cell: CellState): boolean {
  const { testResult } = cell;
  if (testResult === null) return false;
  const expected = state.expected.get(cell.id);
  if (expected === undefined) return true;
  const now = testKeyOf(cell, expected);
  const isOther =
    now.cell_source_hash !== testResult.cell_source_hash ||
    now.test_source_hash !== testResult.test_source_hash ||
    now.input_fingerprint !== testResult.input_fingerprint;
  return isOther || (state.graph.upstream.get(cell.id) ?? []).some((id) => !isReady(state, id));
}

function isReady(state: SessionState, id: CellId): boolean {
  return state.cells.get(id)?.status === 'ready';
}

/**
 * The state with the current staleness of every cell's tests; cells that do not change keep their identity.
 */
export function withTestStaleness(state: SessionState): SessionState {
  let cells: Map<CellId, CellState> | null = null;
  for (const [id, cell] of state.cells) {
    const testsStale = areTestsStale(state, cell);
    if (testsStale === cell.testsStale) continue;
    cells ??= new Map(state.cells);
    cells.set(id, { ...cell, testsStale });
  }
  return cells === null ? state : { ...state, cells };
}

/** The state of the runs of cell tests in a session. */

import type { CellId } from '../../../src-shared/notebook/ids.ts';
import type { SessionState } from './state.ts';
import type { TestRun } from './testRun.ts';

/**
 * Whether the tests were requested over a live socket: those reserve the notebook as a run does, those of REST do not
 * (docs/spec/live-protocol.md, 6).
 */
export function isFromSocket({ origin }: TestRun): boolean {
  return origin.kind === 'socket';
}

/** The cell whose tests have the reservation, or null. */
export function cellUnderTest(state: SessionState): CellId | null {
  for (const run of state.testing.values()) if (isFromSocket(run)) return run.cellId;
  return null;
}

/** Whether tests of this cell are running, of any client. */
export function isTested(state: SessionState, id: CellId): boolean {
  for (const { cellId } of state.testing.values()) if (cellId === id) return true;
  return false;
}

/** The state with this run of tests added or replaced. */
export function withTestRun(state: SessionState, run: TestRun): SessionState {
  return { ...state, testing: new Map(state.testing).set(run.runId, run) };
}

/** The state without a run of tests. */
export function withoutTestRun(state: SessionState, runId: string): SessionState {
  const testing = new Map(state.testing);
  testing.delete(runId);
  return { ...state, testing };
}

/** Whether a run or tests are in progress: the session is not idle then (docs/spec/live-protocol.md, 7). */
export function isAtWork({ running, testing }: SessionState): boolean {
  return running !== null || testing.size > 0;
}

/** The state of test runs. */

import type { CellId } from '../../../src-shared/notebook/ids.ts';
import type { SessionState } from './state.ts';
import type { TestRun } from './testRun.ts';

/** Tests of the live protocol reserve the notebook as a run does; those of REST do not (live-protocol 6). */
export function isLive({ origin }: TestRun): boolean {
  return origin.kind === 'socket';
}

/** The cell whose tests have the reservation, or null. */
export function cellUnderTest(state: SessionState): CellId | null {
  for (const run of state.testing.values()) if (isLive(run)) return run.cellId;
  return null;
}

/** Whether tests of this cell are running, of any client. */
export function isTested(state: SessionState, id: CellId): boolean {
  for (const { cellId } of state.testing.values()) if (cellId === id) return true;
  return false;
}

export function withTestRun(state: SessionState, run: TestRun): SessionState {
  return { ...state, testing: new Map(state.testing).set(run.runId, run) };
}

export function withoutTestRun(state: SessionState, runId: string): SessionState {
  const testing = new Map(state.testing);
  testing.delete(runId);
  return { ...state, testing };
}

/** Whether a run or tests are in progress: the session is not idle then (live-protocol 7). */
export function isAtWork({ running, testing }: SessionState): boolean {
  return running !== null || testing.size > 0;
}

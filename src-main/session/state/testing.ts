/** The state of the runs of cell tests in a session. */

import type { CellId } from '../../../src-shared/notebook/ids.ts';
import type { Origin } from './requests.ts';
import type { SessionState } from './state.ts';

/**
 * One run of a cell's tests (docs/spec/tests-and-consoles.md, 1). States: `saving` the test file -> `upstreams`, where
 * stale ones run as an ordinary run -> `looking`, a check of the cell's external data -> `running`, if pytest is
 * missing `installing` and `running` again -> removed. It affects no status and no result but the cell's test result.
 */
export interface TestRun {
  readonly runId: string;
  readonly cellId: CellId;
  readonly origin: Origin;
  /** The dispatch to reply to when it ends. */
  readonly ticket: number;
  readonly phase: 'saving' | 'upstreams' | 'looking' | 'running' | 'installing';
  /** The run of the upstreams, while it lasts. */
  readonly upstreamRunId: string | null;
  readonly cancelling: boolean;
  /** Cancel requests to reply to once it has ended. */
  readonly cancelTickets: readonly number[];
  readonly autoInstalled: readonly string[];
  /** The key of the results; null until pytest starts. */
  readonly key: TestKey | null;
}

/** The inputs of a test result: any difference makes it stale. */
export interface TestKey {
  readonly cell_source_hash: string;
  readonly test_source_hash: string;
  readonly input_fingerprint: string;
}

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

import type { CellId } from '../../../src-shared/notebook/ids.ts';
import type { Origin } from '../api.ts';
import type { SessionState } from './state.ts';

/**
 * One run of a cell's tests (tests-and-consoles). States: `saving` the test file -> `upstreams` that are not ready run as an
 * ordinary run -> `looking` at what the cell uses from outside -> `running`, where pytest is missing `installing` and
 * once more `running` -> gone. It owns no status and no result but the cell's test result.
 */
export interface TestRun {
  readonly runId: string;
  readonly cellId: CellId;
  readonly origin: Origin;
  /** The dispatch to answer when it ends. */
  readonly ticket: number;
  readonly phase: 'saving' | 'upstreams' | 'looking' | 'running' | 'installing';
  /** The run of what stands above, while that is on. */
  readonly upstreamRunId: string | null;
  readonly cancelling: boolean;
  /** Cancel requests to answer once it has ended. */
  readonly cancelTickets: readonly number[];
  readonly autoInstalled: readonly string[];
  /** What the results will be about; null until pytest starts. */
  readonly key: TestKey | null;
}

/** What a test result is about: any difference makes it stale. */
export interface TestKey {
  readonly cell_source_hash: string;
  readonly test_source_hash: string;
  readonly input_fingerprint: string;
}

/** Tests asked for over the live protocol hold the notebook as a run does; those of REST do not (live-protocol 6). */
export function isLive({ origin }: TestRun): boolean {
  return origin.kind === 'socket';
}

/** The cell whose tests hold the notebook, or null. */
export function cellUnderTest(state: SessionState): CellId | null {
  for (const run of state.testing.values()) if (isLive(run)) return run.cellId;
  return null;
}

/** Whether tests of this cell are on, whoever asked for them. */
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

/** Whether a run or tests are on: nobody is idle then (live-protocol 7). */
export function isAtWork({ running, testing }: SessionState): boolean {
  return running !== null || testing.size > 0;
}

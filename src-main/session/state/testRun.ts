/** A run of the tests of a cell, as the session's state has it. */

import type { CellId } from '../../../src-shared/notebook/ids.ts';
import type { Origin } from './requests.ts';

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

/** The state of a run that waits in the queue of the notebook. */

import type { CellId } from '../../../src-shared/notebook/ids.ts';
import type { Origin, RunMode } from './requests.ts';

/** A run that waits until the notebook is free (docs/extensions.md). */
export interface QueuedRun {
  readonly id: string;
  /** Null: every cell of the notebook. */
  readonly cellId: CellId | null;
  readonly mode: RunMode;
  /** For a run of every cell. */
  readonly continueOnError: boolean;
  /** Only brings the cell up to date: does nothing if the cell is ready by then. */
  readonly ifStale: boolean;
  /** The upstreams a user agreed to run with it. */
  readonly agreed: 'all' | ReadonlySet<CellId>;
  /** The environment job it waits for; it does not run if that failed. */
  readonly afterJob: string | null;
  readonly origin: Origin;
  /** The cells that an automatic run may include, with the source that each had; null for every other run. */
  readonly auto: ReadonlyMap<CellId, string> | null;
  /** Why it will not run; null while it waits. */
  readonly dropped: string | null;
}

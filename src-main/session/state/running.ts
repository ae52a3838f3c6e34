/** The state of a notebook's current run: its steps, the one in progress, and the callers that wait for the end. */

import type { CellId } from '../../../src-shared/notebook/ids.ts';
import type { StopStage } from '../../../src-shared/wire/cell.ts';
import type { StepRequest } from '../../run/step.ts';
import type { AddressedFrame, CellRunResult, Origin, RunMode } from './requests.ts';

/**
 * The progress of a live run: it includes values that are set in the meantime, and so ends with the newest
 * (docs/spec/widgets-and-app-view.md, 1).
 */
interface LiveState {
  /** Widget cells whose newest values are not stored yet. */
  readonly pending: readonly CellId[];
  /** Which controls of which widget cells were set in this run. */
  readonly changed: ReadonlyMap<CellId, ReadonlySet<string>>;
  /** Whether `waiting` contains the readers of the values stored last. */
  readonly planned: boolean;
}

/**
 * The one run that has the notebook. States: waiting steps -> one current step -> done; `cancelling` ends it
 * after the current step.
 */
export interface RunningState {
  readonly runId: string;
  /**
   * single: a cell (and its upstreams, quietly); cascade: a confirmed plan, each step announced; all: every
   * cell in notebook order; live: widget cells that were set, then their readers.
   */
  readonly kind: 'single' | 'cascade' | 'all' | 'live';
  /** For a live run; null for every other. */
  readonly live: LiveState | null;
  readonly targetId: CellId | null;
  readonly mode: RunMode;
  readonly continueOnError: boolean;
  readonly planId: string | null;
  readonly origin: Origin;
  /** The dispatch to reply to when the run ends. */
  readonly ticket: number;
  readonly waiting: readonly CellId[];
  readonly current: StepRequest | null;
  /** The cell whose external data is being checked; its step comes next. */
  readonly lookingFor: CellId | null;
  readonly startedAtMs: number;
  /** When a cell of this run last executed, or the run began: external data may have changed since. */
  readonly lastRanAtMs: number;
  /** When a stop was last requested; null: it was not. */
  readonly stopAskedAtMs: number | null;
  /** The current stage of stopping the step; null: it is not being stopped. */
  readonly stage: StopStage | null;
  /** Cancel requests to reply to once the run has ended. */
  readonly cancelTickets: readonly number[];
  readonly total: number;
  readonly completed: number;
  readonly results: readonly CellRunResult[];
  readonly failed: ReadonlySet<CellId>;
  /** Cells already executed once in this run: a lost result is recomputed only once. */
  readonly executed: ReadonlySet<CellId>;
  readonly cancelling: boolean;
  /** How often a step of this run was keyed again because a module had changed. */
  readonly outdated: number;
  /** Frames of quiet upstreams, shown after the target's own result. */
  readonly heldFrames: readonly AddressedFrame[];
  /** The output of the current cell so far: the tail that a reconnecting client gets. */
  readonly streams: {
    readonly stdout: string;
    readonly stderr: string;
    readonly stdoutChunks: number;
    readonly stderrChunks: number;
  };
}

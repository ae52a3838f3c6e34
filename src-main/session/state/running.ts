import type { CellId } from '../../../src-shared/notebook/ids.ts';
import type { StopStage } from '../../../src-shared/wire/cell.ts';
import type { StepRequest } from '../../run/step.ts';
import type { AddressedFrame, CellRunResult, Origin, RunMode } from '../api.ts';

/** Where a live run is: it takes what is set meanwhile in, and so ends with the newest values (widgets-and-app-view). */
export interface LiveState {
  /** Widget cells whose newest values are still to be stored. */
  readonly pending: readonly CellId[];
  /** Which controls of which widget cells were set in this run. */
  readonly changed: ReadonlyMap<CellId, ReadonlySet<string>>;
  /** Whether `waiting` holds what reads the values stored last. */
  readonly planned: boolean;
}

/**
 * The one run that holds the notebook.
 * States: waiting steps -> one current step -> done; `cancelling` ends it after the current step.
 */
export interface RunningState {
  readonly runId: string;
  /**
   * single: a cell (and its upstreams, quietly); cascade: a confirmed plan, each step announced;
   * all: every cell in notebook order; live: widget cells that were set, then what reads them.
   */
  readonly kind: 'single' | 'cascade' | 'all' | 'live';
  /** Of a live run; null for every other. */
  readonly live: LiveState | null;
  readonly targetId: CellId | null;
  readonly mode: RunMode;
  readonly continueOnError: boolean;
  readonly planId: string | null;
  readonly origin: Origin;
  /** The dispatch to answer when the run ends. */
  readonly ticket: number;
  readonly waiting: readonly CellId[];
  readonly current: StepRequest | null;
  /** The cell whose outside is being looked at; its step comes next. */
  readonly lookingFor: CellId | null;
  readonly startedAtMs: number;
  /** When a cell of this run last executed, or the run began: what lay outside may have changed since. */
  readonly lastRanAtMs: number;
  /** When it was last asked to stop; null: it was not. */
  readonly stopAskedAtMs: number | null;
  /** How hard the current step is being stopped; null: it is not. */
  readonly stage: StopStage | null;
  /** Cancel requests to answer once the run has ended. */
  readonly cancelTickets: readonly number[];
  readonly total: number;
  readonly completed: number;
  readonly results: readonly CellRunResult[];
  readonly failed: ReadonlySet<CellId>;
  /** Cells already executed once in this run: a lost result is recomputed once, not for ever. */
  readonly executed: ReadonlySet<CellId>;
  readonly cancelling: boolean;
  /** How often a step of this run was keyed anew because a module had changed. */
  readonly outdated: number;
  /** Frames of quietly run upstreams, shown after the target's own result. */
  readonly heldFrames: readonly AddressedFrame[];
  /** What the current cell has printed so far: the tail a reconnecting client is shown. */
  readonly streams: {
    readonly stdout: string;
    readonly stderr: string;
    readonly stdoutChunks: number;
    readonly stderrChunks: number;
  };
}

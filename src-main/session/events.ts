import type { CellId } from '../../src-shared/notebook/ids.ts';
import type { EnvironmentJob } from '../../src-shared/wire/environment.ts';
import type { AppError } from '../../src-shared/wire/errors.ts';
import type { SessionClosedReason } from '../../src-shared/wire/frames/server.ts';
import type { CellAnalysis } from '../language/analyzeCell.ts';
import type { StopSignal } from '../lib/processGroup.ts';
import type { NotebookFile } from '../notebook/notebookFile.ts';
import type { StepOutcome, StepRequest } from '../run/step.ts';
import type { AddressedFrame, Origin, Reply, SessionRequest } from './api.ts';
import type { CellState, EnvironmentState, SessionState } from './state.ts';

/** A request as the mailbox hands it to the reducer: who asked, what to answer, when. */
export type RequestEvent = SessionRequest & { readonly origin: Origin; readonly ticket: number };

/** Facts that effects report back. */
export type SessionFact =
  | {
      readonly type: 'step_console';
      readonly runId: string;
      readonly cellId: CellId;
      readonly stream: 'stdout' | 'stderr';
      readonly text: string;
    }
  | {
      readonly type: 'step_finished';
      readonly runId: string;
      readonly cellId: CellId;
      readonly outcome: StepOutcome;
    }
  | {
      readonly type: 'step_stopping';
      readonly runId: string;
      readonly cellId: CellId;
      readonly signal: StopSignal;
    }
  /** The folder was read again because something in it changed, or could not be. */
  | { readonly type: 'files_followed'; readonly followed: FollowedFolder }
  | { readonly type: 'folder_lost'; readonly problem: string }
  | { readonly type: 'artifact_lost'; readonly uri: string }
  | {
      readonly type: 'source_written';
      readonly ticket: number;
      readonly origin: Origin;
      readonly cellId: CellId;
      readonly file: NotebookFile;
      readonly refused: AppError | null;
    }
  | {
      readonly type: 'structure_changed';
      readonly ticket: number;
      readonly file: NotebookFile;
      readonly added: readonly CellState[];
      readonly removed: readonly CellId[];
      readonly change: 'added' | 'deleted' | 'restored' | 'reordered' | 'renamed';
      readonly reply: Reply;
    }
  | {
      readonly type: 'structure_refused';
      readonly ticket: number;
      readonly origin: Origin;
      readonly error: AppError;
    }
  | { readonly type: 'environment_job_changed'; readonly job: EnvironmentJob; readonly started: boolean }
  | { readonly type: 'environment_settled'; readonly environment: EnvironmentState }
  | { readonly type: 'grace_ended'; readonly runId: string }
  | { readonly type: 'visitor_left'; readonly identity: string }
  | { readonly type: 'closing_asked'; readonly reason: SessionClosedReason };

/** What the folder holds now, beside what the session knew. */
export interface FollowedFolder {
  readonly file: NotebookFile;
  readonly changed: readonly {
    readonly id: CellId;
    readonly source: string;
    readonly testSource: string;
    readonly problem: string | null;
  }[];
  readonly added: readonly CellState[];
  readonly removed: readonly CellId[];
}

export type SessionEvent = (RequestEvent | SessionFact) & { readonly atMs: number };
export type SessionEventType = SessionEvent['type'];
export type EventOf<T extends SessionEventType> = SessionEvent & { readonly type: T };

/** I/O the reducer asks for; the effect loop does it and reports back with facts. */
export type Effect =
  | { readonly type: 'reply'; readonly ticket: number; readonly reply: Reply }
  | { readonly type: 'run_step'; readonly runId: string; readonly request: StepRequest }
  | { readonly type: 'cancel_step'; readonly runId: string }
  | {
      readonly type: 'write_source';
      readonly ticket: number;
      readonly origin: Origin;
      readonly cellId: CellId;
      readonly source: string;
      readonly author: string;
      readonly force: boolean;
      /** How many outside changes of the cell this edit knew of (`SessionState.outside`). */
      readonly outside: number;
    }
  | {
      readonly type: 'change_structure';
      readonly ticket: number;
      readonly request: RequestEvent;
      /** The cell a deletion takes away, as its last run left it. */
      readonly deleted?: CellState;
    }
  | { readonly type: 'save_runtime'; readonly cellIds: readonly CellId[] }
  | { readonly type: 'start_grace'; readonly runId: string }
  | { readonly type: 'stop_grace' }
  | { readonly type: 'expire_visitor'; readonly identity: string }
  | { readonly type: 'warm_up' };

/** One event's outcome: the next state, the frames it sends, the I/O it wants. */
export interface Reduction {
  readonly state: SessionState;
  readonly frames: readonly AddressedFrame[];
  readonly effects: readonly Effect[];
}

/** How the reducer looks at sources without doing I/O: the analyzer is in memory and pure. */
export interface ReducerTools {
  analyze(language: CellState['language'], source: string): CellAnalysis;
  newId(): string;
}

export type Reducer<T extends SessionEventType> = (
  state: SessionState,
  event: EventOf<T>,
  tools: ReducerTools,
) => Reduction;

import type { CellId } from '../../../src-shared/notebook/ids.ts';
import type { Language } from '../../../src-shared/wire/cell.ts';
import type { EnvironmentJob } from '../../../src-shared/wire/environment.ts';
import type { AppError } from '../../../src-shared/wire/errors.ts';
import type { SessionClosedReason } from '../../../src-shared/wire/frames/server.ts';
import type { EnvironmentWork } from '../../environment/environmentWork.ts';
import type { InspectAnswer, InspectStart } from '../../exec/inspection.ts';
import type { RemoteProgress } from '../../exec/remote/call/remoteRequest.ts';
import type { HintReason } from '../../exec/remote/health/hints.ts';
import type { CellAnalysis } from '../../language/analyzeCell.ts';
import type { ModuleFacts } from '../../language/modules/closure.ts';
import type { StopSignal } from '../../lib/processGroup.ts';
import type { StopManner } from '../../lib/stop.ts';
import type { DataFact, DataWant } from '../../mount/want.ts';
import type { DeletedVariant, VariantEdit } from '../../notebook/edits/variantEdits.ts';
import type { NotebookFile, Worker } from '../../notebook/file/notebookFile.ts';
import type { ServerWorkers } from '../../notebook/workers.ts';
import type { PromptDelta } from '../../run/prompt/deltaFeed.ts';
import type { IterationProgress, StepOutcome, StepRequest, VariantProgress } from '../../run/step.ts';
import type { TestProgress } from '../../run/tests/testProgress.ts';
import type { TestOutcome, TestRequest } from '../../run/tests/testRequest.ts';
import type { AddressedFrame, Origin, Reply, SessionRequest, SettingsChange } from '../api.ts';
import type { InspectOpening } from '../keys/inspectRequest.ts';
import type { CellState, EnvironmentNow, EnvironmentState, SecretFetch, SessionState } from './state.ts';

/** A request as the mailbox hands it to the reducer: who asked, what to answer, when. */
export type RequestEvent = SessionRequest & { readonly origin: Origin; readonly ticket: number };
/** A request of one type, as the reducer gets it. */
export type RequestOf<T extends SessionRequest['type']> = Extract<SessionRequest, { readonly type: T }> & {
  readonly origin: Origin;
  readonly ticket: number;
};

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
      readonly type: 'step_iterated';
      readonly runId: string;
      readonly cellId: CellId;
      readonly progress: IterationProgress;
    }
  | {
      readonly type: 'step_finished';
      readonly runId: string;
      readonly cellId: CellId;
      readonly outcome: StepOutcome;
    }
  | {
      readonly type: 'step_variant';
      readonly runId: string;
      readonly cellId: CellId;
      readonly progress: VariantProgress;
    }
  | {
      readonly type: 'step_delta';
      readonly runId: string;
      readonly cellId: CellId;
      readonly delta: PromptDelta;
    }
  | {
      readonly type: 'step_remote';
      readonly runId: string;
      readonly cellId: CellId;
      readonly progress: RemoteProgress;
    }
  | {
      readonly type: 'step_stopping';
      readonly runId: string;
      readonly cellId: CellId;
      readonly signal: StopSignal;
    }
  /** The test file is as asked for, or not; `runId` where a run of them waits for it. */
  | {
      readonly type: 'tests_written';
      readonly ticket: number;
      readonly origin: Origin;
      readonly cellId: CellId;
      readonly runId: string | null;
      /** The text as the file has it. */
      readonly source: string;
      /** It holds somebody else's lines too: whoever wrote it does not know the whole. */
      readonly merged: boolean;
      readonly refused: AppError | null;
    }
  | { readonly type: 'tests_looked_at'; readonly runId: string; readonly facts: readonly DataFact[] }
  | { readonly type: 'tests_progressed'; readonly runId: string; readonly progress: TestProgress }
  | { readonly type: 'tests_finished'; readonly runId: string; readonly outcome: TestOutcome }
  /** The one installation a run of tests may ask for has ended; `error` in words where it failed. */
  | { readonly type: 'pytest_installed'; readonly runId: string; readonly error: string | null }
  /** What a step needs of the outside was looked at. */
  | {
      readonly type: 'data_looked_at';
      readonly runId: string;
      readonly cellId: CellId;
      readonly facts: readonly DataFact[];
    }
  /** The files that runs were seen to use were looked at. */
  | { readonly type: 'files_seen'; readonly files: SessionState['seenFiles'] }
  /** The outside was looked at between runs. */
  | { readonly type: 'data_seen'; readonly facts: readonly DataFact[] }
  /** The step has not begun: a module it is keyed by, or the environment it would run in, is another now. */
  | {
      readonly type: 'step_outdated';
      readonly runId: string;
      readonly cellId: CellId;
      /** Null: they are not looked at any more. */
      readonly modules: ModuleFacts | null;
      /** Null: it is what it was. */
      readonly environment: EnvironmentNow | null;
    }
  /** Another program changed the files the environment is made from, or changed them back. */
  | { readonly type: 'environment_seen'; readonly environment: EnvironmentNow }
  /** The folder was read again because something in it changed, or could not be. */
  | { readonly type: 'files_followed'; readonly followed: FollowedFolder }
  | { readonly type: 'folder_lost'; readonly problem: string; readonly gone: boolean }
  /** Who runs the server offers other workers now. */
  | { readonly type: 'server_workers_changed'; readonly workers: ServerWorkers }
  /** The person trusts the notebook's folder now. */
  | { readonly type: 'folder_trusted' }
  /** Another folder lies where the trusted one lay. */
  | { readonly type: 'folder_replaced' }
  | { readonly type: 'artifact_lost'; readonly uri: string }
  /** An R has told its version, or there is none to ask. */
  | { readonly type: 'r_found'; readonly version: string | null }
  /** A sweep took these versions away. */
  | { readonly type: 'results_collected'; readonly uris: readonly string[] }
  /** The local modules were looked at. */
  | { readonly type: 'modules_read'; readonly modules: ModuleFacts }
  | {
      readonly type: 'source_written';
      readonly ticket: number;
      readonly origin: Origin;
      readonly cellId: CellId;
      /** The text of the edit. */
      readonly source: string;
      readonly file: NotebookFile;
      readonly refused: AppError | null;
      /** What was written instead of it: others' changes with it. */
      readonly merged: { readonly text: string /** What the file had. */; readonly theirs: string } | null;
    }
  | {
      readonly type: 'structure_changed';
      readonly ticket: number;
      readonly file: NotebookFile;
      readonly added: readonly CellState[];
      readonly removed: readonly CellId[];
      readonly change:
        | 'added'
        | 'deleted'
        | 'restored'
        | 'reordered'
        | 'renamed'
        | 'variant_added'
        | 'variant_chosen'
        | 'cell_settings'
        /** A setting of the notebook. */
        | { readonly of: SettingsChange['of'] };
      readonly reply: Reply;
    }
  | {
      readonly type: 'structure_refused';
      readonly ticket: number;
      readonly origin: Origin;
      readonly error: AppError;
    }
  /** The secret manager was asked, or there is none any more; without a ticket nobody waits for it. */
  | {
      readonly type: 'secrets_fetched';
      readonly ticket: number | null;
      readonly file: NotebookFile;
      readonly fetch: SecretFetch;
    }
  | { readonly type: 'environment_job_changed'; readonly job: EnvironmentJob; readonly started: boolean }
  | {
      readonly type: 'environment_settled';
      readonly environment: EnvironmentState;
      /** The dispatch that waits for it; null: none does. */
      readonly ticket: number | null;
      /** Of an import. */
      readonly imported?: { readonly count: number; readonly warnings: readonly string[] };
    }
  /** A console's process has loaded its values, or has not. */
  | {
      readonly type: 'inspect_started';
      readonly inspectId: string;
      readonly cellId: CellId;
      readonly socketId: string;
      readonly start: InspectStart;
    }
  | {
      readonly type: 'inspect_answered';
      readonly inspectId: string;
      readonly cellId: CellId;
      readonly socketId: string;
      readonly expr: string;
      readonly answer: InspectAnswer;
    }
  /** A console's process is gone; `reason` in words. */
  | {
      readonly type: 'inspect_ended';
      readonly inspectId: string;
      readonly cellId: CellId;
      readonly message: string;
    }
  | {
      readonly type: 'inspect_completed';
      readonly inspectId: string;
      readonly cellId: CellId;
      readonly socketId: string;
      readonly text: string;
      readonly names: readonly string[];
    }
  | { readonly type: 'inspect_idle'; readonly inspectId: string; readonly cellId: CellId }
  | { readonly type: 'grace_ended'; readonly runId: string | null }
  | { readonly type: 'visitor_left'; readonly identity: string }
  /** A source the disk refused may be tried again. */
  | { readonly type: 'write_due'; readonly cellId: CellId; readonly origin: Origin }
  /** A hold over the folder began (`draining`), closed in (`held`) or ended (null). */
  | { readonly type: 'hold_changed'; readonly phase: 'draining' | 'held' | null }
  | { readonly type: 'closing_asked'; readonly reason: SessionClosedReason };

/** A variant to add: a copy of the active one, with what makes it active. */
export interface VariantCopy {
  readonly name: string;
  readonly afterId: CellId;
  /** Whose settings in notebook.toml it takes over. */
  readonly likeId: CellId;
  readonly language: Language;
  readonly source: string;
  readonly setting: VariantEdit | null;
}

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

/** A change of the notebook's file, with what only the reducer knows of it. */
export type StructureChange =
  | {
      readonly kind: 'delete';
      readonly request: RequestOf<'delete_cell'>;
      /** The cell as its last run left it. */
      readonly cell: CellState;
      /** What the deletion changes in the cell's group of variants; null: nothing. */
      readonly variant: DeletedVariant | null;
    }
  | { readonly kind: 'add_variant'; readonly request: RequestOf<'add_variant'>; readonly copy: VariantCopy }
  | {
      readonly kind: 'choose_variant';
      readonly request: RequestOf<'choose_variant'>;
      readonly setting: VariantEdit;
    }
  | { readonly kind: 'change_settings'; readonly request: RequestOf<'change_settings'> }
  | {
      readonly kind: 'as_requested';
      readonly request: RequestOf<
        'add_cell' | 'restore_cell' | 'reorder_cells' | 'rename_notebook' | 'change_cell_settings'
      >;
    };

/** I/O the reducer asks for; the effect loop does it and reports back with facts. */
export type Effect =
  | { readonly type: 'reply'; readonly ticket: number; readonly reply: Reply }
  | { readonly type: 'run_step'; readonly runId: string; readonly request: StepRequest }
  | {
      readonly type: 'look_at_data';
      readonly runId: string;
      readonly cellId: CellId;
      readonly wants: readonly DataWant[];
    }
  /** Cells whose processes may work before their turn; all others of the kind are ended. */
  | { readonly type: 'run_ahead'; readonly requests: readonly StepRequest[] }
  | { readonly type: 'cancel_step'; readonly runId: string; readonly manner: StopManner }
  /** Tells a worker that a cell may come. */
  | { readonly type: 'hint_worker'; readonly worker: Worker; readonly reason: HintReason }
  | {
      readonly type: 'write_tests';
      readonly ticket: number;
      readonly origin: Origin;
      readonly cellId: CellId;
      readonly source: string;
      /** The text the edit was made from; null: not said. */
      readonly base: string | null;
      readonly runId: string | null;
    }
  | { readonly type: 'look_for_tests'; readonly runId: string; readonly wants: readonly DataWant[] }
  | { readonly type: 'run_tests'; readonly runId: string; readonly request: TestRequest }
  | { readonly type: 'install_pytest'; readonly runId: string }
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
  | { readonly type: 'change_structure'; readonly ticket: number; readonly change: StructureChange }
  /** Asks the secret manager the notebook names, and fills its variables with the answer. */
  | { readonly type: 'fetch_secrets'; readonly ticket: number | null }
  | { readonly type: 'save_runtime'; readonly cellIds: readonly CellId[] }
  | {
      readonly type: 'inspect';
      readonly inspectId: string;
      readonly cellId: CellId;
      readonly what: InspectDeed;
    }
  | { readonly type: 'start_grace'; readonly runId: string | null }
  | { readonly type: 'stop_grace' }
  | { readonly type: 'expire_visitor'; readonly identity: string }
  | { readonly type: 'write_again_later'; readonly cellId: CellId; readonly origin: Origin }
  /** Some cell imports what nobody looked for yet, or a module may have changed. */
  | { readonly type: 'read_modules' }
  | { readonly type: 'warm_up' }
  /** The first sync, which waited until the folder was trusted. */
  | { readonly type: 'start_environment' }
  /** Does a job that is in the state already. */
  | {
      readonly type: 'do_environment_work';
      readonly job: EnvironmentJob;
      readonly work: EnvironmentWork;
      /** Who waits for its end; null: nobody. */
      readonly ticket: number | null;
    }
  | { readonly type: 'stop_environment_work' };

/** What is done to a console's process. */
export type InspectDeed =
  | { readonly type: 'open'; readonly socketId: string; readonly opening: InspectOpening }
  | { readonly type: 'evaluate'; readonly socketId: string; readonly expr: string }
  | { readonly type: 'complete'; readonly socketId: string; readonly text: string }
  | { readonly type: 'interrupt' }
  | { readonly type: 'close' };

/** One event's outcome: the next state, the frames it sends, the I/O it wants. */
export interface Reduction {
  readonly state: SessionState;
  readonly frames: readonly AddressedFrame[];
  readonly effects: readonly Effect[];
}

/** A cell's text, as its analysis takes it. */
export interface CellText {
  readonly language: CellState['language'];
  readonly source: string;
}

/**
 * Asks other programs what the analysis of these texts needs of them (R of the names in an R cell), so that `analyze`
 * has it at hand. Whoever brings a text in waits for it before the reducer sees the text.
 */
export type LearnTexts = (texts: readonly CellText[]) => Promise<void>;

/** How the reducer looks at sources without doing I/O: the analyzer is in memory and pure. */
export interface ReducerTools {
  analyze(language: CellState['language'], source: string): CellAnalysis;
  newId(): string;
  /** Of an environment job: a UUID (rest-notebooks 2.6). */
  newJobId(): string;
}

export type Reducer<T extends SessionEventType> = (
  state: SessionState,
  event: EventOf<T>,
  tools: ReducerTools,
) => Reduction;

/** The types of the session's reducer: the events that it takes, and the effects that it asks for. */

import type { CellId } from '../../../src-shared/notebook/ids.ts';
import type { Language } from '../../../src-shared/wire/cell.ts';
import type { EnvironmentJob } from '../../../src-shared/wire/environment.ts';
import type { AppError } from '../../../src-shared/wire/errors.ts';
import type { SessionClosedReason } from '../../../src-shared/wire/frames/server.ts';
import type { WidgetMessage } from '../../../src-shared/wire/widgetMessages.ts';
import type { EnvironmentWork } from '../../environment/environmentWork.ts';
import type { InspectAnswer, InspectStart } from '../../exec/inspection.ts';
import type { RemoteProgress } from '../../exec/remote/call/remoteRequest.ts';
import type { HintReason } from '../../exec/remote/health/hints.ts';
import type { CellAnalysis } from '../../language/cellAnalysis.ts';
import type { ModuleFacts } from '../../language/modules/closure.ts';
import type { StopSignal } from '../../lib/processGroup.ts';
import type { StopManner } from '../../lib/stop.ts';
import type { DataFact, DataItem } from '../../mount/dataItem.ts';
import type { DeletedVariant, VariantEdit } from '../../notebook/edits/variantEdits.ts';
import type { NotebookFile, Worker } from '../../notebook/file/notebookFile.ts';
import type { ServerWorkers } from '../../notebook/workers.ts';
import type { TestProgress } from '../../run/cellTests/testProgress.ts';
import type { TestOutcome, TestRequest } from '../../run/cellTests/testRequest.ts';
import type { PromptDelta } from '../../run/prompt/deltaFeed.ts';
import type {
  IterationProgress,
  PythonStep,
  StepOutcome,
  StepRequest,
  VariantProgress,
} from '../../run/step.ts';
import type { InspectOpening } from './inspectOpening.ts';
import type { AddressedFrame, Origin, Reply, SessionRequest, SettingsChange } from './requests.ts';
import type { CellState, CurrentEnvironment, EnvironmentState, SecretFetch, SessionState } from './state.ts';

/** A request as the mailbox passes it to the reducer: with sender, ticket for the reply, and time. */
type RequestEvent = SessionRequest & { readonly origin: Origin; readonly ticket: number };
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
  /** The test file was written, or refused; `runId` if a run of the tests waits for it. */
  | {
      readonly type: 'tests_written';
      readonly ticket: number;
      readonly origin: Origin;
      readonly cellId: CellId;
      readonly runId: string | null;
      /** The text in the file. */
      readonly source: string;
      /** The text includes external changes, so its author does not have all of it. */
      readonly merged: boolean;
      readonly refused: AppError | null;
    }
  | { readonly type: 'test_data_checked'; readonly runId: string; readonly facts: readonly DataFact[] }
  | { readonly type: 'tests_progressed'; readonly runId: string; readonly progress: TestProgress }
  | { readonly type: 'tests_finished'; readonly runId: string; readonly outcome: TestOutcome }
  /** The only installation that a run of tests may request has ended; `error`: the reason if it failed. */
  | { readonly type: 'pytest_installed'; readonly runId: string; readonly error: string | null }
  /** The external data for a step was checked. */
  | {
      readonly type: 'step_data_checked';
      readonly runId: string;
      readonly cellId: CellId;
      readonly facts: readonly DataFact[];
    }
  /** The files that runs used were checked. */
  | { readonly type: 'observed_files_checked'; readonly files: SessionState['seenFiles'] }
  /** External data was checked between runs. */
  | { readonly type: 'data_checked'; readonly facts: readonly DataFact[] }
  /** The step has not started: a module in its key, or its environment, has changed. */
  | {
      readonly type: 'step_outdated';
      readonly runId: string;
      readonly cellId: CellId;
      /** Null: modules are not checked any more. */
      readonly modules: ModuleFacts | null;
      /** Null: unchanged. */
      readonly environment: CurrentEnvironment | null;
    }
  /** Another program changed the environment's files, or reverted them. */
  | { readonly type: 'environment_changed'; readonly environment: CurrentEnvironment }
  /** The folder was read again because something in it changed, or it could not be read. */
  | { readonly type: 'files_changed'; readonly followed: FolderChanges }
  | { readonly type: 'folder_lost'; readonly problem: string; readonly gone: boolean }
  /** The server's list of workers has changed. */
  | { readonly type: 'server_workers_changed'; readonly workers: ServerWorkers }
  /** The user trusts the notebook's folder now. */
  | { readonly type: 'folder_trusted' }
  /** Another folder is in the place of the trusted one. */
  | { readonly type: 'folder_replaced' }
  | { readonly type: 'artifact_lost'; readonly uri: string }
  /** An R has reported its version, or there is no R. */
  | { readonly type: 'r_version_read'; readonly version: string | null }
  /** A sweep deleted these versions. */
  | { readonly type: 'results_collected'; readonly uris: readonly string[] }
  /** The local modules were checked. */
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
      /** The text that was written instead: with external changes merged in. */
      readonly merged: { readonly text: string /** The external text. */; readonly theirs: string } | null;
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
  /** The secret manager was queried, or was removed; without a ticket no caller waits. */
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
      /** The dispatch that waits for it; null: none. */
      readonly ticket: number | null;
      /** For an import. */
      readonly imported?: { readonly count: number; readonly warnings: readonly string[] };
    }
  /** A console's process has loaded its values, or failed to. */
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
  /** A console's process has ended; `reason` as a message. */
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
  /** A process is kept for the widgets of a cell; null: none is any more. */
  | {
      readonly type: 'widget_process_changed';
      readonly cellId: CellId;
      readonly liveId: string | null;
      readonly why: string | null;
    }
  | {
      readonly type: 'widgets_opened';
      readonly cellId: CellId;
      readonly socketId: string;
      readonly live: { readonly id: string; readonly state: unknown } | null;
    }
  | {
      readonly type: 'widget_messages_received';
      readonly cellId: CellId;
      readonly liveId: string;
      readonly messages: readonly WidgetMessage[];
    }
  | { readonly type: 'grace_ended'; readonly runId: string | null }
  | { readonly type: 'visitor_left'; readonly identity: string }
  /** A source that the disk refused should be written again. */
  | { readonly type: 'write_due'; readonly cellId: CellId; readonly origin: Origin }
  /** A hold over the folder began (`draining`), took effect (`held`) or ended (null). */
  | { readonly type: 'hold_changed'; readonly phase: 'draining' | 'held' | null }
  | { readonly type: 'close_requested'; readonly reason: SessionClosedReason };

/** A variant to add: a copy of the active one, with the setting that makes it active. */
interface VariantCopy {
  readonly name: string;
  readonly afterId: CellId;
  /** The cell whose settings in notebook.toml are copied. */
  readonly likeId: CellId;
  readonly language: Language;
  readonly source: string;
  readonly setting: VariantEdit | null;
}

/** The current content of the folder, with what the session knew before. */
export interface FolderChanges {
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

/** A change of the notebook's file, with the data that only the reducer has. */
export type StructureChange =
  | {
      readonly kind: 'delete';
      readonly request: RequestOf<'delete_cell'>;
      /** The cell with the results of its last run. */
      readonly cell: CellState;
      /** How the deletion changes the cell's group of variants; null: not at all. */
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

/** I/O that the reducer requests; the effect loop performs it and reports back with facts. */
export type Effect =
  | { readonly type: 'reply'; readonly ticket: number; readonly reply: Reply }
  | { readonly type: 'run_step'; readonly runId: string; readonly request: StepRequest }
  | {
      readonly type: 'check_step_data';
      readonly runId: string;
      readonly cellId: CellId;
      readonly items: readonly DataItem[];
    }
  /** Cells whose processes may work before their turn; all others that do are ended. */
  | { readonly type: 'run_ahead'; readonly requests: readonly PythonStep[] }
  | { readonly type: 'cancel_step'; readonly runId: string; readonly manner: StopManner }
  /** Tells a worker that a cell may follow. */
  | { readonly type: 'hint_worker'; readonly worker: Worker; readonly reason: HintReason }
  | {
      readonly type: 'write_tests';
      readonly ticket: number;
      readonly origin: Origin;
      readonly cellId: CellId;
      readonly source: string;
      /** The text the edit started from; null: not given. */
      readonly base: string | null;
      readonly runId: string | null;
    }
  | { readonly type: 'check_test_data'; readonly runId: string; readonly items: readonly DataItem[] }
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
      /**
       * The number of external changes of the cell that the edit's author had seen (`SessionState.outside`).
       */
      readonly outside: number;
    }
  | { readonly type: 'change_structure'; readonly ticket: number; readonly change: StructureChange }
  /** Fetches from the secret manager the notebook names, and fills its variables with the result. */
  | { readonly type: 'fetch_secrets'; readonly ticket: number | null }
  | { readonly type: 'save_runtime'; readonly cellIds: readonly CellId[] }
  | {
      readonly type: 'inspect';
      readonly inspectId: string;
      readonly cellId: CellId;
      readonly what: ConsoleAction;
    }
  /** For the kept process of a cell. */
  | {
      readonly type: 'widget';
      readonly cellId: CellId;
      readonly what:
        | { readonly type: 'open'; readonly socketId: string }
        | { readonly type: 'tell'; readonly liveId: string; readonly message: WidgetMessage };
    }
  | { readonly type: 'start_grace'; readonly runId: string | null }
  | { readonly type: 'stop_grace' }
  | { readonly type: 'expire_visitor'; readonly identity: string }
  | { readonly type: 'write_again_later'; readonly cellId: CellId; readonly origin: Origin }
  /** Some cell imports a module that was not looked up yet, or a module may have changed. */
  | { readonly type: 'read_modules' }
  | { readonly type: 'warm_up' }
  /** The first sync, which waited for trust in the folder. */
  | { readonly type: 'start_environment' }
  /** Performs a job that the state already contains. */
  | {
      readonly type: 'do_environment_work';
      readonly job: EnvironmentJob;
      readonly work: EnvironmentWork;
      /** The dispatch that waits for its end; null: none. */
      readonly ticket: number | null;
    }
  | { readonly type: 'stop_environment_work' };

/** An operation on a console's process. */
export type ConsoleAction =
  | { readonly type: 'open'; readonly socketId: string; readonly opening: InspectOpening }
  | { readonly type: 'evaluate'; readonly socketId: string; readonly expr: string }
  | { readonly type: 'complete'; readonly socketId: string; readonly text: string }
  | { readonly type: 'interrupt' }
  | { readonly type: 'close' };

/** One event's outcome: the next state, the frames to send, the I/O to perform. */
export interface Reduction {
  readonly state: SessionState;
  readonly frames: readonly AddressedFrame[];
  readonly effects: readonly Effect[];
}

/** A cell's text, as input of the analysis. */
interface CellText {
  readonly language: CellState['language'];
  readonly source: string;
}

/**
 * Asks other programs for what the analysis of these texts needs (R for the names in an R cell), so that
 * `analyze` has it in memory. Must complete before the reducer sees a new text.
 */
export type PrepareAnalysis = (texts: readonly CellText[]) => Promise<void>;

/** How the reducer analyses sources without I/O: the analyzer is in memory and pure. */
export interface ReducerTools {
  analyze(language: CellState['language'], source: string): CellAnalysis;
  newId(): string;
  /** For an environment job: a UUID (docs/spec/rest-notebooks.md, 2.6). */
  newJobId(): string;
}

export type Reducer<T extends SessionEventType> = (
  state: SessionState,
  event: EventOf<T>,
  tools: ReducerTools,
) => Reduction;

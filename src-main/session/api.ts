import type { CellId, NotebookId, SessionId } from '../../src-shared/notebook/ids.ts';
import type { AutoRun } from '../../src-shared/wire/autoRun.ts';
import type { Cell, Language, Mount } from '../../src-shared/wire/cell.ts';
import type { KeptTestResult } from '../../src-shared/wire/cellTests.ts';
import type { Dag, LinkedDag } from '../../src-shared/wire/dag.ts';
import type { EnvironmentJob } from '../../src-shared/wire/environment.ts';
import type { AppError } from '../../src-shared/wire/errors.ts';
import type { ExecutionResult } from '../../src-shared/wire/execution.ts';
import type { ServerFrame, SessionClosedReason } from '../../src-shared/wire/frames/server.ts';
import type { NotebookBody } from '../../src-shared/wire/notebookState.ts';
import type { AiStatus } from '../../src-shared/wire/routes/ai.ts';
import type {
  Explanation,
  KeptResult,
  KeptVariable,
  ListedMount,
} from '../../src-shared/wire/routes/extensions.ts';
import type { Held } from '../../src-shared/wire/routes/holds.ts';
import type { RunSample } from '../../src-shared/wire/runSample.ts';
import type { UndoEntry } from '../../src-shared/wire/undo.ts';
import type { WidgetMessage } from '../../src-shared/wire/widgetMessages.ts';
import type { AiSettings, AssistantLimits } from '../ai/aiSettings.ts';
import type { Reach } from '../ai/openaiChat.ts';
import type { ArtifactRow } from '../artifacts/artifact.ts';
import type { ExportView } from '../convert/exportView.ts';
import type { EnvironmentWork } from '../environment/environmentWork.ts';
import type { Redactor } from '../lib/redactor.ts';
import type { NotebookLanguage } from '../lsp/notebookLanguage.ts';
import type { FoundNotebook } from '../notebook/discover.ts';
import type { AiEdit } from '../notebook/edits/notebookEdits.ts';
import type { Worker } from '../notebook/file/notebookFile.ts';
import type { CellHistory } from '../notebook/history/cellHistory.ts';
import type { UndoRecord } from '../notebook/history/undoStack.ts';
import type { NotebookDrafts } from '../notebook/kept/keptDrafts.ts';
import type { Sample } from '../sql/readSample.ts';
import type { ConnectionSchema } from './effects/connectionLook.ts';
import type { Sampled } from './effects/dataSample.ts';
import type { LoopIterations } from './effects/iterations.ts';
import type { ResultStorage } from './effects/resultStorage.ts';
import type { ShownIteration } from './effects/shownIteration.ts';
import type { QuiesceLimits } from './open/quiesce.ts';
import type { HoldState } from './state/state.ts';
import type { EnvironmentView } from './view/environmentView.ts';

import type { WorkersView } from './view/workersView.ts';

export type { FoundNotebook };

/** The AI model that a notebook's prompts use. */
export interface NotebookAi {
  readonly status: AiStatus;
  /** How to reach the model; null without a key, or where this notebook may not send requests. */
  readonly reach: Reach | null;
  /** The provider of the assistant; null exactly where `whyNot` has a reason. */
  readonly assistant: AiSettings | null;
  readonly limits: AssistantLimits;
  readonly whyNot: AppError | null;
}

/** How a run treats the cache (staleness-and-runs 3). */
export type RunMode = 'normal' | 'rerun' | 'force';

/**
 * What a user, a client or an agent requests from a session: the reducer's external events. REST handlers,
 * live frames and the command line all dispatch these; there is no other way in.
 */
export type SessionRequest =
  | {
      readonly type: 'run_cell';
      readonly cellId: CellId;
      readonly mode: RunMode;
      /** `ask` offers a cascade prompt where upstreams need to run (live), `go` runs them (REST, rerun). */
      readonly upstream: 'ask' | 'go';
    }
  | { readonly type: 'confirm_plan'; readonly cellId: CellId; readonly planId: string }
  | {
      readonly type: 'run_all';
      readonly mode: 'normal' | 'rerun';
      readonly continueOnError: boolean;
    }
  /** Queues runs in this order (docs/extensions.md). */
  | {
      readonly type: 'add_to_queue';
      /** Null: every cell of the notebook. */
      readonly cellIds: readonly CellId[] | null;
      readonly mode: RunMode;
      readonly continueOnError: boolean;
      /** Run only cells that are not up to date when their turn comes; their upstreams run without asking. */
      readonly ifStale: boolean;
      /** Upstreams that the user also agreed to run. */
      readonly agreed: readonly CellId[];
      /** The environment job that these runs wait for; they do not run if it fails. */
      readonly afterJob: string | null;
    }
  /** Removes these runs from the queue; null: all. */
  | { readonly type: 'remove_from_queue'; readonly ids: readonly string[] | null }
  /** Moves a queued run before another one; null: to the end. */
  | { readonly type: 'move_in_queue'; readonly id: string; readonly beforeId: string | null }
  | { readonly type: 'set_auto_run'; readonly autoRun: AutoRun }
  /** Edits of these cells are finished; what they made stale runs if the notebook is set so. */
  | { readonly type: 'edit_settled'; readonly cellIds: readonly CellId[] }
  /**
   * `soon`: a caller waits for the end. Otherwise the cell gets its full time to clean up, until a second
   * request.
   */
  | { readonly type: 'cancel_cell'; readonly cellId: CellId; readonly soon?: true }
  /**
   * Writes a cell's test file; blank text deletes it. `base`: the text the edit started from; null: not
   * given.
   */
  | {
      readonly type: 'edit_tests';
      readonly cellId: CellId;
      readonly source: string;
      readonly base: string | null;
    }
  /** Runs a cell's tests: of this text, which is written first, or of the saved file (null). */
  | {
      readonly type: 'test_cell';
      readonly cellId: CellId;
      readonly source: string | null;
      readonly base: string | null;
    }
  | { readonly type: 'stop_tests'; readonly cellId: CellId }
  | {
      readonly type: 'edit_source';
      readonly cellId: CellId;
      readonly source: string;
      readonly force: boolean;
      /**
       * The text the edit started from. If the cell has a different text now, the edit is refused, forced or
       * not.
       */
      readonly base?: string;
    }
  | {
      readonly type: 'add_cell';
      readonly afterId: CellId | null;
      readonly language: Language;
      /** The text of the new cell, written with it; absent: the text that new cells of the language have. */
      readonly source?: string;
      /** The id of the new cell, for a caller that records it first; absent: one is made. */
      readonly cellId?: CellId;
    }
  | { readonly type: 'delete_cell'; readonly cellId: CellId }
  /** Undoes a deletion (docs/extensions.md). */
  | { readonly type: 'restore_cell'; readonly cellId: CellId }
  | { readonly type: 'reorder_cells'; readonly cellIds: readonly string[] }
  | { readonly type: 'rename_notebook'; readonly name: string }
  /**
   * Copies the active variant, adds the copy after the last one and makes it active (analysis-and-graph 3.2).
   */
  | { readonly type: 'add_variant'; readonly group: string }
  /** Sets the active variant (`''`: the first), and whether one variant runs or all. */
  | {
      readonly type: 'choose_variant';
      readonly group: string;
      readonly active: string | null;
      readonly mode: 'switch' | 'sweep' | null;
    }
  /** A cell's own settings, as TOML; settings absent from the text are removed (docs/extensions.md). */
  | { readonly type: 'change_cell_settings'; readonly cellId: CellId; readonly text: string }
  | { readonly type: 'change_settings'; readonly change: SettingsChange }
  | { readonly type: 'refresh_secrets' }
  /** `waits`: reply when the job has ended; otherwise once it has begun. */
  | { readonly type: 'start_environment_job'; readonly work: EnvironmentWork; readonly waits: boolean }
  | { readonly type: 'cancel_environment_job' }
  | { readonly type: 'join' }
  | { readonly type: 'leave' }
  | { readonly type: 'focus_cell'; readonly cellId: CellId | null }
  /**
   * A console inside a cell: its process starts with the values the cell reads and has stored
   * (tests-and-consoles).
   */
  | { readonly type: 'limit_parallel_cells'; readonly parallelCells: number | null }
  | { readonly type: 'open_console'; readonly cellId: CellId }
  | { readonly type: 'ask_console'; readonly cellId: CellId; readonly expr: string }
  | { readonly type: 'complete_console'; readonly cellId: CellId; readonly text: string }
  | { readonly type: 'interrupt_console'; readonly cellId: CellId }
  | { readonly type: 'close_console'; readonly cellId: CellId }
  /** Asks for the state of the widgets of a cell's kept process (docs/extensions.md). */
  | { readonly type: 'open_widgets'; readonly cellId: CellId }
  /** A message of a cell's widgets for its kept process. */
  | {
      readonly type: 'tell_widgets';
      readonly cellId: CellId;
      readonly liveId: string;
      readonly message: WidgetMessage;
    }
  /** Sets controls of a widget cell to the values a client sent (widgets-and-app-view). */
  | {
      readonly type: 'update_widget';
      readonly cellId: CellId;
      readonly values: Readonly<Record<string, unknown>>;
    }
  | { readonly type: 'view_impact'; readonly cellId: CellId }
  | { readonly type: 'view_profiling' }
  /** Tells all windows what an agent did or says. */
  | { readonly type: 'tell_note'; readonly source: 'mcp' | 'agent'; readonly text: string }
  /** Tells all windows about an action that another client added to the undo record. */
  | { readonly type: 'tell_undo'; readonly entry: UndoEntry }
  | { readonly type: 'sync' };

/** The new value of one notebook setting. */
export type SettingsChange =
  | {
      readonly of: 'mounts';
      /** Masked options keep their values. */
      readonly mounts: readonly Mount[];
      /** The mount whose credentials move from notebook.toml to a named credential of the server. */
      readonly keepCredentialOf?: string;
    }
  /** The notebook's own cell timeout, in seconds; null: the server's. */
  | { readonly of: 'timeout'; readonly timeout: number | null }
  /** As written by the user; unusable connections are refused (rest-notebooks 7). */
  | { readonly of: 'connections'; readonly connections: readonly Readonly<Record<string, unknown>>[] }
  /** The notebook's variables as shown to a user: masked values keep what they hold (rest-notebooks 7). */
  | { readonly of: 'env'; readonly env: Readonly<Record<string, string>> }
  /** Null removes the block; the values are fetched again in both cases. */
  | { readonly of: 'secret_manager'; readonly config: Readonly<Record<string, string>> | null }
  /** Settings for AI models: null removes a setting; an absent setting does not change. */
  | { readonly of: 'ai'; readonly ai: AiEdit }
  | { readonly of: 'workers'; readonly workers: readonly Worker[] }
  /** The worker for cells that name none; null: this machine. */
  | { readonly of: 'worker'; readonly worker: string | null };

/** The sender: a live socket (refusals become error frames to it) or a caller that awaits the reply. */
export type Origin =
  | (Named & { readonly kind: 'socket'; readonly socketId: string })
  | (Named & { readonly kind: 'caller' });

interface Named {
  readonly identity: string;
  /** The authenticated name; absent: there is none, and the identity is what the client said. */
  readonly principal?: string;
}

/** How one cell of a run ended. `skipped` cells are downstream of a failed one. */
export interface CellRunResult {
  readonly cellId: CellId;
  readonly status: 'ok' | 'error' | 'skipped';
  readonly result: ExecutionResult | null;
  readonly provenanceHash: string | null;
  /** The variables stored under that provenance, by name. */
  readonly stored: readonly StoredOutput[];
}

export interface StoredOutput {
  readonly name: string;
  readonly artifact_id: string;
  readonly version: number;
  readonly content_sha256: string | null;
}

/** How an environment job ended, for the caller that waited. */
export interface EndedJob {
  readonly job: EnvironmentJob;
  readonly lockfileChanged: boolean;
  /** Whether the warm processes were ended because they belong to a replaced environment. */
  readonly warmPoolReset: boolean;
}

/** How a request ended. Edits reply once durable, runs once finished; refusals are values. */
export type Reply =
  | { readonly kind: 'done' }
  /** The cell that was added. */
  | { readonly kind: 'cell'; readonly cellId: CellId }
  | { readonly kind: 'variant'; readonly cellId: CellId; readonly name: string }
  | { readonly kind: 'executed'; readonly result: ExecutionResult }
  | { readonly kind: 'ran_all'; readonly results: readonly CellRunResult[] }
  | { readonly kind: 'tested'; readonly result: KeptTestResult }
  /** A job as it is now: just begun, or ended if the request waited for that. */
  | { readonly kind: 'environment'; readonly ended: EndedJob | null }
  | { readonly kind: 'cancelled'; readonly cancelled: boolean }
  | { readonly kind: 'refused'; readonly error: AppError };

/** A frame and who gets it. `sharesSeq` gives it the number of the frame before it in the same batch. */
export interface AddressedFrame {
  readonly frame: ServerFrame;
  readonly to: { readonly kind: 'all' } | { readonly kind: 'only' | 'except'; readonly socketId: string };
  readonly sharesSeq?: boolean;
}

export interface FrameSink {
  /** Frames of one event, in order. Called synchronously from the session's mailbox. */
  send(frames: readonly AddressedFrame[]): void;
  /** The session is over: `session_closed` has been sent; close the sockets with 1000. */
  closed(reason: SessionClosedReason): void;
}

/** One notebook opened in memory: one mailbox, one reducer, one writer of its folder. */
export interface Session {
  readonly id: SessionId;
  /** Absolute notebook directory. */
  readonly path: string;
  readonly notebookId: NotebookId;
  dispatch(request: SessionRequest, origin: Origin): Promise<Reply>;
  /** Records activity that is not a request, so that the session does not count as idle. */
  touch(): void;
  /** Wire views of the current state; cheap, because they only read what the state already holds. */
  body(): NotebookBody;
  dag(): Dag;
  /** Without the producers of names: the form in notebook_state and in the reply to a deletion. */
  linkedDag(): LinkedDag;
  /** The same array until a cell changes, so that its JSON is built once; callers must not change it. */
  cells(): Cell[];
  cell(id: CellId): Cell | null;
  /** Every stored version of a cell's values and displays, newest first; null for an unknown cell. */
  results(id: CellId): { readonly results: KeptResult[]; readonly runs: readonly RunSample[] } | null;
  /** What the cells have stored for later cells, in notebook order; values are not read. */
  variables(): readonly Omit<KeptVariable, 'value'>[];
  /**
   * The finished iterations of a loop, of its carry unless another variable is named; null for an unknown
   * cell.
   */
  iterations(id: CellId, variable: string | null): Promise<LoopIterations | null>;
  /**
   * Connects as a reading cell would and returns the tables, or only tests the connection. @throws AppError
   * not_found, NOTEBOOK_UNTRUSTED, bad_request with the database's message
   */
  lookAtConnection(name: string, what: 'schema'): Promise<ConnectionSchema>;
  lookAtConnection(name: string, what: 'test'): Promise<null>;
  /** The first rows of data that no cell has read; throws as `lookAtConnection`. */
  sampleData(sampled: Sampled): Promise<Sample>;
  /** The external data that cells use, each with its last known state. */
  mounts(): readonly ListedMount[];
  /** How many cells of one run may work at the same time: this notebook's own limit, and the server's. */
  parallelCells(): { readonly own: number | null; readonly server: number };
  /** Which runs begin without a request. */
  autoRun(): AutoRun;
  /** Answers the editor's questions about its Python cells. */
  readonly language: Pick<NotebookLanguage, 'ask'>;
  /** The workers its cells may run on. */
  readonly workers: WorkersView;
  /** The AI model its prompts use. */
  ai(): NotebookAi;
  /** The preview of one finished iteration, counted from the end where negative; null if there is none. */
  iteration(id: CellId, at: number): Promise<ShownIteration | null>;
  /** The notebook as it is now, for export; every acknowledged edit is in its files. */
  exported(): Promise<ExportView>;
  /** Hides the values of the notebook's secrets, which must never be shown. */
  redactor(): Redactor;
  /** Previous texts of cells, including deleted cells. */
  readonly history: Pick<CellHistory, 'list' | 'read' | 'cells'>;
  /** A cell's own settings in notebook.toml, as TOML with blank secrets; empty without any. */
  settingsText(id: CellId): string;
  /** The actions that can be undone, of all windows. */
  readonly undoRecord: UndoRecord;
  readonly drafts: NotebookDrafts;
  /** Why a cell has its status; null for an unknown cell. */
  explain(id: CellId): Explanation | null;
  /**
   * Everything a cell's last run printed: a file if it is long, which grows while the cell runs. `whole` is
   * false if the beginning was discarded. Null for an unknown cell.
   */
  consoleLog(
    id: CellId,
    stream: 'stdout' | 'stderr',
  ): Promise<
    | { readonly kind: 'file'; readonly path: string }
    | { readonly kind: 'text'; readonly text: string; readonly whole: boolean }
    | null
  >;
  /** The row of an artifact this notebook holds; null: it holds none of that address. */
  artifactRow(uri: string): ArtifactRow | null;
  /** The verified file of an artifact this notebook holds, for data pages and blobs. */
  artifactFile(
    uri: string,
  ): Promise<
    | { readonly kind: 'file'; readonly path: string; readonly contentType: string; readonly sha256: string }
    | { readonly kind: 'unknown' }
    | { readonly kind: 'unreadable'; readonly message: string }
  >;
  /** Reads about the environment; none of them changes it. */
  readonly environment: EnvironmentView;
  /** The size of the stored results, and the sweeps that collect unused ones. */
  readonly storage: ResultStorage;
  /** What a hold over the folder refuses now; null: there is no hold. */
  readonly hold: HoldState['phase'] | null;
  /** At most one sink: the live layer attaches it when the session opens. */
  attach(sink: FrameSink): void;
  /** Sends frames that no event of the session produced, such as those of the assistant. */
  announce(frames: readonly AddressedFrame[]): void;
  /** Aborted when the session ends: work beside its mailbox stops then. */
  readonly ended: AbortSignal;
}

/** The open sessions of one server process. All methods throw AppError for refusals. */
export interface Sessions {
  /**
   * @throws AppError bad_request (path outside the roots, `..`), not_found, NOTEBOOK_IN_USE, bad_request
   * (broken notebook, with the reason)
   */
  open(path: string): Promise<Session>;
  /** @throws AppError bad_request (name, Python version), conflict (target holds a notebook) */
  create(options: {
    readonly parentPath: string;
    readonly name: string;
    readonly pythonVersion: string | null;
    readonly starterCell: boolean;
  }): Promise<Session>;
  /**
   * The folder for a new notebook; `''` is the storage root. @throws AppError bad_request (outside the
   * roots), forbidden
   */
  parentFolder(path: string): Promise<string>;
  find(id: string): Session | null;
  list(): readonly Session[];
  /** @throws AppError conflict while a cell runs, ENVIRONMENT_BUSY while a job runs */
  close(id: SessionId, reason: SessionClosedReason): Promise<void>;
  /**
   * Deletes a session's folder; its sockets get `deleted`.
   * @throws AppError as close, and bad_request (a link, no notebook file), NOTEBOOK_IN_USE
   */
  remove(id: SessionId): Promise<void>;
  /** The same for a folder, open or not. @throws AppError bad_request (outside the roots), not_found, as remove */
  removeAt(path: string): Promise<void>;
  /** The notebooks below the storage root, newest first (rest-notebooks 3, 4). */
  discover(): Promise<{ readonly root: string; readonly notebooks: readonly FoundNotebook[] }>;
  /** Whether a path still contains a notebook this process may open. */
  isNotebook(path: string): Promise<boolean>;
  /**
   * Holds a folder and every notebook in it, open or not (rest-notebooks 4).
   * @throws AppError bad_request (outside the roots), not_found, NOTEBOOK_QUIESCED (another hold overlaps)
   */
  quiesce(path: string, limits: QuiesceLimits): Promise<Held>;
  /** Whether exactly this folder was held. @throws AppError bad_request, as quiesce */
  release(path: string): Promise<{ readonly path: string; readonly released: boolean }>;
  /** The user trusts another folder: sessions in it may run once this resolves. Never rejects. */
  recheckTrust(): Promise<void>;
  /** The server's list of workers has changed. */
  recheckWorkers(): void;
  /** Ends every session and everything it started; sockets get `shutdown`. */
  shutdown(): Promise<void>;
  onOpened(listener: (session: Session) => void): void;
}

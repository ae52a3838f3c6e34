/** The requests that users, clients and agents make of a session (an open notebook), with their replies. */

import type { CellId } from '../../../src-shared/notebook/ids.ts';
import type { AppEdit } from '../../../src-shared/wire/appLayout.ts';
import type { AutoRun } from '../../../src-shared/wire/autoRun.ts';
import type { Language, Mount } from '../../../src-shared/wire/cell.ts';
import type { StoredTestResult } from '../../../src-shared/wire/cellTests.ts';
import type { EnvironmentJob } from '../../../src-shared/wire/environment.ts';
import type { AppError } from '../../../src-shared/wire/errors.ts';
import type { ExecutionResult } from '../../../src-shared/wire/execution.ts';
import type { ServerFrame, SessionClosedReason } from '../../../src-shared/wire/frames/server.ts';
import type { UndoEntry } from '../../../src-shared/wire/undo.ts';
import type { WidgetMessage } from '../../../src-shared/wire/widgetMessages.ts';
import type { EnvironmentWork } from '../../environment/environmentWork.ts';
import type { AiEdit } from '../../notebook/edits/notebookEdits.ts';
import type { Worker } from '../../notebook/file/notebookFile.ts';
import type { PlainSettings } from '../../notebook/file/plainSettings.ts';

/** How a run treats the cache (docs/spec/staleness-and-runs.md, 3). */
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
      /** Run only cells that are not up to date when their turn comes; their upstreams run without a prompt. */
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
   * Copies the active variant, adds the copy after the last one and makes it active (docs/spec/analysis-and-graph.md,
   * 3.2).
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
  /** `waits`: reply when the job has ended; otherwise once it has started. */
  | { readonly type: 'start_environment_job'; readonly work: EnvironmentWork; readonly waits: boolean }
  | { readonly type: 'cancel_environment_job' }
  | { readonly type: 'join' }
  | { readonly type: 'leave' }
  | { readonly type: 'focus_cell'; readonly cellId: CellId | null }
  /**
   * A console inside a cell: its process starts with the values the cell reads and has stored
   * (docs/spec/tests-and-consoles.md, 1).
   */
  | { readonly type: 'limit_parallel_cells'; readonly parallelCells: number | null }
  | { readonly type: 'open_console'; readonly cellId: CellId }
  | { readonly type: 'ask_console'; readonly cellId: CellId; readonly expr: string }
  | { readonly type: 'complete_console'; readonly cellId: CellId; readonly text: string }
  | { readonly type: 'interrupt_console'; readonly cellId: CellId }
  | { readonly type: 'close_console'; readonly cellId: CellId }
  /** Requests the state of the widgets of a cell's kept process (docs/extensions.md). */
  | { readonly type: 'open_widgets'; readonly cellId: CellId }
  /** A message of a cell's widgets for its kept process. */
  | {
      readonly type: 'send_to_widgets';
      readonly cellId: CellId;
      readonly liveId: string;
      readonly message: WidgetMessage;
    }
  /** Sets controls of a widget cell to the values a client sent (docs/spec/widgets-and-app-view.md, 1). */
  | {
      readonly type: 'update_widget';
      readonly cellId: CellId;
      readonly values: Readonly<Record<string, unknown>>;
    }
  | { readonly type: 'view_impact'; readonly cellId: CellId }
  | { readonly type: 'view_profiling' }
  /** Shows all windows what an agent did, or its message. */
  | { readonly type: 'broadcast_note'; readonly source: 'mcp' | 'agent'; readonly text: string }
  /** Shows all windows an action that another client added to the undo record. */
  | { readonly type: 'broadcast_undo_entry'; readonly entry: UndoEntry }
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
  /** Settings of one value each; null removes one from the notebook. */
  | { readonly of: 'values'; readonly values: Partial<PlainSettings> }
  /** As written by the user; unusable connections are refused (docs/spec/rest-notebooks.md, 7). */
  | { readonly of: 'connections'; readonly connections: readonly Readonly<Record<string, unknown>>[] }
  /**
   * The notebook's variables as shown to a user: masked values keep what they hold (docs/spec/rest-notebooks.md, 7).
   */
  | { readonly of: 'env'; readonly env: Readonly<Record<string, string>> }
  /** Null removes the block; the values are fetched again in both cases. */
  | { readonly of: 'secret_manager'; readonly config: Readonly<Record<string, string>> | null }
  /** Settings for AI models: null removes a setting; an absent setting does not change. */
  | { readonly of: 'ai'; readonly ai: AiEdit }
  /** Values of the app view's layout; null removes one, an absent one does not change. */
  | { readonly of: 'app'; readonly app: AppEdit }
  | { readonly of: 'workers'; readonly workers: readonly Worker[] }
  /** The worker for cells that name none; null: this machine. */
  | { readonly of: 'worker'; readonly worker: string | null };

/** The sender: a live socket (refusals become error frames to it) or a caller that awaits the reply. */
export type Origin =
  | (NamedSender & { readonly kind: 'socket'; readonly socketId: string })
  | (NamedSender & { readonly kind: 'caller' });

interface NamedSender {
  readonly identity: string;
  /** The authenticated name; absent: there is none, and the identity is what the client declared. */
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

/** One variable of a finished run in the store. */
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
  | { readonly kind: 'tested'; readonly result: StoredTestResult }
  /** A job as it is now: just started, or ended if the request waited for that. */
  | { readonly kind: 'environment'; readonly ended: EndedJob | null }
  | { readonly kind: 'cancelled'; readonly cancelled: boolean }
  | { readonly kind: 'refused'; readonly error: AppError };

/** A frame and who gets it. `sharesSeq` gives it the number of the frame before it in the same batch. */
export interface AddressedFrame {
  readonly frame: ServerFrame;
  readonly to: { readonly kind: 'all' } | { readonly kind: 'only' | 'except'; readonly socketId: string };
  readonly sharesSeq?: boolean;
}

/** Takes the frames of a session, for its sockets. */
export interface FrameSink {
  /** Frames of one event, in order. Called synchronously from the session's mailbox. */
  send(frames: readonly AddressedFrame[]): void;
  /** The session is over: `session_closed` has been sent; close the sockets with 1000. */
  closed(reason: SessionClosedReason): void;
}

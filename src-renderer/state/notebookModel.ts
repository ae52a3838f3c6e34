/** The window's model of a notebook. Only `applyFrame` and `applyOwn` change it. */

import type { AutoRunReport } from '../../src-shared/wire/autoRun.ts';
import type { Cell } from '../../src-shared/wire/cell.ts';
import { withCutMark, withoutCutMark } from '../../src-shared/wire/cutConsole.ts';
import type { ServerPayload } from '../../src-shared/wire/frames/server.ts';
import type { NotebookBody } from '../../src-shared/wire/notebookState.ts';
import type { QueuedRunView, RunProgress } from '../../src-shared/wire/runQueue.ts';
import type { CellConsoles } from './cellConsole.ts';
import type { ConsoleText } from './consoleText.ts';
import { consoleString, emptyConsole, replaceConsole } from './consoleText.ts';

/** Why a run failed, in addition to its message: only a live cell_error contains it. */
export interface FailureHint {
  readonly code: string | null;
}

/** The progress of a loop's current run, as received by this window. */
export interface LoopProgress {
  /** Completed iterations. */
  readonly finished: number;
  readonly maxIter: number;
  readonly untilReached: boolean;
  /** Estimated milliseconds of the next iteration, weighted towards recent ones; null until one has run. */
  readonly eachMs: number | null;
}

/** The part of a model's answer that this window has received so far. */
export interface AnswerProgress {
  /** From 1. */
  readonly attempt: number;
  readonly text: string;
  /** Why the previous attempt failed; null in the first one. */
  readonly retriedFor: string | null;
  /** Remarks of the provider, for example about a missing feature or high load. */
  readonly notices: readonly string[];
}

/** One cell in this window: the server's cell, its growing console text, and its current run. */
export interface CellModel {
  readonly cell: Cell;
  readonly stdout: ConsoleText;
  readonly stderr: ConsoleText;
  /** When the current run started, in epoch ms by this window's clock; null if not running or unknown. */
  readonly runningSince: number | null;
  /** Duration in milliseconds of the run whose result is shown, if this window received its end. */
  readonly durationMs: number | null;
  readonly failure: FailureHint | null;
  /** A worker's message about a waiting run; null if it does not wait. */
  readonly queue: { readonly position: number | null; readonly detail: string | null } | null;
  /** The stage of stopping the current run; null if it is not being stopped. */
  readonly stopping: ServerPayload<'cell_stopping'>['stage'] | null;
  /** Null if the cell is not a loop, or no iteration has ended yet. */
  readonly loop: LoopProgress | null;
  /** Null if the cell is not a running prompt. */
  readonly answer: AnswerProgress | null;
  /** Whether its tests are running. */
  readonly testing: boolean;
  /** The progress of the tests; null if they are not running or no progress has arrived. */
  readonly testProgress: TestProgress | null;
  readonly mutationWarnings: ServerPayload<'cell_output'>['mutation_warnings'];
  /** The variables created by a run that this window received, by name. */
  readonly previews: ServerPayload<'cell_output'>['outputs'];
  /** The variants of a fan-out whose runs have ended, in order, in the newest run that this window received. */
  readonly variantRuns: readonly VariantRun[];
}

export type TestProgress = Omit<ServerPayload<'cell_test_progress'>, 'cell_id'>;
export type VariantRun = ServerPayload<'cell_variant_progress'>;

export type CascadePrompt = ServerPayload<'cascade_prompt'>;
export type Profile = ServerPayload<'profiling_summary'>;
type CascadeProgress = ServerPayload<'cascade_progress'>;
export type Presence = ServerPayload<'presence'>;
/** A message of an agent. `seq` distinguishes two equal messages. */
interface AgentNote extends ServerPayload<'agent_note'> {
  readonly seq: number;
}

/** Changes by another program, reported once. */
interface OutsideChange extends ServerPayload<'files_changed'> {
  readonly seq: number;
}
type SessionClosed = ServerPayload<'session_closed'>;
type Refusal = ServerPayload<'error'> & { readonly seq: number };

/** The notebook without its cells. */
type NotebookMeta = Omit<NotebookBody, 'cells' | 'run_queue'>;

/**
 * What this window knows of a session. Statuses, staleness and the graph come from the server and are never computed
 * here.
 */
export interface NotebookModel {
  readonly meta: NotebookMeta | null;
  readonly order: readonly string[];
  readonly cells: Readonly<Record<string, CellModel>>;
  readonly prompt: CascadePrompt | null;
  /** The queued runs of all windows. */
  readonly queue: readonly QueuedRunView[];
  readonly progress: CascadeProgress | null;
  /** The progress of the current run of several cells, as of the cell that started last, and when it arrived. */
  readonly rest: (RunProgress & { readonly heardAt: number }) | null;
  /** The cells that the last automatic run after an edit in this window skipped. */
  readonly autoReport: AutoRunReport | null;
  /** What the notebook's runs cost, as of the last request. */
  readonly profile: Profile | null;
  readonly presence: Presence | null;
  readonly closed: SessionClosed | null;
  /** The newest refusal, until it is dismissed or replaced. */
  readonly refusal: Refusal | null;
  /** Cells whose source was changed by another program, until they are run or edited here. */
  readonly rewritten: Readonly<Record<string, true>>;
  readonly outside: OutsideChange | null;
  /** The newest message of an agent. */
  readonly agentNote: AgentNote | null;
  /** The consoles that this window has open, by cell. */
  readonly cellConsoles: CellConsoles;
  readonly dagError: string | null;
  /** seq of the newest frame applied; null before the first. */
  readonly lastSeq: number | null;
  /** Whether a gap was detected, so that notebook_sync is due (docs/spec/live-protocol.md, 1). */
  readonly needsSync: boolean;
  /** Whether the cells are those of the previous session, until the new one has sent its state. */
  readonly ofSessionBefore: boolean;
}

export const emptyNotebook: NotebookModel = {
  meta: null,
  order: [],
  cells: {},
  prompt: null,
  queue: [],
  progress: null,
  rest: null,
  autoReport: null,
  profile: null,
  presence: null,
  closed: null,
  refusal: null,
  rewritten: {},
  outside: null,
  agentNote: null,
  cellConsoles: {},
  dagError: null,
  lastSeq: null,
  needsSync: false,
  ofSessionBefore: false,
};

/** When a frame was sent (by the server's clock) and received (by this window's clock), in epoch ms. */
export interface FrameTimes {
  readonly at: number;
  readonly heardAt: number;
}

/** How the state of a cell was received. */
interface Received {
  /** If absent, the two clocks are assumed to agree. */
  readonly heard?: FrameTimes | undefined;
  /** Whether the state is of a new session: runs of the previous one ended with its server. */
  readonly byAnother?: boolean;
}

/**
 * The model of a cell from a notebook_state.
 * @param before the earlier model in this window, if any
 */
export function cellModelOf(
  cell: Cell,
  before: CellModel | undefined,
  { heard, byAnother = false }: Received = {},
): CellModel {
  const stillRunning = before?.cell.status === 'running' && cell.status === 'running';
  const stdout = before?.stdout ?? emptyConsole;
  const stderr = before?.stderr ?? emptyConsole;
  // The console of a running local cell is empty in a state (docs/spec/live-protocol.md, 5.1), so the streamed text is kept.
  const keepStreamed = stillRunning && cell.console_stdout === '' && cell.console_stderr === '';
  const cut =
    byAnother && before?.cell.status === 'running' && (cell.status === 'idle' || cell.status === 'stale');
  const console = (streamed: ConsoleText, serverText: string): ConsoleText => {
    if (keepStreamed) return streamed;
    return cut ? afterCut(streamed, serverText) : replaceConsole(streamed, serverText);
  };
  const sameResult =
    before !== undefined && before.cell.error === cell.error && sameOutputs(before.cell, cell);
  return {
    cell,
    stdout: console(stdout, cell.console_stdout),
    stderr: console(stderr, cell.console_stderr),
    runningSince: runningSinceOf(cell, heard) ?? (stillRunning ? before.runningSince : null),
    durationMs: sameResult ? before.durationMs : null,
    failure: sameResult ? before.failure : null,
    testing: cell.tests_running === true,
    testProgress: cell.tests_running === true ? (before?.testProgress ?? null) : null,
    mutationWarnings: cell.mutation_warnings ?? (sameResult ? before.mutationWarnings : []),
    previews: before?.previews ?? {},
    queue: stillRunning ? before.queue : null,
    stopping: cell.stopping ?? (stillRunning ? before.stopping : null),
    loop: stillRunning ? before.loop : null,
    answer: stillRunning ? before.answer : null,
    variantRuns: before?.variantRuns ?? [],
  };
}

/** The clocks of two machines may differ by hours, so only the reported elapsed time is used. */
function runningSinceOf(
  { status, running_since: since }: Cell,
  { at, heardAt }: FrameTimes = { at: 0, heardAt: 0 },
): number | null {
  return status !== 'running' || since === undefined ? null : Date.parse(since) + heardAt - at;
}

/**
 * The console of a run that ended with its server. The streamed text is kept if it contains the saved text, because
 * this window may have received more than the server could save.
 */
function afterCut(streamed: ConsoleText, serverText: string): ConsoleText {
  const printed = withoutCutMark(serverText);
  if (!consoleString(streamed).includes(printed.trimEnd())) return replaceConsole(streamed, serverText);
  return printed === serverText ? streamed : replaceConsole(streamed, withCutMark(consoleString(streamed)));
}

function sameOutputs(a: Cell, b: Cell): boolean {
  const uris = (cell: Cell): string => Object.values(cell.artifact_uris).join(' ');
  return uris(a) === uris(b) && a.display_outputs.length === b.display_outputs.length;
}

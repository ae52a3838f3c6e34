/** Applies one frame (a message of the server about a notebook) to the window's model. Pure. */

import { LANGUAGES } from '../../src-shared/notebook/languages/languages.ts';
import type { Cell } from '../../src-shared/wire/cell.ts';
import type { DagCell } from '../../src-shared/wire/dag.ts';
import type { ReceivedFrame, ServerFrameType, ServerPayload } from '../../src-shared/wire/frames/server.ts';
import { CELL_CONSOLE_WORDS } from '../words/cellConsole.ts';
import { answerAfter } from './answer.ts';
import {
  withAllClosed,
  withAnswer,
  withClosedConsole,
  withCompletions,
  withRefusedStart,
} from './cellConsole.ts';
import { appendConsole, clearConsole, replaceConsole } from './consoleText.ts';
import type { CellModel, FrameTimes, NotebookModel } from './notebookModel.ts';
import { cellModelOf, emptyNotebook } from './notebookModel.ts';
import { afterChange, mergedPrompt } from './runQueue.ts';
import { errorAt } from './shownError.ts';

/** What a handler may know of a frame in addition to its payload. */
interface FrameFacts extends FrameTimes {
  readonly seq: number;
}

type Handlers = {
  readonly [T in ServerFrameType]: (
    model: NotebookModel,
    payload: ServerPayload<T>,
    facts: FrameFacts,
  ) => NotebookModel;
};

/** Fields that only the server compares; frames do not contain them. */
const UNHASHED = { cell_source_hash: '', test_source_hash: '', input_fingerprint: '' };

/** The worker and transport of a run, as its frames name them; null or absent for a run on this machine. */
function remoteOf(payload: {
  readonly remote_worker?: string | undefined;
  readonly remote_transport?: string | undefined;
  readonly remote_build_id?: string | undefined;
  readonly remote_build_state?: string | undefined;
  readonly remote_error_code?: string | undefined;
}) {
  return {
    remote_worker: payload.remote_worker ?? null,
    remote_transport: payload.remote_transport ?? null,
    remote_build_id: payload.remote_build_id ?? null,
    remote_build_state: payload.remote_build_state ?? null,
    remote_error_code: payload.remote_error_code ?? null,
  };
}

function queueOf(payload: ServerPayload<'cell_status'>): CellModel['queue'] {
  const { remote_queue_position: position = null, remote_queue_detail: detail = null } = payload;
  return position === null && detail === null ? null : { position, detail };
}

/** The output of the imported file is removed as soon as the cell runs. */
function withoutImported(cell: Cell): Cell {
  const { imported, ...rest } = cell;
  return imported === undefined ? cell : { ...rest, display_outputs: [], display_output: null };
}

/** Stores the progress of a run of several cells. The frame that starts a run of one cell has none and clears it. */
function withRest(
  model: NotebookModel,
  { status, run_progress, remote_build_state }: ServerPayload<'cell_status'>,
  heardAt: number,
): NotebookModel {
  if (status !== 'running' || remote_build_state !== undefined) return model;
  if (run_progress === undefined) return model.rest === null ? model : { ...model, rest: null };
  return { ...model, rest: { ...run_progress, heardAt } };
}

/** The weight of the newest iteration in the estimate of the next one. */
const NEWEST_WEIGHT = 0.3;

/**
 * Every server frame, applied once. Pure: what a frame does to the window's model and nothing else.
 * The console obeys docs/spec/live-protocol.md, 5.2, rules 1 to 3.
 */
const HANDLERS = {
  cell_status: (model, payload, { heardAt }) =>
    withCell(withRest(model, payload, heardAt), payload.cell_id, (before) => {
      const { status } = payload;
      const where = remoteOf(payload);
      // Changes only the chip: the run continues (docs/spec/live-protocol.md, 5.1).
      if (
        status === 'running' &&
        payload.remote_build_state !== undefined &&
        before.cell.status === 'running'
      ) {
        return { ...before, cell: { ...before.cell, ...where }, queue: queueOf(payload) };
      }
      const starts = status === 'running';
      const reasons = payload.staleness_reasons ?? [];
      const startingCell = starts ? withoutImported(before.cell) : before.cell;
      const { causality: _old, past_error: _past, stopped_ms: stoppedBefore, unkept, ...rest } = startingCell;
      const stopped = starts ? undefined : (payload.stopped_ms ?? stoppedBefore);
      const cell: Cell = {
        ...rest,
        ...(starts ? where : {}),
        status,
        staleness_reasons: reasons,
        staleness: reasons.length > 0 ? { status, reasons } : null,
        ...(payload.causality === undefined ? {} : { causality: payload.causality }),
        ...(stopped === undefined ? {} : { stopped_ms: stopped }),
        ...(unkept === undefined || status !== 'idle' ? {} : { unkept }),
        ...errorAt(before.cell, status),
      };
      if (!starts)
        return { ...before, cell, queue: null, runningSince: null, stopping: null, loop: null, answer: null };
      return {
        ...before,
        cell,
        queue: null,
        stopping: null,
        loop: null,
        answer: null,
        stdout: clearConsole(before.stdout),
        stderr: clearConsole(before.stderr),
        runningSince: heardAt,
        failure: null,
        mutationWarnings: [],
        variantRuns: [],
      };
    }),

  cell_output: (model, payload) =>
    withCell(model, payload.cell_id, (before) => {
      const {
        past_error: _past,
        stopped_ms: _stopped,
        unread_uris: _unread,
        imported: _imported,
        team_cache: _team,
        ...cell
      } = before.cell;
      const displays = payload.displays ?? (payload.display === undefined ? [] : [payload.display]);
      return {
        ...before,
        cell: {
          ...cell,
          artifact_uri: payload.artifact_uri,
          artifact_uris: payload.artifact_uris,
          ...(payload.unread_uris === undefined ? {} : { unread_uris: payload.unread_uris }),
          ...(payload.team_cache === undefined ? {} : { team_cache: payload.team_cache }),
          display_outputs: displays,
          display_output: displays.at(-1) ?? null,
          cache_hit: payload.cache_hit,
          execution_method: payload.execution_method,
          ...(payload.cache_hit ? {} : remoteOf(payload)),
          error: null,
          ...(payload.widget === undefined ? {} : { widget: payload.widget }),
          ...(payload.cache_hit ? {} : { last_duration_ms: payload.duration_ms }),
        },
        stdout: replaceConsole(before.stdout, payload.stdout),
        stderr: replaceConsole(before.stderr, payload.stderr),
        durationMs: payload.duration_ms,
        answer: null,
        failure: null,
        mutationWarnings: payload.mutation_warnings,
        previews: { ...before.previews, ...payload.outputs },
      };
    }),

  cell_console: (model, payload) =>
    withCell(model, payload.cell_id, (before) => {
      const stream = before[payload.stream];
      const base = payload.chunk_seq === 0 ? clearConsole(stream) : stream;
      return { ...before, [payload.stream]: appendConsole(base, payload.text) };
    }),

  cell_output_delta: (model, payload) =>
    withCell(model, payload.cell_id, (before) =>
      before.cell.status === 'running' ? { ...before, answer: answerAfter(before.answer, payload) } : before,
    ),

  cell_iteration_progress: (model, payload) =>
    withCell(model, payload.cell_id, (before) => {
      const { duration_ms: ms, iteration, max_iter, until_reached } = payload;
      const earlierMs = before.loop?.eachMs ?? null;
      // An iteration from the cache took no time and says nothing about the next one.
      const eachMs =
        ms <= 0 ? earlierMs : earlierMs === null ? ms : earlierMs + (ms - earlierMs) * NEWEST_WEIGHT;
      const loop = { finished: iteration + 1, maxIter: max_iter, untilReached: until_reached, eachMs };
      return before.cell.status === 'running' ? { ...before, loop } : before;
    }),

  cell_stopping: (model, payload) =>
    withCell(model, payload.cell_id, (before) =>
      before.cell.status === 'running' ? { ...before, stopping: payload.stage } : before,
    ),

  cell_test_status: (model, payload) =>
    withCell(model, payload.cell_id, (before) => ({
      ...before,
      testing: payload.status === 'running',
      testProgress: null,
    })),

  cell_test_progress: (model, { cell_id, ...testProgress }) =>
    withCell(model, cell_id, (before) => (before.testing ? { ...before, testProgress } : before)),

  cell_test_results: (model, payload) =>
    withCell(model, payload.cell_id, (before) => {
      const { cell_id: _cell, ...result } = payload;
      return { ...before, cell: { ...before.cell, test_result: { ...UNHASHED, ...result } } };
    }),

  cell_tests_changed: (model, { cell_id, test_source, stale }) =>
    withCell(model, cell_id, (before) => {
      const { test_result: last } = before.cell;
      const test_result = last === null || stale === null ? last : { ...last, stale };
      return { ...before, cell: { ...before.cell, test_source, test_result } };
    }),

  cell_variant_progress: (model, payload) =>
    withCell(model, payload.cell_id, (before) => ({
      ...before,
      variantRuns: payload.index === 0 ? [payload] : [...before.variantRuns, payload],
    })),

  files_changed: (model, payload, { seq }) => ({
    ...model,
    outside: { ...payload, seq },
    rewritten: {
      ...model.rewritten,
      ...Object.fromEntries(payload.cell_ids.map((id): [string, true] => [id, true])),
    },
  }),

  cell_error: (model, payload) =>
    withCell(model, payload.cell_id, (before) => {
      const { past_error: _past, stopped_ms: _stopped, ...cell } = withoutImported(before.cell);
      return {
        ...before,
        cell: { ...cell, error: payload.error, cache_hit: false },
        stdout: payload.stdout === undefined ? before.stdout : replaceConsole(before.stdout, payload.stdout),
        stderr: payload.stderr === undefined ? before.stderr : replaceConsole(before.stderr, payload.stderr),
        durationMs: null,
        answer: null,
        failure: { code: payload.error_code ?? null },
      };
    }),

  cascade_prompt: (model, payload) => ({ ...model, prompt: mergedPrompt(model.prompt, payload) }),
  run_queue: (model, payload) => ({ ...model, queue: afterChange(model.queue, payload) }),

  // Ignored, because the model already contains what the preview says.
  impact_preview: (model) => model,
  profiling_summary: (model, payload) => ({ ...model, profile: payload }),
  auto_run_report: (model, payload) => ({ ...model, autoReport: payload }),

  inspect_result: (model, payload) => ({ ...model, cellConsoles: withAnswer(model.cellConsoles, payload) }),
  inspect_completions: (model, payload) => ({
    ...model,
    cellConsoles: withCompletions(model.cellConsoles, payload),
  }),
  inspect_closed: (model, payload) => ({
    ...model,
    cellConsoles: withClosedConsole(model.cellConsoles, payload),
  }),

  // Handled by live/liveWidgets.ts.
  widget_live: (model) => model,
  widget_messages: (model) => model,

  cascade_progress: (model, payload) => ({
    ...model,
    // The prompt stays open if another run makes progress.
    prompt: model.prompt?.plan_id === payload.plan_id ? null : model.prompt,
    progress: payload.completed >= payload.total ? null : payload,
  }),

  dag_update: (model, payload) => {
    const cells = { ...model.cells };
    for (const entry of payload.cells) {
      const before = cells[entry.id];
      if (before !== undefined) cells[entry.id] = { ...before, cell: withDagEntry(before.cell, entry) };
    }
    const meta = model.meta === null ? null : { ...model.meta, variant_groups: payload.variant_groups };
    return { ...model, cells, meta, dagError: payload.error ?? null };
  },

  notebook_state: (model, payload, frameTimes) => {
    const { cells: list, dag, run_queue: queue = [], ...meta } = payload;
    const running = list.some((cell) => cell.status === 'running');
    const options = { heard: frameTimes, byAnother: model.ofSessionBefore };
    return {
      ...emptyNotebook,
      meta,
      queue,
      order: list.map((cell) => cell.id),
      cells: Object.fromEntries(
        list.map((cell) => [cell.id, cellModelOf(cell, model.cells[cell.id], options)]),
      ),
      dagError: dag.error ?? null,
      // Transient facts and this window's own, which a state does not contain.
      prompt: list.some((cell) => cell.id === model.prompt?.cell_id) ? model.prompt : null,
      progress: running ? model.progress : null,
      rest: running ? model.rest : null,
      autoReport: model.autoReport,
      profile: model.profile,
      presence: model.presence,
      rewritten: model.rewritten,
      outside: model.outside,
      agentNote: model.agentNote,
      cellConsoles: model.cellConsoles,
      // A refusal because of a problem with the folder is cleared when the folder is usable again.
      refusal: isBack(model, payload) ? null : model.refusal,
      lastSeq: model.lastSeq,
    };
  },

  presence: (model, payload) => ({ ...model, presence: payload }),

  environment_job_started: (model, payload) => withJob(model, payload.environment_job),
  environment_job_progress: (model, payload) => withJob(model, payload.environment_job),

  environment_job_finished: (model, payload) => {
    const updated = withJob(model, payload.environment_job);
    if (updated.meta === null) return updated;
    const cells = { ...updated.cells };
    for (const cell of payload.cells) cells[cell.id] = cellModelOf(cell, cells[cell.id]);
    return {
      ...updated,
      cells,
      // A failed job does not report the environment (docs/spec/live-protocol.md, 5.1): the state does.
      needsSync: updated.needsSync || payload.environment === undefined,
      meta: {
        ...updated.meta,
        environment_job_history: payload.environment_job_history,
        ...(payload.environment === undefined ? {} : { environment: payload.environment }),
        ...(payload.r_environment === undefined ? {} : { r_environment: payload.r_environment }),
      },
    };
  },

  // Frames of the assistant do not change the notebook; changes made by the assistant arrive as states.
  agent_text_delta: (model) => model,
  agent_confirm_request: (model) => model,
  agent_progress: (model) => model,
  agent_done: (model) => model,
  // The job that ended just before has already reported it.
  dependency_changed: (model) => model,

  agent_note: (model, payload, { seq }) => ({ ...model, agentNote: { ...payload, seq } }),
  // Handled by `live/undo.ts`.
  undo_recorded: (model) => model,

  app_layout: (model, app) => (model.meta === null ? model : { ...model, meta: { ...model.meta, app } }),

  session_closed: (model, payload) => ({ ...model, closed: payload, prompt: null, progress: null }),

  // A refusal to open a console is shown in that console.
  error: (model, payload, { seq }) => {
    const cellConsoles = withRefusedStart(model.cellConsoles, payload);
    return cellConsoles === model.cellConsoles
      ? { ...model, refusal: { ...payload, seq } }
      : { ...model, cellConsoles };
  },
} satisfies Handlers;

/**
 * The model after a frame. A gap in `seq` marks the model as due for notebook_sync, which a notebook_state ends;
 * numbers that `prev` explains went to other sockets and are no gap. A frame older than the last applied one is
 * dropped.
 */
export function applyFrame(
  model: NotebookModel,
  frame: ReceivedFrame,
  heardAt = Date.parse(frame.ts),
): NotebookModel {
  const last = model.lastSeq;
  const isState = frame.type === 'notebook_state';
  if (last !== null && frame.seq < last && !isState) return model;
  const gap = last !== null && frame.seq > last + 1 && frame.prev !== last;
  const handler = HANDLERS[frame.type] as (
    model: NotebookModel,
    payload: unknown,
    facts: FrameFacts,
  ) => NotebookModel; // the type `Handlers` maps each frame name to its payload, which the compiler cannot follow
  const next = handler(model, frame.payload, { seq: frame.seq, at: Date.parse(frame.ts), heardAt });
  return { ...next, lastSeq: frame.seq, needsSync: isState ? false : next.needsSync || gap };
}

/** The model after this window's own edit was sent: the server announces the source only to other windows. */
export function applyOwnSource(model: NotebookModel, cellId: string, source: string): NotebookModel {
  const edited = withCell(model, cellId, (before) => ({ ...before, cell: { ...before.cell, source } }));
  return { ...edited, rewritten: withoutKey(edited.rewritten, cellId) };
}

/** The model after this window has saved the tests of a cell. */
export function applyOwnTests(model: NotebookModel, cellId: string, source: string): NotebookModel {
  const before = model.cells[cellId];
  if (before === undefined || before.cell.test_source === source) return model;
  return withCell(model, cellId, ({ cell }) => ({ ...before, cell: { ...cell, test_source: source } }));
}

/** Whether the state shows that the problem with the folder is resolved. */
function isBack({ meta }: NotebookModel, now: ServerPayload<'notebook_state'>): boolean {
  return meta?.folder_problem !== undefined && now.folder_problem === undefined;
}

/**
 * The model for a new session of the same notebook: its counter restarts, and the cells stay visible until the first
 * state.
 */
export function withNewSession(model: NotebookModel): NotebookModel {
  return {
    ...model,
    lastSeq: null,
    needsSync: false,
    ofSessionBefore: true,
    closed: null,
    prompt: null,
    progress: null,
    rest: null,
    presence: null,
    cellConsoles: withAllClosed(model.cellConsoles, CELL_CONSOLE_WORDS.gone),
  };
}

function withCell(model: NotebookModel, id: string, change: (before: CellModel) => CellModel): NotebookModel {
  const before = model.cells[id];
  if (before === undefined) return model;
  const next = change(before);
  const prompt = model.prompt?.cell_id === id && next.cell.status === 'running' ? null : model.prompt;
  const rewritten = next.cell.status === 'running' ? withoutKey(model.rewritten, id) : model.rewritten;
  return { ...model, prompt, rewritten, cells: changedMap(model.cells, id, next) };
}

function withoutKey(record: Readonly<Record<string, true>>, key: string): Readonly<Record<string, true>> {
  if (record[key] === undefined) return record;
  const { [key]: _gone, ...rest } = record;
  return rest;
}

/** Maps of cells created in the current batch. No other code has received them, so they may still be modified. */
let fresh: WeakSet<object> | null = null;

/**
 * Applies several frames as one change. A run of a large notebook sends a status for every cell; copying the map of
 * cells once per batch keeps the cost proportional to the frames. Models seen inside must not be stored.
 */
export function asOneChange<T>(work: () => T): T {
  if (fresh !== null) return work();
  fresh = new WeakSet();
  try {
    return work();
  } finally {
    fresh = null;
  }
}

function changedMap(cells: NotebookModel['cells'], id: string, next: CellModel): NotebookModel['cells'] {
  if (fresh?.has(cells)) {
    (cells as Record<string, CellModel>)[id] = next; // created in this batch, so that nothing else refers to it
    return cells;
  }
  const copy = { ...cells, [id]: next };
  fresh?.add(copy);
  return copy;
}

function withDagEntry(cell: Cell, entry: DagCell): Cell {
  const { source, name, module_exports, is_module_cell, ...graph } = entry;
  // Absent if the cell runs once, or if everything it reads was stored.
  const { fan_out: _before, unkept: _unkept, ...rest } = cell;
  return {
    ...rest,
    ...graph,
    source: source ?? cell.source,
    ...(name === undefined ? {} : { annotations: { ...cell.annotations, name } }),
    ...(LANGUAGES[cell.language].sharesCode ? { is_module_cell, module_exports } : {}),
  };
}

function withJob(
  model: NotebookModel,
  job: ServerPayload<'environment_job_started'>['environment_job'],
): NotebookModel {
  return model.meta === null ? model : { ...model, meta: { ...model.meta, environment_job: job } };
}

/** For tests of the session's reducers: a session with everything around it in memory, without I/O. */

import { createHash } from 'node:crypto';
import { NO_GRAPH } from '../../../src-shared/notebook/graph.ts';
import { type CellId, cellId, notebookId, sessionId } from '../../../src-shared/notebook/ids.ts';
import type { Language } from '../../../src-shared/wire/cell.ts';
import type { AppError } from '../../../src-shared/wire/errors.ts';
import type { Output } from '../../../src-shared/wire/output.ts';
import { NO_MODULES } from '../../language/modules/closure.ts';
import type { StopManner } from '../../lib/stop.ts';
import type { DataFact, DataItem } from '../../mount/dataItem.ts';
import type { CellEntry, NotebookFile } from '../../notebook/file/notebookFile.ts';
import { notebookFolder } from '../../notebook/folder/notebookFolder.ts';
import { NO_SERVER_WORKERS } from '../../notebook/workers.ts';
import type { TestRequest } from '../../run/cellTests/testRequest.ts';
import type { StepOutcome, StepRequest } from '../../run/step.ts';
import { NO_SERVER_AI } from '../keys/ai.ts';
import { newCell } from '../keys/newCell.ts';
import { relink } from '../keys/relink.ts';
import { walkStatuses } from '../keys/statuses.ts';
import { reduce } from '../reduce/reduce.ts';
import type { Effect, SessionEvent, SessionFact } from '../state/events.ts';
import type { AddressedFrame, Origin, Reply, SessionRequest } from '../state/requests.ts';
import { AUTO_RUN_OFF, NO_SECRET_FETCH, type SessionState } from '../state/state.ts';
import { toyAnalysis } from './testAnalysis.ts';
import { withAuthor, withSetting } from './testFileEdits.ts';
import { wellBehaved } from './toySteps.ts';

export { toyAnalysis };

/**
 * Sources show what they define and read (`x = f(y)`), running a cell is a function, and the store is a list of rows.
 */
export interface World {
  state(): SessionState;
  send(request: SessionRequest, origin?: Origin): Reply | null;
  report(fact: SessionFact): void;
  frames: AddressedFrame[];
  /** Requested steps without an outcome. */
  pending: { readonly runId: string; readonly request: StepRequest }[];
  /** Completes the oldest pending step, by default as a well-behaved harness and store would. */
  step(outcome?: StepOutcome): void;
  /** Runs until nothing is pending, each run showing `displays`; returns the cells that really executed. */
  settle(displays?: readonly Output[]): CellId[];
  cancelled: string[];
  /** How each of `cancelled` was stopped. */
  manners: StopManner[];
  /** Requested runs of tests without an outcome, and installations of pytest. */
  tests: { readonly runId: string; readonly request: TestRequest }[];
  readonly installs: string[];
  /** Writes that the disk refused and that are scheduled again, oldest first. */
  writesDue: Extract<Effect, { type: 'write_again_later' }>[];
  /** Cells that run before their turn. */
  readonly ahead: readonly CellId[];
  /** The effects for consoles, oldest first. */
  readonly consoles: Extract<Effect, { type: 'inspect' }>[];
  /** How often the environment's first sync was requested. */
  readonly environmentStarts: number;
  advanceMs(ms: number): void;
}

/** Prefix of a widget cell's source; the rest is its text. */
const WIDGET = 'widget:';
const SOCKET: Origin = { kind: 'socket', socketId: 's1', identity: 'local' };

function sha(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

const NO_FILE_PART = {
  worker: null,
  timeout: null,
  env: {},
  mounts: [],
} as const;

function entryOf(id: CellId, language: Language, order: number): CellEntry {
  return { id, file: `cells/${id}.py`, language, order, ...NO_FILE_PART, createdBy: null, updatedBy: null };
}

function fileOf(entries: readonly CellEntry[]): NotebookFile {
  return {
    notebookId: notebookId('n1'),
    name: 'Test',
    createdAt: null,
    updatedAt: null,
    owner: null,
    fetchedFrom: {},
    ai: {},
    secretManager: null,
    workers: [],
    connections: [],
    malformedConnections: [],
    app: null,
    catalogs: {},
    variantGroups: [],
    r: {},
    cells: entries,
    ...NO_FILE_PART,
  };
}

function newState(
  sources: Readonly<Record<string, string>>,
  { variantGroups, analyze }: Required<Pick<Beginning, 'variantGroups' | 'analyze'>>,
): SessionState {
  const languageOf = (source: string): Language =>
    source.startsWith('md:') ? 'markdown' : source.startsWith(WIDGET) ? 'widget' : 'python';
  const entries = Object.entries(sources).map(([id, source], order) =>
    entryOf(cellId(id), languageOf(source), order),
  );
  const cells = entries.map((entry) =>
    newCell(entry, {
      text: { source: (sources[entry.id] ?? '').replace(WIDGET, ''), testSource: '', problem: null },
      analyze,
    }),
  );
  return walkStatuses(
    relink({
      sessionId: sessionId('s'),
      notebookId: notebookId('n1'),
      path: notebookFolder('/notebook'),
      file: { ...fileOf(entries), variantGroups },
      cells: new Map(cells.map((cell) => [cell.id, cell])),
      graph: NO_GRAPH,
      graphError: null,
      expected: new Map(),
      made: new Map(),
      modules: NO_MODULES,
      environment: {
        environment: {
          requested_python_version: '3.12',
          runtime_python_version: '3.12.1',
          python_version: '3.12.1',
          lockfile_hash: '',
          package_count: 0,
          declared_package_count: 0,
          resolved_package_count: 0,
          sync_state: 'ready',
          sync_error: null,
          sync_notice: null,
          last_synced_at: null,
          last_sync_duration_ms: null,
          has_lockfile: false,
          venv_python: '/python',
          interpreter_source: 'venv',
        },
        job: null,
        history: [],
        lockHash: sha(''),
        packages: null,
        workerLockHash: sha(''),
        dependencies: [],
        resolved: [],
        interpreter: { path: '/python', identity: 'p1' },
        r: { facts: { lock: null, libraries: [] }, error: null },
      },
      data: new Map(),
      seenFiles: new Map(),
      rVersion: null,
      secretFetch: NO_SECRET_FETCH,
      running: null,
      testing: new Map(),
      plan: null,
      agedPlans: [],
      queue: [],
      sockets: new Map(),
      visitors: new Map(),
      locks: new Map(),
      inspections: new Map(),
      closing: false,
      hold: null,
      outside: new Map(),
      unsaved: new Set(),
      damaged: [],
      folderProblem: null,
      folderGone: false,
      readOnly: null,
      trusted: true,
      parallelCells: null,
      autoRun: AUTO_RUN_OFF,
      options: {
        languages: new Set(['python', 'widget']),
        ai: NO_SERVER_AI,
        leaves: 'none',
        cellLockSeconds: 5,
        defaultTimeoutSeconds: 300,
        serverWorkers: NO_SERVER_WORKERS,
        testTimeoutSeconds: 120,
        liveWidgets: true,
        parallelCells: 1,
      },
    }),
  );
}

/** The state of external data: by default everything exists and does not change. */
type Outside = (item: DataItem, nowMs: number) => DataFact;

const STEADY: Outside = ({ key }, nowMs) => ({ key, token: sha(key), problem: null, checkedAtMs: nowMs });

/** The initial state of a world besides its cells. */
interface Beginning {
  /** How sources are read; by default `toyAnalysis`. */
  readonly analyze?: typeof toyAnalysis;
  readonly outside?: Outside;
  readonly trusted?: boolean;
  readonly parallelCells?: number;
  readonly variantGroups?: NotebookFile['variantGroups'];
  readonly workers?: NotebookFile['workers'];
  /** The result of writing a cell's text; null: on disk, the default. */
  readonly disk?: (write: Extract<Effect, { type: 'write_source' }>) => AppError | null;
  /** The outcome of a write of a test file. */
  readonly testDisk?: (write: Extract<Effect, { type: 'write_tests' }>) => AppError | null;
}

export function createWorld(
  sources: Readonly<Record<string, string>>,
  {
    outside = STEADY,
    trusted = true,
    parallelCells = 1,
    variantGroups = [],
    workers = [],
    analyze = toyAnalysis,
    disk = () => null,
    testDisk = () => null,
  }: Beginning = {},
): World {
  const fresh = newState(sources, { variantGroups, analyze });
  let state: SessionState = {
    ...fresh,
    file: { ...fresh.file, workers },
    trusted,
    options: { ...fresh.options, parallelCells },
  };
  let ahead: readonly CellId[] = [];
  let environmentStarts = 0;
  let nowMs = 1_000_000;
  let ids = 0;
  let tickets = 0;
  const versions = new Map<string, number>();
  const replies = new Map<number, Reply>();
  const frames: AddressedFrame[] = [];
  const pending: World['pending'] = [];
  const cancelled: string[] = [];
  const manners: StopManner[] = [];
  const tests: World['tests'] = [];
  const installs: string[] = [];
  const writesDue: World['writesDue'] = [];
  const consoles: World['consoles'] = [];

  const handle = (event: SessionEvent): void => {
    const next = reduce(state, event, { analyze, newId: () => `id${++ids}`, newJobId: () => `id${++ids}` });
    state = next.state;
    frames.push(...next.frames);
    for (const effect of next.effects) perform(effect);
  };
  const perform = (effect: Effect): void => {
    if (effect.type === 'reply') replies.set(effect.ticket, effect.reply);
    else if (effect.type === 'run_step') pending.push(effect);
    else if (effect.type === 'check_step_data') {
      const { runId, items } = effect;
      const facts = items.map((item) => outside(item, nowMs));
      handle({ type: 'step_data_checked', runId, cellId: effect.cellId, facts, atMs: nowMs });
    } else if (effect.type === 'write_tests') {
      const refused = testDisk(effect);
      handle({ ...effect, type: 'tests_written', merged: false, refused, atMs: nowMs });
    } else if (effect.type === 'check_test_data') {
      const facts = effect.items.map((item) => outside(item, nowMs));
      handle({ type: 'test_data_checked', runId: effect.runId, facts, atMs: nowMs });
    } else if (effect.type === 'run_tests') tests.push(effect);
    else if (effect.type === 'install_pytest') installs.push(effect.runId);
    else if (effect.type === 'cancel_step') {
      cancelled.push(effect.runId);
      manners.push(effect.manner);
    } else if (effect.type === 'start_environment') environmentStarts += 1;
    else if (effect.type === 'change_structure' && effect.change.kind === 'choose_variant') {
      const file = withSetting(state.file, effect.change.setting);
      const fact = { type: 'structure_changed', change: 'variant_chosen', added: [], removed: [] } as const;
      handle({ ...fact, ticket: effect.ticket, file, reply: { kind: 'done' }, atMs: nowMs });
    } else if (effect.type === 'write_source') {
      const { ticket, origin } = effect;
      const refused = disk(effect);
      handle({
        type: 'source_written',
        ticket,
        origin,
        cellId: effect.cellId,
        source: effect.source,
        file: refused === null ? withAuthor(state.file, effect) : state.file,
        refused,
        merged: null,
        atMs: nowMs,
      });
    } else if (effect.type === 'write_again_later') writesDue.push(effect);
    else if (effect.type === 'inspect') consoles.push(effect);
    else if (effect.type === 'run_ahead') ahead = effect.requests.map((request) => request.cellId);
  };
  const nextVersion = (id: string): number => {
    const version = (versions.get(id) ?? 0) + 1;
    versions.set(id, version);
    return version;
  };
  const world: World = {
    frames,
    pending,
    cancelled,
    manners,
    tests,
    installs,
    writesDue,
    consoles,
    get ahead() {
      return ahead;
    },
    get environmentStarts() {
      return environmentStarts;
    },
    state: () => state,
    advanceMs: (ms) => {
      nowMs += ms;
    },
    send(request, origin = SOCKET) {
      const ticket = ++tickets;
      handle({ ...request, origin, ticket, atMs: nowMs });
      return replies.get(ticket) ?? null;
    },
    report: (fact) => handle({ ...fact, atMs: nowMs }),
    step(outcome) {
      const step = pending.shift();
      if (step === undefined) throw new Error('no step is pending');
      const { runId, request } = step;
      const answer = outcome ?? wellBehaved(request, nextVersion);
      handle({ type: 'step_finished', runId, cellId: request.cellId, outcome: answer, atMs: nowMs });
    },
    settle(displays = []) {
      const ran: CellId[] = [];
      while (pending[0] !== undefined) {
        const { request } = pending[0];
        const outcome = wellBehaved(request, nextVersion);
        if (outcome.kind === 'ran') ran.push(request.cellId);
        world.step(outcome.kind === 'ran' ? { ...outcome, displays } : outcome);
      }
      return ran;
    },
  };
  world.send({ type: 'join' });
  frames.length = 0;
  return world;
}

/** Each frame as one line, for whole-value assertions. */
export function lines(frames: readonly AddressedFrame[]): string[] {
  return frames.map(({ frame, to }) => {
    const { type, payload } = frame;
    const receiver = to.kind === 'all' ? '' : ` ${to.kind} ${to.socketId}`;
    if (type === 'cell_status') {
      const why =
        payload.causality?.details.map((d) => `${d.type}${d.cell_name ? `:${d.cell_name}` : ''}`) ?? [];
      return [
        `status ${payload.cell_id} ${payload.status}`,
        ...(payload.staleness_reasons ?? []),
        ...why,
      ].join(' ');
    }
    if (type === 'cell_test_status') return `tests ${payload.cell_id} ${payload.status}`;
    if (type === 'cell_test_results')
      return `results ${payload.cell_id} ${payload.tests.map((one) => one.outcome).join(' ')}`;
    if (type === 'cell_tests_changed') return `changed${receiver} ${payload.cell_id} stale ${payload.stale}`;
    if (type === 'cell_output') return `output ${payload.cell_id}${payload.cache_hit ? ' hit' : ''}`;
    if (type === 'cell_error') return `error ${payload.cell_id} ${payload.error}`;
    if (type === 'cascade_prompt')
      return `prompt${receiver} ${(payload.steps ?? []).map((c) => `${c.cell_id}:${c.reason}`).join(' ')}`;
    if (type === 'cascade_progress')
      return `progress ${payload.current_cell_id} ${payload.completed}/${payload.total}`;
    if (type === 'error') return `refused${receiver} ${payload.code ?? '-'} ${payload.error}`;
    if (type === 'inspect_result') {
      const { action, ok, result, error } = payload;
      return `inspect${receiver} ${action} ${payload.cell_id} ${ok ? result : `failed: ${error}`}`;
    }
    if (type === 'inspect_closed') return `inspect closed${receiver} ${payload.cell_id} ${payload.reason}`;
    return `${type}${receiver}`;
  });
}

/** Sessions in memory for tests of the server's routes: no files, no graph and no Python. */

import { type CellId, cellId, notebookId, sessionId } from '../../../src-shared/notebook/ids.ts';
import { AUTO_RUN_OFF } from '../../../src-shared/wire/autoRun.ts';
import type { Cell } from '../../../src-shared/wire/cell.ts';
import type { Dag, LinkedDag } from '../../../src-shared/wire/dag.ts';
import { AppError } from '../../../src-shared/wire/errors.ts';
import type { ExecutionResult } from '../../../src-shared/wire/execution.ts';
import type { ServerFrame, SessionClosedReason } from '../../../src-shared/wire/frames/server.ts';
import type { Explanation } from '../../../src-shared/wire/routes/extensions.ts';
import { sampleBody, sampleCell } from '../../../src-shared/wire/testing/sampleNotebook.ts';
import { NOTHING_HIDDEN } from '../../lib/redactor.ts';
import { type NotebookFolder, notebookFolder } from '../../notebook/folder/notebookFolder.ts';
import type { Session, Sessions } from '../../session/api.ts';
import type { NotebookAi } from '../../session/keys/ai.ts';
import type { FrameSink, Origin, Reply, SessionRequest } from '../../session/state/requests.ts';
import type { SessionViews } from '../../session/views/sessionViews.ts';

/** The fake notebook's stored files, by uri. */
type StoredFiles = ReadonlyMap<string, { path: string; contentType: string; sha256: string }>;

const NO_DRAFTS = {
  list: async () => ({ drafts: [], problem: null }),
  keep: async () => {},
  forget: async () => {},
};

/** No results, and nothing to collect. */
const EMPTY_STORAGE: SessionViews['results']['storage'] = {
  limits: { maxBytes: null, maxIdleMs: null, minIdleMs: 0 },
  lastSweep: null,
  record: () => null,
  plan: async () => ({ collect: [], kept: new Map(), bytes: 0, bytesAfter: 0 }),
  copies: async () => [],
  sweep: async () => ({ at: 0, results: 0, bytes: 0, copies: 0, copyBytes: 0 }),
  start: () => undefined,
  close: () => undefined,
};

function noAi(): NotebookAi {
  const own = {
    model: null,
    base_url: null,
    max_output_tokens: null,
    timeout_seconds: null,
    max_context_tokens: null,
    approval_timeout_seconds: null,
  };
  const status = { available: false, model: null, provider: null, base_url: null, hint: 'None.', own };
  const limits = { maxContextTokens: 100_000, approvalTimeoutSeconds: 120 };
  const whyNot = new AppError('ai_unavailable', 'None.');
  return { status, reach: null, assistant: null, limits, whyNot };
}
const NO_AI = noAi();

/**
 * A session without files, graph or Python: cells are edited and "run" in memory, and a run ends when the test says so.
 * It records every request, in order.
 */
export class MemorySession implements Session {
  readonly id = sessionId(crypto.randomUUID());
  readonly notebookId = notebookId('nb-1');
  readonly path: NotebookFolder;
  readonly asked: { readonly request: SessionRequest; readonly origin: Origin }[] = [];
  readonly stored: StoredFiles;
  readonly views: SessionViews = {
    notebook: {
      body: () => this.#body(),
      dag: () => this.#dag(),
      linkedDag: () => this.#linkedDag(),
      hold: null,
      redactor: () => NOTHING_HIDDEN,
      exported: () => {
        throw new Error('a session in memory has no folder to export');
      },
    },
    cells: {
      all: () => [...this.#cells],
      one: (id) => this.#cell(id),
      explain: (id) => this.#explain(id),
      consoleLog: async (id) => (this.#cell(id) === null ? null : { kind: 'text', text: '', whole: true }),
    },
    results: {
      ofCell: (id) => (this.#cell(id) === null ? null : { results: [], runs: [] }),
      variables: () => [],
      iterations: async (id) => (this.#cell(id) === null ? null : { variable: null, iterations: [] }),
      iteration: async () => null,
      artifactRow: () => null,
      artifactFile: async (uri) => {
        const file = this.stored.get(uri);
        return file === undefined ? { kind: 'unknown' } : { kind: 'file', ...file };
      },
      storage: EMPTY_STORAGE,
    },
    data: {
      mounts: () => [],
      probeConnection: (): Promise<never> =>
        Promise.reject(new AppError('not_found', 'Connection not found')),
      sample: () => Promise.reject(new AppError('not_found', 'Connection not found')),
    },
    settings: {
      parallelCells: () => ({ own: null, server: 1 }),
      autoRun: () => AUTO_RUN_OFF,
      ai: () => NO_AI,
      ofCell: () => '',
    },
    editor: {
      language: {
        ask: async () => ({ state: 'off', words: 'There is no language server here.' }),
      },
      history: {
        list: async () => ({ versions: [], problem: null }),
        read: async () => null,
        cells: async () => [],
      },
      undoRecord: {
        load: async () => ({ stack: { done: [], undone: [] }, forgotten: 0, problem: null }),
        keep: async ({ done }) => done.length,
      },
      drafts: { tests: NO_DRAFTS, sources: NO_DRAFTS },
    },
    environment: {
      payload: () => {
        const { environment, environment_job, environment_job_history, r_environment } = this.#body();
        const packages = { dependencies: [], resolved_dependencies: [] };
        return { environment, environment_job, environment_job_history, r_environment, ...packages };
      },
      requirements: async () => ['pandas>=2'],
      whyNotPreviewed: () => null,
      preview: async () => ({ kind: 'resolved', changes: [] }),
      suggest: async () => [],
      lookUp: async () => ({ status: 'unknown', version: null, problem: 'no index here' }),
      rPackages: async () => ({ packages: [], packages_status: 'absent', packages_error: null }),
      whyNoR: async () => null,
      diagnose: async () => [],
      changesOf: async () => null,
    },
    workers: {
      catalog: async () => ({ workers: [], definitions_editable: true, health_checked_at: 0 }),
      keepToken: () => undefined,
      try: async () => ({ trouble: null, problem: null, durationMs: 0, reported: null, checks: [] }),
      ssh: {
        connect: async () => Promise.reject(new Error('no ssh here')),
        list: async () => [],
        log: async () => null,
        disconnect: async () => false,
      },
    },
  };
  #name = 'Untitled Notebook';
  #cells: Cell[];
  #sink: FrameSink | null = null;
  #running: { readonly cellId: CellId; readonly end: (reply: Reply) => void } | null = null;

  constructor({
    path,
    cells,
    stored,
  }: { path: NotebookFolder; cells: readonly Cell[]; stored: StoredFiles }) {
    this.path = notebookFolder(path);
    this.#cells = [...cells];
    this.stored = stored;
  }

  get runningCell(): CellId | null {
    return this.#running?.cellId ?? null;
  }

  /** Ends the current run, as ready or cancelled. */
  finishRun(how: 'ready' | 'cancelled' = 'ready'): void {
    const running = this.#running;
    if (running === null) return;
    this.#running = null;
    this.#change(running.cellId, { status: how === 'ready' ? 'ready' : 'idle' });
    running.end({ kind: 'executed', result: executionResult(running.cellId, how) });
  }

  /** Sends frames as a real session would. */
  emit(...frames: Parameters<FrameSink['send']>[0]): void {
    this.#sink?.send(frames);
  }

  /** How often activity was reported. */
  touched = 0;
  readonly lifetime = {
    touch: () => {
      this.touched += 1;
    },
    ended: new AbortController().signal,
  };

  announce(frames: Parameters<FrameSink['send']>[0]): void {
    this.#sink?.send(frames);
  }

  attach(sink: FrameSink): void {
    this.#sink = sink;
  }

  async dispatch(request: SessionRequest, origin: Origin): Promise<Reply> {
    this.asked.push({ request, origin });
    const reply = await this.#perform(request, origin);
    if (reply.kind === 'refused' && origin.kind === 'socket') {
      this.#sink?.send([
        {
          frame: { type: 'error', payload: { error: reply.error.message } },
          to: { kind: 'only', socketId: origin.socketId },
        },
      ]);
    }
    return reply;
  }

  close(reason: SessionClosedReason): void {
    this.finishRun('cancelled');
    this.#toAll({ type: 'session_closed', payload: { reason, message: 'The session is over.' } });
    this.#sink?.closed(reason);
  }

  #body() {
    return sampleBody({ id: this.notebookId, name: this.#name, cells: this.#cells });
  }

  #dag(): Dag {
    const ids = this.#cells.map(({ id }) => id);
    return { edges: [], topological_order: ids, leaves: ids, roots: ids, variable_producer: {} };
  }

  #linkedDag(): LinkedDag {
    const { variable_producer: _, ...linked } = this.#dag();
    return linked;
  }

  #cell(id: CellId): Cell | null {
    return this.#cells.find((cell) => cell.id === id) ?? null;
  }

  #explain(id: CellId): Explanation | null {
    const cell = this.#cell(id);
    if (cell === null) return null;
    const { status } = cell;
    return { cell_id: id, status, verdict: 'never_run', headline: '', inputs: [], code: [], last_run: null };
  }

  async #perform(request: SessionRequest, origin: Origin): Promise<Reply> {
    switch (request.type) {
      case 'run_cell':
        return this.#run(request.cellId);
      case 'cancel_cell': {
        const cancelled = this.#running?.cellId === request.cellId;
        if (cancelled) this.finishRun('cancelled');
        return { kind: 'cancelled', cancelled };
      }
      case 'edit_source':
        if (this.#cell(request.cellId) === null) return refused(new AppError('not_found', 'Cell not found'));
        if (request.source === 'locked' && !request.force) {
          const context = { cell_id: request.cellId, held_by: 'somebody' };
          return refused(new AppError('cell_locked', 'somebody changed this cell a moment ago.', context));
        }
        this.#change(request.cellId, { source: request.source, updated_by: origin.identity });
        return { kind: 'done' };
      case 'add_cell': {
        const id = cellId(`new${this.#cells.length}`);
        this.#cells.push(sampleCell({ id, language: request.language }));
        return { kind: 'cell', cellId: id };
      }
      case 'delete_cell':
        this.#cells = this.#cells.filter((cell) => cell.id !== request.cellId);
        return { kind: 'done' };
      case 'restore_cell':
        if (this.#cell(request.cellId) !== null) return refused(new AppError('conflict', 'It is there.'));
        this.#cells.push(sampleCell({ id: request.cellId }));
        return { kind: 'done' };
      case 'change_settings':
        return { kind: 'done' };
      case 'rename_notebook':
        this.#name = request.name;
        return { kind: 'done' };
      case 'join':
        if (origin.kind === 'socket') {
          const payload = { principals: [], you: origin.identity };
          this.emit({
            frame: { type: 'presence', payload },
            to: { kind: 'only', socketId: origin.socketId },
          });
        }
        return { kind: 'done' };
      case 'sync':
        if (origin.kind === 'socket') {
          const frame: ServerFrame = {
            type: 'notebook_state',
            payload: { ...this.#body(), dag: this.#linkedDag() },
          };
          this.emit({ frame, to: { kind: 'only', socketId: origin.socketId } });
        }
        return { kind: 'done' };
      default:
        return { kind: 'done' };
    }
  }

  #run(id: CellId): Promise<Reply> {
    if (this.#cell(id) === null) return Promise.resolve(refused(new AppError('not_found', 'Cell not found')));
    if (this.#running !== null) {
      const message = `Notebook is already executing cell ${this.#running.cellId}`;
      return Promise.resolve(refused(new AppError('notebook_busy', message, { cell_id: id })));
    }
    this.#change(id, { status: 'running' });
    return new Promise((end) => {
      this.#running = { cellId: id, end };
    });
  }

  #change(id: CellId, part: Partial<Cell>): void {
    this.#cells = this.#cells.map((cell) => (cell.id === id ? { ...cell, ...part } : cell));
    this.#toAll({ type: 'cell_status', payload: { cell_id: id, status: this.#cell(id)?.status ?? 'idle' } });
  }

  #toAll(frame: ServerFrame): void {
    this.#sink?.send([{ frame, to: { kind: 'all' } }]);
  }
}

function refused(error: AppError): Reply {
  return { kind: 'refused', error };
}

function executionResult(id: CellId, how: 'ready' | 'cancelled'): ExecutionResult {
  const cancelled = how === 'cancelled';
  return {
    cell_id: id,
    status: cancelled ? 'error' : 'ready',
    stdout: '',
    stderr: '',
    outputs: {},
    displays: [],
    display: null,
    duration_ms: 1,
    error: cancelled ? 'Cancelled before it finished' : null,
    traceback: null,
    cache_hit: false,
    artifact_uri: null,
    execution_method: 'cold',
    mutation_warnings: [],
    from_team_cache: false,
    team_cache_principal: null,
    team_cache_build_env: '',
    team_cache_saved_ms: 0,
    team_cache_promotion: null,
    ...(cancelled ? { error_code: 'cancelled' as const } : {}),
  };
}

/** Sessions without files: every path but `/missing` and `/outside` opens. */
export class MemorySessions implements Sessions {
  readonly #open = new Map<string, MemorySession>();
  readonly #listeners: ((session: Session) => void)[] = [];
  readonly #cells: readonly Cell[];
  readonly #stored: StoredFiles;

  constructor({ cells = [], stored = new Map() }: { cells?: readonly Cell[]; stored?: StoredFiles } = {}) {
    this.#cells = cells;
    this.#stored = stored;
  }

  async parentFolder(path: string): Promise<string> {
    return path;
  }

  async open(path: NotebookFolder): Promise<MemorySession> {
    if (path === '/missing') throw new AppError('not_found', 'There is no notebook at /missing.');
    if (path === '/outside') throw new AppError('bad_request', '/outside is outside the notebook folder.');
    if (path === '/full') {
      const full = { code: 'ENOSPC', syscall: 'write' };
      throw Object.assign(new Error('ENOSPC: no space left on device, write'), full);
    }
    if (path === '/taken') throw new AppError('NOTEBOOK_IN_USE', 'Process 7 has it open.', { pid: 7 });
    const existing = [...this.#open.values()].find((session) => session.path === path);
    if (existing !== undefined) return existing;
    const session = new MemorySession({ path, cells: this.#cells, stored: this.#stored });
    this.#open.set(session.id, session);
    for (const listener of this.#listeners) listener(session);
    return session;
  }

  create(options: Parameters<Sessions['create']>[0]): Promise<MemorySession> {
    return this.open(notebookFolder(`${options.parentPath}/${options.name}`));
  }

  async recheckTrust(): Promise<void> {}

  recheckWorkers(): void {}

  async quiesce(path: string): ReturnType<Sessions['quiesce']> {
    return { path, notebooks: [], cancelled_cells: {}, hold_expires_in_seconds: 1 };
  }

  async release(path: string) {
    return { path, released: false };
  }

  find(id: string): MemorySession | null {
    return this.#open.get(id) ?? null;
  }

  list(): readonly MemorySession[] {
    return [...this.#open.values()];
  }

  async close(id: string, reason: SessionClosedReason): Promise<void> {
    const session = this.find(id);
    if (session?.runningCell) throw new AppError('conflict', `Cell ${session.runningCell} is running.`);
    this.#open.delete(id);
    session?.close(reason);
  }

  async remove(id: string): Promise<void> {
    await this.close(id, 'deleted');
  }

  async removeAt(path: string): Promise<void> {
    const session = this.list().find((one) => one.path === path);
    if (session === undefined) throw new AppError('not_found', `There is no folder ${path}.`);
    await this.remove(session.id);
  }

  async discover(): Promise<Awaited<ReturnType<Sessions['discover']>>> {
    const notebooks = this.list().map(({ path }) => ({
      path,
      name: null,
      notebookId: null,
      updatedAt: null,
    }));
    return { root: '/', notebooks };
  }

  async isNotebook(path: string): Promise<boolean> {
    return this.list().some((one) => one.path === path);
  }

  async shutdown(): Promise<void> {
    for (const session of this.list()) session.close('shutdown');
    this.#open.clear();
  }

  onOpened(listener: (session: Session) => void): void {
    this.#listeners.push(listener);
  }
}

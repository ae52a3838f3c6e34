/** A notebook in memory for tests of the assistant: cells are texts, a run and an installation are functions. */

import { cellId, sessionId } from '../../../src-shared/notebook/ids.ts';
import type { Cell } from '../../../src-shared/wire/cell.ts';
import { AppError } from '../../../src-shared/wire/errors.ts';
import type { ExecutionResult } from '../../../src-shared/wire/execution.ts';
import type { ServerFrame } from '../../../src-shared/wire/frames/server.ts';
import { sampleBody, sampleCell } from '../../../src-shared/wire/testing/sampleNotebook.ts';
import type { UndoEntry } from '../../../src-shared/wire/undo.ts';
import { createRedactor } from '../../lib/redactor.ts';
import type { NotebookFolder } from '../../notebook/folder/notebookFolder.ts';
import { notebookFolder } from '../../notebook/folder/notebookFolder.ts';
import type { Reply, SessionRequest } from '../../session/state/requests.ts';
import type { AgentNotebook } from '../agentNotebook.ts';

export interface FakeOptions {
  /** A folder for the assistant's memory. */
  readonly path: NotebookFolder;
  /** Sources by id; `x = …` defines x. */
  readonly cells?: Readonly<Record<string, string>>;
  readonly secrets?: readonly string[];
  readonly whyNot?: AppError | null;
  readonly approvalTimeoutSeconds?: number;
  readonly maxContextTokens?: number;
  /** The result of a run; by default it succeeds immediately. */
  readonly run?: (cell: Cell, signal: AbortSignal) => Promise<Partial<ExecutionResult>>;
  /** The result of an installation. */
  readonly install?: (signal: AbortSignal) => Promise<'completed' | 'failed'>;
}

export interface FakeNotebook extends AgentNotebook {
  readonly frames: ServerFrame[];
  readonly requests: SessionRequest[];
  /** The current sources, by id. */
  sources(): Readonly<Record<string, string>>;
  /** An edit by another client. */
  edit(id: string, source: string): void;
  readonly undo: Map<string, UndoEntry>;
  readonly packages: string[];
  end(): void;
}

const DEFINITION = /^(\w+) *=/gm;

export function fakeNotebook(options: FakeOptions): FakeNotebook {
  const cells = new Map<string, Cell>();
  const redactor = createRedactor(options.secrets ?? []);
  const ending = new AbortController();
  const frames: ServerFrame[] = [];
  const requests: SessionRequest[] = [];
  const undo = new Map<string, UndoEntry>();
  const packages: string[] = ['pandas'];
  let newCellCount = 0;
  let running: { readonly id: string; readonly stop: AbortController } | null = null;
  let installing: AbortController | null = null;

  const relink = (): void => {
    for (const cell of cells.values()) {
      const names = [...cell.source.matchAll(DEFINITION)].map(([, name = '']) => name);
      const words = new Set(cell.source.match(/\w+/g) ?? []);
      const others = [...cells.values()].filter(({ id }) => id !== cell.id);
      const upstream = others.filter(({ defines }) => defines.some((name) => words.has(name)));
      cells.set(cell.id, {
        ...cell,
        defines: names,
        references: upstream.flatMap(({ defines }) => defines.filter((name) => words.has(name))),
        upstream_ids: upstream.map(({ id }) => id),
      });
    }
    for (const cell of cells.values()) {
      const downstream = [...cells.values()].filter(({ upstream_ids: ids }) => ids.includes(cell.id));
      cells.set(cell.id, { ...cell, downstream_ids: downstream.map(({ id }) => id) });
    }
  };
  const put = (cell: Cell): void => {
    cells.set(cell.id, cell);
    relink();
    relink();
  };
  for (const [id, source] of Object.entries(options.cells ?? {})) {
    cells.set(id, sampleCell({ id, source, status: 'ready' }));
  }
  relink();
  relink();

  const perform = async (request: SessionRequest): Promise<Reply> => {
    // Like the real one, it answers asynchronously.
    await Promise.resolve();
    switch (request.type) {
      case 'add_cell': {
        newCellCount += 1;
        const id = request.cellId ?? `new0000${newCellCount}`;
        put(sampleCell({ id, source: request.source ?? '', language: request.language }));
        return { kind: 'cell', cellId: cellId(id) };
      }
      case 'edit_source': {
        const cell = cells.get(request.cellId);
        if (cell === undefined) return refused(new AppError('not_found', 'Cell not found'));
        if (request.base !== undefined && request.base !== cell.source) {
          return refused(new AppError('cell_locked', 'This cell was changed elsewhere in the meantime.'));
        }
        put({ ...cell, source: request.source });
        return { kind: 'done' };
      }
      case 'delete_cell':
        if (!cells.delete(request.cellId)) return refused(new AppError('not_found', 'Cell not found'));
        relink();
        return { kind: 'done' };
      case 'run_cell': {
        const cell = cells.get(request.cellId);
        if (cell === undefined) return refused(new AppError('not_found', 'Cell not found'));
        if (running !== null) return refused(new AppError('notebook_busy', 'Notebook is already executing'));
        const stop = new AbortController();
        running = { id: cell.id, stop };
        try {
          const part = (await options.run?.(cell, stop.signal)) ?? {};
          return { kind: 'executed', result: resultOf(cell.id, part) };
        } finally {
          running = null;
        }
      }
      case 'cancel_cell': {
        const isRunning = running?.id === request.cellId;
        if (isRunning) running?.stop.abort();
        return { kind: 'cancelled', cancelled: isRunning };
      }
      case 'start_environment_job': {
        installing = new AbortController();
        const status = (await options.install?.(installing.signal)) ?? 'completed';
        installing = null;
        if (status === 'completed' && request.work.action === 'add')
          packages.push(...request.work.requirements);
        const job = { status, error: null, stderr: 'no such package' };
        return {
          kind: 'environment',
          // The fields of a job that the tool reads.
          ended: { job, lockfileChanged: true, warmPoolReset: false } as never,
        };
      }
      case 'cancel_environment_job':
        installing?.abort();
        return { kind: 'cancelled', cancelled: installing !== null };
      default:
        throw new Error(`the assistant asked for ${request.type}`);
    }
  };

  const model = { provider: 'local', baseUrl: 'http://127.0.0.1:9/v1', model: 'm', apiKey: 'k' } as const;
  const settings = { ...model, maxOutputTokens: 100, timeoutSeconds: 5 };
  const own = {
    model: null,
    base_url: null,
    max_output_tokens: null,
    timeout_seconds: null,
    max_context_tokens: null,
    approval_timeout_seconds: null,
  };
  const whyNot = options.whyNot ?? null;
  return {
    frames,
    requests,
    undo,
    packages,
    id: sessionId('s1'),
    path: notebookFolder(options.path),
    lifetime: { touch: () => undefined, ended: ending.signal },
    end: () => ending.abort(new Error('The session ended.')),
    sources: () => Object.fromEntries([...cells.values()].map(({ id, source }) => [id, source])),
    edit: (id, source) => {
      const cell = cells.get(id);
      if (cell !== undefined) put({ ...cell, source });
    },
    dispatch: (request) => {
      requests.push(request);
      return perform(request);
    },
    views: {
      notebook: {
        body: () => sampleBody({ name: 'n', cells: [...cells.values()] }),
        linkedDag: () => ({ edges: [], roots: [], leaves: [], topological_order: [] }),
        redactor: () => redactor,
        hold: null,
      },
      cells: { all: () => [...cells.values()], one: (id) => cells.get(id) ?? null, explain: () => null },
      results: { variables: () => [], artifactFile: async () => ({ kind: 'unknown' }) },
      settings: {
        ai: () => ({
          status: {
            available: true,
            model: 'm',
            provider: 'local',
            base_url: settings.baseUrl,
            hint: null,
            own,
          },
          reach: null,
          assistant: whyNot === null ? settings : null,
          limits: {
            maxContextTokens: options.maxContextTokens ?? 100_000,
            approvalTimeoutSeconds: options.approvalTimeoutSeconds ?? 60,
          },
          whyNot,
        }),
      },
      editor: {
        undoRecord: {
          load: async () => ({
            stack: { done: [...undo.values()], undone: [] },
            forgotten: 0,
            problem: null,
          }),
          keep: async ({ done, gone }) => {
            for (const entry of done) undo.set(entry.id, entry);
            for (const id of gone) undo.delete(id);
            return undo.size;
          },
        },
      },
      environment: {
        payload: () => ({
          dependencies: packages.map((name) => ({ name, version: null, specifier: '>=1' })),
        }),
        whyNotPreviewed: () => null,
        preview: async () => ({
          kind: 'resolved',
          changes: [{ name: 'polars', from: null, to: '1.0', bytes: null }],
        }),
      } as unknown as AgentNotebook['views']['environment'], // the part that the assistant reads
    },
    announce: (sent) => frames.push(...sent.map(({ frame }) => frame)),
  };
}

function refused(error: AppError): Reply {
  return { kind: 'refused', error };
}

function resultOf(id: string, part: Partial<ExecutionResult>): ExecutionResult {
  return {
    cell_id: id,
    status: 'ready',
    stdout: '',
    stderr: '',
    outputs: {},
    displays: [],
    display: null,
    duration_ms: 1,
    error: null,
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
    ...part,
  };
}

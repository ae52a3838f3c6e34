import { randomBytes, randomUUID } from 'node:crypto';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { notebookId, sessionId } from '../../src-shared/notebook/ids.ts';
import { AppError } from '../../src-shared/wire/errors.ts';
import { type ArtifactStore, StoreError } from '../artifacts/artifact.ts';
import { openStore } from '../artifacts/store.ts';
import type { Config } from '../config/variables.ts';
import type { Executor } from '../exec/executor.ts';
import { createConsoleLogs } from '../notebook/consoleLogs.ts';
import { NotebookFileError } from '../notebook/notebookFileError.ts';
import { type NotebookFiles, openNotebookFiles } from '../notebook/notebookFiles.ts';
import {
  createRuntimeWriter,
  KEPT_CONSOLE_CHARACTERS,
  loadConsole,
  loadRuntime,
  type RuntimeState,
} from '../notebook/runtimeState.ts';
import { acquireWriter } from '../notebook/writerLock.ts';
import type { Logger } from '../observe/log.ts';
import { displayLabel, versionsOf } from '../run/cache.ts';
import { replayDisplays } from '../run/replay.ts';
import { artifactPrefixOf } from '../run/step.ts';
import type { EnvironmentDriver, Environments } from './environmentDriver.ts';
import type { ReducerTools } from './events.ts';
import { createFileEffects } from './fileEffects.ts';
import { watchFolder } from './folderWatch.ts';
import { newCell } from './newCell.ts';
import { NO_GRAPH, relink } from './relink.ts';
import { runtimeOf } from './runtimeRecord.ts';
import { NotebookSession } from './session.ts';
import type { SessionOptions, SessionState } from './state.ts';
import { storedResultOf, walkStatuses } from './statuses.ts';
import { groupByCell, NO_CONSOLE, storedCell } from './storedCell.ts';

/** What every session of a process shares. */
export interface OpenServices {
  readonly config: Config;
  readonly log: Logger;
  readonly analyze: ReducerTools['analyze'];
  readonly executor: Executor;
  readonly environments: Environments;
  readonly session?: Partial<SessionOptions>;
}

/** Recorded with every artifact as what wrote it (semantics 4.2). */
const EXECUTOR = 'notebook/cell@v1';

/** Default cell timeout, seconds (semantics 1.2). */
const DEFAULT_TIMEOUT_SECONDS = 300;

/**
 * Opens a notebook folder: takes its writer lock, reads its files, its results and its environment, and starts
 * a sync where one is needed. Answers before the sync ends and runs no cell.
 * @throws AppError NOTEBOOK_IN_USE naming the holder; bad_request with what is wrong with the notebook, in words
 */
export async function openSession(dir: string, services: OpenServices): Promise<NotebookSession> {
  await mkdir(join(dir, '.svc'), { recursive: true });
  const writer = await acquireWriter(dir);
  if (writer.kind === 'busy') {
    const elsewhere =
      writer.host === hostname() ? '' : ' If that machine is gone, remove .svc/writer.lock in the notebook.';
    throw new AppError(
      'NOTEBOOK_IN_USE',
      `Process ${writer.pid} on ${writer.host} has this notebook open. Close it there, or use its window.${elsewhere}`,
      { pid: writer.pid },
    );
  }
  try {
    return await assemble(dir, services, () => writer.release());
  } catch (error) {
    await writer.release();
    if (error instanceof NotebookFileError || error instanceof StoreError) {
      throw new AppError('bad_request', error.message);
    }
    throw error;
  }
}

async function assemble(
  dir: string,
  services: OpenServices,
  release: () => Promise<void>,
): Promise<NotebookSession> {
  const { analyze, environments, executor } = services;
  // What happens here is worth a line to its own window, if not to the terminal.
  const log = services.log.child({ notebook: dir }, { level: 'debug' });
  const [files, runtime, store, environment] = await Promise.all([
    openNotebookFiles(dir),
    loadRuntime(dir),
    openStore(join(dir, '.svc/artifacts'), { executor: EXECUTOR }),
    environments.open(dir),
  ]);
  const tools: ReducerTools = {
    analyze,
    newId: () => randomBytes(4).toString('hex'),
  };
  const scratchDir = join(dir, '.svc/tmp');
  await rm(scratchDir, { recursive: true, force: true });
  await mkdir(scratchDir, { recursive: true });
  const state = await initialState({ dir, files, runtime, store, tools, environment, services });
  const runtimeWriter = createRuntimeWriter(dir, {
    onError: (error) => log.error({ err: error }, 'runtime.json could not be saved'),
  });
  const session: NotebookSession = new NotebookSession({
    state,
    tools,
    files,
    fileEffects: createFileEffects(files, {
      tools,
      store,
      sessionId: state.sessionId,
      consoles: new Map(Array.from(state.cells, ([id, cell]) => [id, cell.console])),
    }),
    store,
    executor,
    runtime: {
      save: () => runtimeWriter.schedule(() => runtimeOf(session.state)),
      flush: () => runtimeWriter.flush(),
    },
    scratchDir,
    logs: createConsoleLogs(dir, {
      maxBytes: services.config.notebookConsoleLogBytes,
      longerThan: KEPT_CONSOLE_CHARACTERS,
    }),
    log,
    release: async () => {
      const { interpreter } = session.state.environment;
      if (interpreter !== null) await executor.retire(interpreter);
      await release();
    },
    stopEnvironment: () => environment.close(),
    stopWatching: () => stopWatching(),
    warmUp: (current) => warmUp(current, { executor, onFailure: warmingFailed }),
  });
  // A short visit ends before the interpreter is up; that it was stopped then is no news.
  const warmingFailed = (error: unknown): void =>
    log[session.state.closing ? 'debug' : 'warn']({ err: error }, 'the warm interpreter did not start');
  const stopWatching = watchFolder(dir, {
    onChange: (names) => session.follow(names),
    onGone: () =>
      session.report({
        type: 'folder_lost',
        problem: `The folder ${dir} is not there any more. What you see and type stays in this window; put the folder back and Cellar goes on with it.`,
      }),
  });
  if (store.notice !== null) log.warn(store.notice);
  environment.start((fact) => session.report(fact));
  warmUp(state, { executor, onFailure: warmingFailed });
  log.debug({ dir, cells: state.cells.size }, 'notebook opened');
  return session;
}

/** Brings the warm interpreter up before the first run asks for it; a failure only makes that run cold. */
function warmUp(
  state: SessionState,
  options: { readonly executor: Executor; readonly onFailure: (error: unknown) => void },
): void {
  const { interpreter } = state.environment;
  if (interpreter === null) return;
  const imports = new Set([...state.cells.values()].flatMap((cell) => cell.analysis.imports));
  options.executor.prepare(interpreter, [...imports].sort()).catch(options.onFailure);
}

interface Gathered {
  readonly dir: string;
  readonly files: NotebookFiles;
  readonly runtime: RuntimeState;
  readonly store: ArtifactStore;
  readonly tools: ReducerTools;
  readonly environment: EnvironmentDriver;
  readonly services: OpenServices;
}

async function initialState(gathered: Gathered): Promise<SessionState> {
  const { dir, files, store, environment, services } = gathered;
  const file = files.file();
  const id = notebookId(file.notebookId);
  const artifacts = groupByCell(id, {
    rows: store.current(artifactPrefixOf(id)),
    cellIds: new Set(file.cells.map((entry) => entry.id)),
  });
  const consoles = await consoleFiles(dir);
  const cells = await Promise.all(
    file.cells.map(async (entry) =>
      storedCell(store, {
        cell: newCell(entry, { text: files.sources().get(entry.id), analyze: gathered.tools.analyze }),
        artifacts: artifacts.get(entry.id) ?? {},
        runtime: gathered.runtime.cells[entry.id],
        console: consoles.has(`${entry.id}.json`) ? await loadConsole(dir, entry.id) : NO_CONSOLE,
      }),
    ),
  );
  const state: SessionState = {
    sessionId: sessionId(randomUUID()),
    notebookId: id,
    path: dir,
    file,
    cells: new Map(cells.map((cell) => [cell.id, cell])),
    graph: NO_GRAPH,
    graphError: null,
    expected: new Map(),
    environment: environment.initial,
    running: null,
    plan: null,
    sockets: new Map(),
    visitors: new Map(),
    locks: new Map(),
    closing: false,
    outside: new Map(),
    folderProblem: null,
    options: {
      storeLeaves: false,
      cellLockSeconds: services.config.notebookCellLockSeconds,
      defaultTimeoutSeconds: DEFAULT_TIMEOUT_SECONDS,
      ...services.session,
    },
  };
  return withStoredDisplays(walkStatuses(relink(state)), store);
}

/** What ready cells show where runtime.json was lost or a kill came before it was written: the store has it too. */
async function withStoredDisplays(state: SessionState, store: ArtifactStore): Promise<SessionState> {
  const cells = new Map(state.cells);
  for (const [id, cell] of state.cells) {
    const isMissing = cell.displays.length === 0 && versionsOf(cell.artifacts, displayLabel(0)).length > 0;
    const expected = state.expected.get(id);
    if (!isMissing || cell.status !== 'ready' || expected === undefined) continue;
    const found = storedResultOf(state, cell, expected);
    const displays = found === null ? null : await replayDisplays(store, found);
    if (displays !== null) cells.set(id, { ...cell, displays });
  }
  return { ...state, cells };
}

async function consoleFiles(dir: string): Promise<ReadonlySet<string>> {
  return new Set(await readdir(join(dir, '.svc/console')).catch(() => []));
}

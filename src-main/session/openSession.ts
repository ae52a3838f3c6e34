import { randomBytes, randomUUID } from 'node:crypto';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { NO_GRAPH } from '../../src-shared/notebook/graph.ts';
import { notebookId, sessionId } from '../../src-shared/notebook/ids.ts';
import { AppError } from '../../src-shared/wire/errors.ts';
import { type ArtifactStore, StoreError } from '../artifacts/artifact.ts';
import { openStore } from '../artifacts/store.ts';
import type { Config } from '../config/variables.ts';
import type { Executor } from '../exec/executor.ts';
import { createRemoteWorkers, type RemoteWorkers } from '../exec/remote/remoteWorkers.ts';
import { createAskInstalled } from '../language/modules/askInstalled.ts';
import {
  createModuleReader,
  type ModuleReader,
  type ModuleReaderOptions,
} from '../language/modules/readModules.ts';
import type { DataAccess } from '../mount/dataAccess.ts';
import type { AddressRules } from '../mount/fetch/addressRules.ts';
import { watchedPath } from '../mount/localMount.ts';
import { createNotebookData } from '../mount/notebookData.ts';
import { openObjectStore } from '../mount/remote/openObjectStore.ts';
import type { DataFact } from '../mount/want.ts';
import { createCellHistory } from '../notebook/cellHistory.ts';
import { createConsoleLogs } from '../notebook/consoleLogs.ts';
import { keptCellIds } from '../notebook/keptCell.ts';
import { createNotebookDrafts } from '../notebook/keptDrafts.ts';
import { NotebookFileError } from '../notebook/notebookFileError.ts';
import { type NotebookFiles, openNotebookFiles } from '../notebook/notebookFiles.ts';
import { loadNotebookSettings } from '../notebook/notebookSettings.ts';
import { type CutRun, createRunningConsoles, loadCutRuns } from '../notebook/runningConsoles.ts';
import {
  consoleFileOf,
  createRuntimeWriter,
  KEPT_CONSOLE_CHARACTERS,
  loadConsole,
  loadRuntime,
  type RuntimeState,
} from '../notebook/runtimeState.ts';
import { createUndoRecord } from '../notebook/undoStack.ts';
import { NO_SERVER_WORKERS, type ServerWorkers } from '../notebook/workers.ts';
import { acquireWriter } from '../notebook/writerLock.ts';
import type { Logger } from '../observe/log.ts';
import { type LanguageSteps, NO_LANGUAGES, spokenLanguages } from '../run/languageStep.ts';
import type { SqlStepOptions } from '../run/sql/sqlStep.ts';
import { createSecretManagers, type SecretManagers } from '../secrets/secretManagers.ts';
import { createAheadRuns } from './aheadRuns.ts';
import { serverAiOf } from './ai.ts';
import { createConsoles } from './consoles.ts';
import { keepCutRuns, withCutRun } from './cutRuns.ts';
import { allData, withFacts } from './data.ts';
import { createDataWatch } from './dataWatch.ts';
import type { EnvironmentDriver, Environments } from './environmentDriver.ts';
import type { LearnTexts, ReducerTools } from './events.ts';
import { createFileEffects } from './fileEffects.ts';
import { watchFolder } from './folderWatch.ts';
import { createHiding } from './hiding.ts';
import type { Hold } from './holds.ts';
import { moduleNamesOf, starModulesOf } from './modules.ts';
import { watchModules } from './moduleWatch.ts';
import { newCell, textsOf } from './newCell.ts';
import { lookAtObserved } from './observed.ts';
import { createObservedWatch, together } from './observedWatch.ts';
import { relink } from './relink.ts';
import { reopenedCells } from './reopened.ts';
import { createResultStorage } from './resultStorage.ts';
import { runtimeOf } from './runtimeRecord.ts';
import { createSecretEffects } from './secretEffects.ts';
import { NotebookSession } from './session.ts';
import { withShownResults } from './shownResults.ts';
import { NO_SECRET_FETCH, type SecretFetch, type SessionOptions, type SessionState } from './state.ts';
import { walkStatuses } from './statuses.ts';
import { NO_CONSOLE, storedByCell, storedCell } from './storedCell.ts';
import { TRUST_ALL, type Trust } from './trust.ts';
import { withStoredNames } from './unreadable.ts';

/** What every session of a process shares. */
export interface OpenServices {
  readonly config: Config;
  readonly log: Logger;
  readonly analyze: ReducerTools['analyze'];
  /** Absent: every text can be analysed at once. */
  readonly learn?: LearnTexts;
  /** The version of the R that R cells were last read with; null: none. */
  readonly rVersion?: () => string | null;
  readonly analyzeModule: ModuleReaderOptions['analyze'];
  readonly executor: Executor;
  /** Absent: Python alone. */
  readonly languages?: LanguageSteps;
  /** How connections are opened; absent: none are. */
  readonly sql?: SqlStepOptions;
  readonly environments: Environments;
  /** Workers elsewhere; absent: none but what notebooks define, without tokens of the environment. */
  readonly remote?: RemoteWorkers;
  /** What the server offers now; it may offer something else later. Absent: nothing. */
  readonly serverWorkers?: () => ServerWorkers;
  /** Absent: none is known, whatever a notebook names. */
  readonly secretManagers?: SecretManagers;
  /** The server's own secrets, which no notebook may show; absent: it has none. */
  readonly serverSecrets?: readonly string[];
  /** Hears of values that the log must not hold. */
  readonly onSecretValues?: (values: Iterable<string>) => void;
  readonly session?: Partial<SessionOptions>;
  /** True: no interpreter is brought up for a notebook whose cells are all ready. A person's edit would wait for it. */
  readonly warmsForWorkOnly?: boolean;
  /** Absent: every folder may run its cells. */
  readonly trust?: Trust;
}

const ignore = (): void => undefined;

/** Recorded with every artifact as what wrote it (semantics 4.2). */
const EXECUTOR = 'notebook/cell@v1';

/** Default cell timeout, seconds (semantics 1.2). */
const DEFAULT_TIMEOUT_SECONDS = 300;
/** What the tests of a cell may take together, seconds (semantics 12). */
const TEST_TIMEOUT_SECONDS = 120;

/**
 * Opens a notebook folder: takes its writer lock, reads its files, its results and its environment, and starts
 * a sync where one is needed. Answers before the sync ends and runs no cell.
 * @throws AppError NOTEBOOK_IN_USE naming the holder; bad_request with what is wrong with the notebook, in words
 */
export async function openSession(
  dir: string,
  services: OpenServices,
  hold: Hold | null = null,
): Promise<NotebookSession> {
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
    return await assemble(dir, { services, hold }, () => writer.release());
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
  { services, hold }: { readonly services: OpenServices; readonly hold: Hold | null },
  release: () => Promise<void>,
): Promise<NotebookSession> {
  const { analyze, environments, executor } = services;
  const trust = services.trust ?? TRUST_ALL;
  const trusted = trust.isTrusted(dir);
  // What happens here is worth a line to its own window, if not to the terminal.
  const log = services.log.child({ notebook: dir }, { level: 'debug' });
  const [files, runtime, store, cutRuns, environment] = await Promise.all([
    openNotebookFiles(dir),
    loadRuntime(dir),
    openStore(join(dir, '.svc/artifacts'), { executor: EXECUTOR }),
    loadCutRuns(dir),
    // A held folder's environment is left alone until the release, like that of an untrusted one.
    environments.open(dir, { trusted: trusted && hold === null }),
  ]);
  const tools: ReducerTools = {
    analyze,
    newId: () => randomBytes(4).toString('hex'),
    newJobId: randomUUID,
  };
  const scratchDir = join(dir, '.svc/tmp');
  await rm(scratchDir, { recursive: true, force: true });
  await mkdir(scratchDir, { recursive: true });
  // Until the session is there, the interpreter it begins with.
  let interpreterNow = () => environment.initial.interpreter;
  const modules = createModuleReader({
    dir,
    analyze: services.analyzeModule,
    askInstalled: createAskInstalled(() => interpreterNow()),
  });
  const data = createNotebookData({
    notebookDir: dir,
    fetchRules: fetchRulesOf(services.config),
    open: openObjectStore,
    credentials: {
      named: services.config.notebookCredentials,
      byScheme: services.config.notebookMountCredentials,
      // What was typed into the window counts too, so it is asked for when it is needed.
      notebookEnv: () => files.file().env,
      serverEnv: process.env,
    },
  });
  const managers = services.secretManagers ?? createSecretManagers([]);
  const secrets = createSecretEffects(files, { managers, now: Date.now });
  // What a cell runs with is known before one can run; only a notebook that has a manager waits (API supplement 2.1).
  const secretFetch = trusted ? await secrets.fetch(NO_SECRET_FETCH) : NO_SECRET_FETCH;
  const learn = services.learn ?? (async () => {});
  const gathered = {
    learn,
    secretFetch,
    dir,
    files,
    runtime,
    store,
    cutRuns,
    tools,
    environment,
    services,
    data,
    modules,
    trusted,
    hold,
  };
  const state = await initialState(gathered);
  const runtimeWriter = createRuntimeWriter(dir, {
    onError: (error) => log.error({ err: error }, 'runtime.json could not be saved'),
  });
  const history = createCellHistory(dir, {
    onError: (error) => log.warn({ err: error }, 'the local history of a cell could not be kept'),
  });
  const logs = createConsoleLogs(dir, {
    maxBytes: services.config.notebookConsoleLogBytes,
    longerThan: KEPT_CONSOLE_CHARACTERS,
  });
  if (cutRuns.length > 0) {
    await keepCutRuns(dir, { runs: cutRuns, cells: state.cells, logs }).catch((error: unknown) =>
      log.warn({ err: error }, 'what runs had printed that were cut short could not be kept'),
    );
  }
  const remote = services.remote ?? createRemoteWorkers({ env: {} });
  const languages = services.languages ?? NO_LANGUAGES;
  const stepTools = { store, executor, remote: remote.executor, languages, scratchDir, logs, data };
  const session: NotebookSession = new NotebookSession({
    state,
    tools,
    learn,
    rVersion: services.rVersion ?? (() => null),
    files,
    fileEffects: createFileEffects(files, {
      tools,
      learn,
      store,
      sessionId: state.sessionId,
      history,
      managers,
      consoles: new Map(Array.from(state.cells, ([id, cell]) => [id, cell.console])),
    }),
    history,
    undoRecord: createUndoRecord(dir),
    drafts: createNotebookDrafts(dir),
    secrets,
    hiding: createHiding({
      server: services.serverSecrets ?? [],
      onValues: services.onSecretValues ?? ignore,
    }),
    modules,
    watchModules: (facts) => moduleWatch.follow(facts),
    store,
    stepTools,
    runtime: {
      save: () => runtimeWriter.schedule(() => runtimeOf(session.state)),
      flush: () => runtimeWriter.flush(),
    },
    data,
    dataWatch: together(
      createObservedWatch(() => session.lookAtFiles()),
      createDataWatch({
        data,
        pathOf: (want) => watchedPath(want, dir),
        onSeen: (facts) => session.report({ type: 'data_seen', facts }),
        onError: (error) => log.warn({ err: error }, 'what cells use from outside could not be looked at'),
      }),
    ),
    storage: createResultStorage({
      store,
      config: services.config,
      state: () => session.state,
      deletedCells: () => keptCellIds(dir),
      onCollected: (uris) => session.report({ type: 'results_collected', uris }),
      onSwept: (swept) => log[swept.results > 0 ? 'info' : 'debug'](swept, 'kept results were swept'),
      onError: (error) => log.warn({ err: error }, 'kept results could not be swept'),
    }),
    ahead: createAheadRuns(stepTools),
    remote,
    sql: services.sql ?? null,
    consoles: createConsoles({
      ...{ store, executor, data, scratchDir },
      report: (fact) => session.report(fact),
    }),
    logs,
    runningConsoles: createRunningConsoles(dir, {
      onError: (error) => log.warn({ err: error }, 'what a run has printed so far could not be kept'),
    }),
    log,
    release: async () => {
      const { interpreter } = session.state.environment;
      if (interpreter !== null) await executor.retire(interpreter);
      await release();
    },
    environment,
    stopWatching: () => {
      stopWatching();
      moduleWatch.close();
    },
    warmUp: (current) => warm(current),
  });
  interpreterNow = () => session.state.environment.interpreter;
  // A short visit ends before the interpreter is up; that it was stopped then is no news.
  const warmingFailed = (error: unknown): void =>
    log[session.state.closing ? 'debug' : 'warn']({ err: error }, 'the warm interpreter did not start');
  const warm = (current: SessionState): void => {
    const isIdle = [...current.cells.values()].every(({ status }) => status === 'ready');
    if (services.warmsForWorkOnly === true && isIdle) return;
    warmUp(current, { executor, onFailure: warmingFailed });
  };
  const stopWatching = watchFolder(dir, {
    onChange(names) {
      // Said before anything of the other folder is read.
      if (session.state.trusted && !trust.isTrusted(dir)) session.report({ type: 'folder_replaced' });
      session.follow(names);
    },
    onGone: () =>
      session.report({
        type: 'folder_lost',
        gone: true,
        problem: `The folder ${dir} is not there any more. What you see and type stays in this window; put the folder back and Cellar goes on with it.`,
      }),
  });
  const moduleWatch = watchModules(dir, () => session.lookAtModules());
  moduleWatch.follow(state.modules);
  if (store.notice !== null) log.warn(store.notice);
  if (trusted && hold === null) environment.start((fact) => session.report(fact));
  // Once who opened it has its answer: the server stands still while a process is made.
  setImmediate(() => {
    if (!session.state.closing) warm(session.state);
  });
  if (cutRuns.length > 0) runtimeWriter.schedule(() => runtimeOf(session.state));
  session.watchData();
  session.storage.start();
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
  // A module of the folder may change between two runs; what it hides of an installed one must not be loaded either.
  const local = new Set(Array.from(state.modules.files.keys(), (path) => path.replace(/(\/.*|\.py)$/, '')));
  const imports = new Set(
    [...state.cells.values()].flatMap((cell) => cell.analysis.imports).filter((name) => !local.has(name)),
  );
  options.executor.prepare(interpreter, [...imports].sort()).catch(options.onFailure);
}

interface Gathered {
  readonly dir: string;
  readonly files: NotebookFiles;
  readonly runtime: RuntimeState;
  readonly store: ArtifactStore;
  readonly cutRuns: readonly CutRun[];
  readonly tools: ReducerTools;
  readonly environment: EnvironmentDriver;
  readonly services: OpenServices;
  readonly data: DataAccess;
  readonly modules: ModuleReader;
  readonly trusted: boolean;
  readonly hold: Hold | null;
  readonly secretFetch: SecretFetch;
  readonly learn: LearnTexts;
}

/** A personal server's cells reach its network anyway; a shared one's reach what the outside would. */
function fetchRulesOf({ deploymentMode, notebookFetchAllowedHosts }: Config): AddressRules {
  return { privateAllowed: deploymentMode !== 'service', allowedHosts: notebookFetchAllowedHosts };
}

/** How long opening waits for what cells use from outside; what takes longer is told when it is there. */
const FIRST_LOOK_MS = 250;

async function initialState(gathered: Gathered): Promise<SessionState> {
  const { dir, files, store, environment, services } = gathered;
  const file = files.file();
  const id = notebookId(file.notebookId);
  const artifacts = storedByCell(store, {
    notebook: id,
    cellIds: new Set(file.cells.map((entry) => entry.id)),
  });
  await gathered.learn(textsOf(file.cells, files.sources()));
  const consoles = await consoleFiles(dir);
  const cuts = new Map(gathered.cutRuns.map((cut) => [cut.id, cut]));
  const cells = await Promise.all(
    file.cells.map(async (entry) => {
      const stored = await storedCell(store, {
        cell: newCell(entry, { text: files.sources().get(entry.id), analyze: gathered.tools.analyze }),
        artifacts: artifacts.get(entry.id) ?? {},
        runtime: gathered.runtime.cells[entry.id],
        console: consoles.has(consoleFileOf(entry.id)) ? await loadConsole(dir, entry.id) : NO_CONSOLE,
      });
      return withCutRun(withStoredNames(stored, gathered.tools.analyze), cuts.get(entry.id));
    }),
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
    made: new Map(),
    modules: await gathered.modules.read(moduleNamesOf(cells), starModulesOf(cells)),
    environment: environment.initial,
    rVersion: file.cells.some(({ language }) => language === 'r') ? (services.rVersion?.() ?? null) : null,
    data: new Map(),
    seenFiles: new Map(),
    secretFetch: gathered.secretFetch,
    running: null,
    testing: new Map(),
    plan: null,
    sockets: new Map(),
    visitors: new Map(),
    locks: new Map(),
    inspections: new Map(),
    closing: false,
    hold: gathered.hold === null ? null : { phase: gathered.hold.phase, environmentDue: true },
    outside: new Map(),
    unsaved: new Set(),
    folderProblem: null,
    folderGone: false,
    trusted: gathered.trusted,
    parallelCells: (await loadNotebookSettings(dir)).parallel_cells,
    options: {
      languages: spokenLanguages(services.languages ?? NO_LANGUAGES),
      ai: serverAiOf(services.config),
      leaves: 'cheap',
      cellLockSeconds: services.config.notebookCellLockSeconds,
      defaultTimeoutSeconds: DEFAULT_TIMEOUT_SECONDS,
      parallelCells: services.config.notebookParallelCells,
      testTimeoutSeconds: TEST_TIMEOUT_SECONDS,
      serverWorkers: services.serverWorkers?.() ?? NO_SERVER_WORKERS,
      ...services.session,
    },
  };
  const believed = { ...state, cells: reopenedCells(state, Date.now()) };
  const seen = withFacts(believed, gathered.trusted ? await firstLook(state, gathered.data) : []);
  const looked = { ...seen, seenFiles: gathered.trusted ? lookAtObserved(seen) : seen.seenFiles };
  return withShownResults(walkStatuses(relink(looked)), store, { runtime: gathered.runtime, cuts });
}

/** What lies on this machine is looked at before the notebook is shown, so that a ready cell opens ready. */
async function firstLook(state: SessionState, data: DataAccess): Promise<readonly DataFact[]> {
  const wants = [...allData(state).values()];
  if (wants.length === 0) return [];
  const facts: DataFact[] = [];
  const looks = wants.map(async (want) => {
    facts.push(
      ...(await data.look([want], { purpose: 'status', signal: AbortSignal.timeout(FIRST_LOOK_MS) })),
    );
  });
  // A look that breaks is made again, and logged, by the watch between runs: it must not keep a notebook shut.
  await Promise.race([Promise.allSettled(looks), delay(FIRST_LOOK_MS, null, { ref: false })]);
  return [...facts];
}

async function consoleFiles(dir: string): Promise<ReadonlySet<string>> {
  return new Set(await readdir(join(dir, '.svc/console')).catch(() => []));
}

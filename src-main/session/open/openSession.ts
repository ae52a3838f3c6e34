/**
 * Opens a notebook folder as a session: takes its lock, reads its files and results, and starts a sync if one is
 * needed.
 */

import { randomBytes, randomUUID } from 'node:crypto';
import { type SessionId, sessionId } from '../../../src-shared/notebook/ids.ts';
import { AppError } from '../../../src-shared/wire/errors.ts';
import { StoreError } from '../../artifacts/artifact.ts';
import { openBorrowedStore } from '../../artifacts/borrowedStore.ts';
import { openStore } from '../../artifacts/store.ts';
import { serverEnvironment } from '../../config/serverEnvironment.ts';
import type { Config } from '../../config/variables.ts';
import { PROJECT_FILES } from '../../environment/projectWatch.ts';
import type { Executor } from '../../exec/executor.ts';
import { createRemoteWorkers, type RemoteWorkers } from '../../exec/remote/remoteWorkers.ts';
import { createAskInstalled } from '../../language/modules/askInstalled.ts';
import { createModuleReader, type ModuleReaderOptions } from '../../language/modules/readModules.ts';
import { removeTree } from '../../lib/guardedFolder/names.ts';
import { makePrivateFolder } from '../../lib/makePrivateFolder.ts';
import { createNotebookLanguage } from '../../lsp/notebookLanguage.ts';
import { type Ruff, RuffRefused } from '../../lsp/ruff/ruffThread.ts';
import { startTy } from '../../lsp/server/running.ts';
import type { FoundTools } from '../../lsp/tools/resolveTools.ts';
import type { AddressRules } from '../../mount/fetch/addressRules.ts';
import { watchedPath } from '../../mount/localMount.ts';
import { createNotebookData } from '../../mount/notebookData.ts';
import type { DatasetRegistry, TableCatalogs } from '../../mount/registry.ts';
import { openObjectStore } from '../../mount/remote/openObjectStore.ts';
import { deletedCellIds } from '../../notebook/deletedCellFile.ts';
import { type NotebookFolder, notebookFolder } from '../../notebook/folder/notebookFolder.ts';
import { ownPath } from '../../notebook/folder/ownPlaces.ts';
import { createCellHistory } from '../../notebook/history/cellHistory.ts';
import { createUndoRecord } from '../../notebook/history/undoStack.ts';
import { openNotebookFiles } from '../../notebook/notebookFiles.ts';
import { createConsoleLogs } from '../../notebook/stored/consoleLogs.ts';
import { createRunningConsoles, loadCutRuns } from '../../notebook/stored/runningConsoles.ts';
import {
  createRuntimeWriter,
  loadRuntime,
  MAX_STORED_CONSOLE_CHARACTERS,
} from '../../notebook/stored/runtimeState.ts';
import { configuredCredentials, type StoredCredentials } from '../../notebook/stored/storedCredentials.ts';
import { createNotebookDrafts } from '../../notebook/stored/storedDrafts.ts';
import { NotebookFileError } from '../../notebook/toml/notebookFileError.ts';
import type { ServerWorkers } from '../../notebook/workers.ts';
import type { Logger } from '../../observe/log.ts';
import type { SqlStepOptions } from '../../run/sql/sqlStepOptions.ts';
import { type LanguageSteps, NO_LANGUAGES } from '../../run/stepTools.ts';
import type { ServerTeamCache } from '../../run/team/teamCache.ts';
import { createSecretManagers, type SecretManagers } from '../../secrets/secretManagers.ts';
import { createAheadRuns } from '../effects/aheadRuns.ts';
import type { CellClients } from '../effects/cellClients.ts';
import { consolesWithClient, withClient } from '../effects/clientExecutor.ts';
import { createConsoles } from '../effects/consoles.ts';
import type { Environments } from '../effects/environmentDriver.ts';
import { createFileEffects } from '../effects/fileEffects.ts';
import { hidingRuns } from '../effects/hidingExecutor.ts';
import { createResultStorage } from '../effects/resultStorage.ts';
import { createSecretEffects } from '../effects/secretEffects.ts';
import { createWarmUps } from '../effects/warmUp.ts';
import { runtimeOf } from '../keys/runtimeRecord.ts';
import { NotebookSession } from '../session.ts';
import type { DamagedRecord } from '../state/damaged.ts';
import type { PrepareAnalysis, ReducerTools } from '../state/events.ts';
import type { Hold } from '../state/holds.ts';
import { NO_SECRET_FETCH, type SessionOptions } from '../state/state.ts';
import { createHiding } from '../view/hiding.ts';
import { languageView } from '../view/languageView.ts';
import { readShortValue } from '../view/readShortValue.ts';
import { createDataWatch } from '../watch/dataWatch.ts';
import { watchFolder } from '../watch/folderWatch.ts';
import { watchModules } from '../watch/moduleWatch.ts';
import { combineWatches, createObservedWatch } from '../watch/observedWatch.ts';
import { saveCutRuns } from './cutRuns.ts';
import { initialState } from './initialState.ts';
import { lockBeforeWriting } from './lockBeforeWriting.ts';
import { refusedClaim, whyReadOnly } from './readOnly.ts';
import { TRUST_ALL, type Trust } from './trust.ts';
import { makeUntrustedScratch, removeUntrustedScratch } from './untrustedScratch.ts';
import { createWriterClaim, type WriterClaim } from './writerClaim.ts';

/** The services that all sessions of a process share. */
export interface OpenServices {
  readonly config: Config;
  /** Default: those of the configuration, and no place to move one to. */
  readonly credentials?: StoredCredentials;
  readonly log: Logger;
  readonly analyze: ReducerTools['analyze'];
  /** Absent: every text can be analysed without another program. */
  readonly learn?: PrepareAnalysis;
  /** The version of the R that last read R cells; null: none. */
  readonly rVersion?: () => string | null;
  readonly analyzeModule: ModuleReaderOptions['analyze'];
  readonly executor: Executor;
  /** Absent: Python only. */
  readonly languages?: LanguageSteps;
  /** How to open connections; absent: there are none. */
  readonly sql?: SqlStepOptions;
  readonly environments: Environments;
  /** What `@dataset` reads; absent: nothing. */
  readonly datasets?: DatasetRegistry;
  /** Absent: `@table` lines need a pin. */
  readonly tableCatalogs?: TableCatalogs;
  /** Absent: results are not shared with a team. */
  readonly team?: ServerTeamCache;
  /** Formats and checks the text of cells; absent: nothing does. */
  readonly ruff?: Ruff;
  /** Finds the language server for an interpreter; absent: there is none. */
  readonly languageTools?: (python: string) => Promise<FoundTools>;
  /** Remote workers; absent: only those that notebooks define, without tokens from the environment. */
  readonly remote?: RemoteWorkers;
  /** The workers that the server offers now; the list may change. Absent: none. */
  readonly serverWorkers?: () => ServerWorkers;
  /** Absent: no manager is known, whatever a notebook names. */
  readonly secretManagers?: SecretManagers;
  /** The server's own secrets, which no notebook may show; absent: none. */
  readonly serverSecrets?: readonly string[];
  /** Called with values that must not appear in the log. */
  readonly onSecretValues?: (values: Iterable<string>) => void;
  /** Gives cells on this machine the client `svc`. */
  readonly cellClients?: CellClients;
  readonly session?: Partial<SessionOptions>;
  /**
   * True: no interpreter is started for a notebook whose cells are all ready. A user's edit would wait for
   * it.
   */
  readonly warmsForWorkOnly?: boolean;
  /** Absent: every folder may run its cells. */
  readonly trust?: Trust;
}

const ignore = (): void => undefined;

const NO_RUFF: Ruff = {
  ask: async () => {
    throw new RuffRefused('This program has no formatter.');
  },
  close: async () => undefined,
};

const noLanguageTools = async (): Promise<FoundTools> => ({
  kind: 'missing',
  message: 'This program has no Python language server.',
});

/** Recorded with every artifact as its writer (docs/spec/provenance-and-cache.md, 2). */
const EXECUTOR = 'notebook/cell@v1';

/** How a folder is opened. */
export interface OpenOptions {
  /** The current hold over the folder. */
  readonly hold?: Hold | null;
  /** The id of the session that this one replaces; absent: a new one. */
  readonly id?: SessionId;
}

/**
 * Opens a notebook folder: takes its writer lock, reads its files, results and environment, and starts a sync
 * if one is needed. Returns before the sync ends and runs no cell. An untrusted folder is only read, until
 * the user makes a change. @throws AppError NOTEBOOK_IN_USE naming the holder; bad_request with the problem
 * of the notebook
 */
export async function openSession(
  dir: NotebookFolder,
  services: OpenServices,
  options: OpenOptions = {},
): Promise<NotebookSession> {
  const mayRun = (services.trust ?? TRUST_ALL).isTrusted(dir);
  const writer = createWriterClaim(dir);
  const readOnly = mayRun ? await whyReadOnly(dir, writer) : null;
  const claim = readOnly === null ? writer : refusedClaim(readOnly);
  // A read-only folder is opened like an untrusted one.
  const trusted = mayRun && readOnly === null;
  const scratch = trusted ? null : await makeUntrustedScratch(services.config.cacheDir);
  const release = async (): Promise<void> => {
    await claim.release();
    if (scratch !== null) await removeUntrustedScratch(scratch);
  };
  try {
    return await assemble(dir, {
      services,
      claim,
      trusted,
      readOnly,
      scratch,
      release,
      hold: null,
      ...options,
    });
  } catch (error) {
    await release();
    if (error instanceof NotebookFileError || error instanceof StoreError) {
      throw new AppError('bad_request', error.message);
    }
    throw error;
  }
}

interface Opening extends OpenOptions {
  readonly services: OpenServices;
  readonly hold: Hold | null;
  readonly claim: WriterClaim;
  readonly trusted: boolean;
  /** Why the folder is read-only; null: it can be written. */
  readonly readOnly: string | null;
  /** Where an untrusted folder's session writes its own data; null: in the folder. */
  readonly scratch: string | null;
  readonly release: () => Promise<void>;
}

async function assemble(dir: NotebookFolder, opening: Opening): Promise<NotebookSession> {
  const { services, hold, claim, trusted, readOnly, scratch, release } = opening;
  const { analyze, environments, executor } = services;
  const trust = services.trust ?? TRUST_ALL;
  // These lines matter to the notebook's own window, if not to the terminal.
  const log = services.log.child({ notebook: dir }, { level: 'debug' });
  const stored = ownPath(dir, 'artifacts');
  const damaged: DamagedRecord[] = [];
  const [diskFiles, runtime, store, cutRuns, environment] = await Promise.all([
    openNotebookFiles(dir, { repairs: trusted }),
    loadRuntime(dir, { repairs: trusted, onDamaged: () => damaged.push('runtime') }),
    scratch === null
      ? openStore(stored, { executor: EXECUTOR })
      : openBorrowedStore(stored, { scratch, executor: EXECUTOR }),
    loadCutRuns(dir),
    // The environment of a held folder is not changed until the release, like that of an untrusted one.
    environments.open(dir, { trusted: trusted && hold === null, repairs: trusted }),
  ]);
  const tools: ReducerTools = {
    analyze,
    newId: () => randomBytes(4).toString('hex'),
    newJobId: randomUUID,
  };
  const scratchDir = ownPath(scratch === null ? dir : notebookFolder(scratch), 'tmp');
  await removeTree(scratchDir);
  makePrivateFolder(scratchDir);
  const history = createCellHistory(dir, {
    onError: (error) => log.warn({ err: error }, 'could not store the local history of a cell'),
  });
  const parts = {
    files: diskFiles,
    history,
    undoRecord: createUndoRecord(dir),
    drafts: createNotebookDrafts(dir),
  };
  const own = trusted ? parts : lockBeforeWriting(claim, parts);
  const { files } = own;
  // The initial interpreter, until the session exists.
  let interpreterNow = () => environment.initial.interpreter;
  const modules = createModuleReader({
    dir,
    analyze: services.analyzeModule,
    askInstalled: createAskInstalled(() => interpreterNow()),
  });
  const credentials = services.credentials ?? configuredCredentials(services.config.notebookCredentials);
  const statusMs = services.config.notebookRemoteStatusSeconds * 1_000;
  const data = createNotebookData({
    notebookDir: dir,
    statusMs,
    fetchRules: fetchRulesOf(services.config),
    open: openObjectStore,
    ...(services.datasets === undefined ? {} : { registry: services.datasets }),
    ...(services.tableCatalogs === undefined ? {} : { catalogs: services.tableCatalogs }),
    credentials: {
      get named() {
        return credentials.named;
      },
      byScheme: services.config.notebookMountCredentials,
      // Read on use, because it includes values that were typed into the window.
      notebookEnv: () => files.file().env,
      serverEnv: serverEnvironment(),
    },
  });
  const managers = services.secretManagers ?? createSecretManagers([]);
  const secrets = createSecretEffects(files, { managers, now: Date.now });
  // The variables must be known before a cell can run; only a notebook with a secret manager waits for them
  // (docs/spec/rest-notebooks.md, 3, 4).
  const secretFetch = trusted ? await secrets.fetch(NO_SECRET_FETCH) : NO_SECRET_FETCH;
  // Reading the meaning of R names starts R.
  const learn = (trusted ? services.learn : undefined) ?? (async () => {});
  const inputs = {
    learn,
    secretFetch,
    dir,
    files,
    runtime,
    damaged,
    store,
    cutRuns,
    tools,
    environment,
    services,
    data,
    modules,
    trusted,
    readOnly,
    hold,
    id: opening.id ?? sessionId(randomUUID()),
  };
  const state = await initialState(inputs);
  const runtimeWriter = createRuntimeWriter(dir, {
    onError: (error) => log.error({ err: error }, 'runtime.json could not be saved'),
  });
  const logs = createConsoleLogs(dir, {
    maxBytes: services.config.notebookConsoleLogBytes,
    longerThan: MAX_STORED_CONSOLE_CHARACTERS,
  });
  if (trusted && cutRuns.length > 0) {
    await saveCutRuns(dir, { runs: cutRuns, cells: state.cells, logs }).catch((error: unknown) =>
      log.warn({ err: error }, 'could not store the output of interrupted runs'),
    );
  }
  const remote = services.remote ?? createRemoteWorkers({ env: {} });
  const languages = services.languages ?? NO_LANGUAGES;
  const hiding = createHiding({
    server: services.serverSecrets ?? [],
    onValues: services.onSecretValues ?? ignore,
  });
  const redactor = () => hiding.redactor;
  const notShared = new Map<string, string | null>();
  const client = services.cellClients?.open(state.sessionId, hiding.add) ?? null;
  const hidden = hidingRuns(executor, redactor);
  const stepTools = {
    store,
    languages,
    scratchDir,
    logs,
    data,
    executor: client === null ? hidden : withClient(hidden, client),
    remote: hidingRuns(remote.executor, redactor),
    ...(services.team === undefined ? {} : { team: { ...services.team, redactor, notShared } }),
  };
  const warmUps = createWarmUps({
    executor,
    isWanted: ({ cells }) =>
      services.warmsForWorkOnly !== true || [...cells.values()].some(({ status }) => status !== 'ready'),
    // A short visit ends before the interpreter is started; stopping it then is not reported.
    onFailure: (error) =>
      log[session.state.closing ? 'debug' : 'warn']({ err: error }, 'the warm interpreter did not start'),
  });
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
      history: own.history,
      managers,
      credentials,
      consoles: new Map(Array.from(state.cells, ([id, cell]) => [id, cell.console])),
    }),
    history: own.history,
    undoRecord: own.undoRecord,
    drafts: own.drafts,
    secrets,
    hiding,
    modules,
    watchModules: (facts) => moduleWatch.follow(facts),
    store,
    stepTools,
    runtime: {
      save: () => {
        if (session.state.trusted) runtimeWriter.schedule(() => runtimeOf(session.state));
      },
      flush: () => runtimeWriter.flush(),
    },
    data,
    dataWatch: combineWatches(
      warmUps,
      createObservedWatch(() => session.lookAtFiles()),
      createDataWatch({
        data,
        remoteMs: statusMs,
        pathOf: (item) => watchedPath(item, dir),
        onSeen: (facts) => session.report({ type: 'data_checked', facts }),
        onError: (error) => log.warn({ err: error }, 'what cells use from outside could not be looked at'),
      }),
    ),
    storage: createResultStorage({
      store,
      config: services.config,
      state: () => session.state,
      deletedCells: () => deletedCellIds(dir),
      onCollected: (uris) => session.report({ type: 'results_collected', uris }),
      onSwept: (swept) => log[swept.results > 0 ? 'info' : 'debug'](swept, 'swept stored results'),
      onError: (error) => log.warn({ err: error }, 'could not sweep stored results'),
    }),
    ahead: createAheadRuns(stepTools),
    language: createNotebookLanguage({
      dir,
      view: () => languageView(session.state),
      readValue: (value) => readShortValue(session.views.results, value),
      tools: services.languageTools ?? noLanguageTools,
      start: startTy,
      ruff: services.ruff ?? NO_RUFF,
      log: (message) => log.info(message),
    }),
    remote,
    sql: services.sql ?? null,
    consoles: createConsoles({
      store,
      data,
      scratchDir,
      executor: client === null ? executor : consolesWithClient(executor, client),
      report: (fact) => session.report(fact),
    }),
    logs,
    runningConsoles: createRunningConsoles(dir, {
      onError: (error) => log.warn({ err: error }, 'could not store the output of the current run'),
    }),
    log,
    release: async () => {
      client?.close();
      const { interpreter } = session.state.environment;
      if (interpreter !== null) await executor.retire(interpreter);
      await release();
    },
    environment,
    stopWatching: () => {
      stopWatching();
      moduleWatch.close();
    },
    warmUp: (current) => warmUps.now(current),
  });
  interpreterNow = () => session.state.environment.interpreter;
  const followProject = (names: ReadonlySet<string> | null): void => {
    if (!session.state.trusted || (names !== null && !PROJECT_FILES.some((name) => names.has(name)))) return;
    environment.followFiles().then(
      (environmentNow) =>
        environmentNow !== null &&
        session.report({ type: 'environment_changed', environment: environmentNow }),
      (error: unknown) => log.warn({ err: error }, 'the changed files of the environment could not be read'),
    );
  };
  const stopWatching = watchFolder(dir, {
    onChange(names) {
      // Sent before anything of the other folder is read.
      if (session.state.trusted && !trust.isTrusted(dir)) session.report({ type: 'folder_replaced' });
      session.follow(names);
      followProject(names);
    },
    onGone: () =>
      session.report({
        type: 'folder_lost',
        gone: true,
        problem: `The folder ${dir} no longer exists. Your work stays in this window. Restore the folder to continue.`,
      }),
  });
  const moduleWatch = watchModules(dir, () => session.lookAtModules());
  moduleWatch.follow(state.modules);
  if (store.notice !== null) log.warn(store.notice);
  if (trusted && hold === null) environment.start((fact) => session.report(fact));
  // Deferred until the opener has its reply: starting a process blocks the server.
  setImmediate(() => {
    if (!session.state.closing) warmUps.now(session.state);
  });
  if (trusted && cutRuns.length > 0) runtimeWriter.schedule(() => runtimeOf(session.state));
  session.watchData();
  session.views.results.storage.start();
  log.debug({ dir, cells: state.cells.size }, 'notebook opened');
  return session;
}

/**
 * Cells of a personal server can reach its network in any case; those of a shared one reach only public
 * addresses.
 */
function fetchRulesOf({ deploymentMode, notebookFetchAllowedHosts }: Config): AddressRules {
  return { privateAllowed: deploymentMode !== 'service', allowedHosts: notebookFetchAllowedHosts };
}

/** Composition root: creates every long-lived part from the configuration, for the server and the commands. */

import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ownerMayLive, ownerName } from '../artifacts/blobFolder.ts';
import type { BlobStore } from '../artifacts/blobStore.ts';
import { createStoredBuilds } from '../artifacts/storedBuilds.ts';
import { createStoredWorkers, createStoredWorkersInMemory } from '../artifacts/storedWorkers.ts';
import { openBlobStore } from '../blobs/openBlobStore.ts';
import { signingPlace } from '../blobs/signingPlace.ts';
import type { BuildStoreOptions } from '../builds/buildStore.ts';
import { type Builds, createBuilds } from '../builds/builds.ts';
import { ConfigError } from '../config/configError.ts';
import { secretConfigValues } from '../config/secretValues.ts';
import {
  closeServerMemory,
  environmentWith,
  serverEnvironment,
  withServerKeys,
} from '../config/serverEnvironment.ts';
import type { Config } from '../config/variables.ts';
import type { DataPlane } from '../dataPlane/api.ts';
import { createDataPlane } from '../dataPlane/dataPlane.ts';
import { createLocalExecutor } from '../exec/local/localExecutor.ts';
import { checkBundle } from '../exec/remote/call/checkBundle.ts';
import { createRemoteWorkers } from '../exec/remote/remoteWorkers.ts';
import { createAnalyzer } from '../language/analyzeCell.ts';
import { createRuff } from '../lsp/ruff/ruffThread.ts';
import { createToolBox } from '../lsp/tools/toolBox.ts';
import { readServerWorkers } from '../notebook/serverWorkers.ts';
import { openStoredCredentials } from '../notebook/stored/storedCredentials.ts';
import type { ServerWorker } from '../notebook/workers.ts';
import { HiddenText } from '../observe/hiddenText.ts';
import { createLogger, type Logger } from '../observe/log.ts';
import { LogRing } from '../observe/logRing.ts';
import { openTracing } from '../observe/openTracing.ts';
import type { Tracing } from '../observe/tracing.ts';
import { createRegistryService, type RegistryService } from '../registry/registryService.ts';
import type { RemoteStore } from '../remoteStore/remoteStore.ts';
import { createLanguageSteps } from '../run/languages.ts';
import { createRLanguage } from '../run/r/rLanguage.ts';
import type { Catalogs } from '../run/sql/sqlUse.ts';
import { createInfisical } from '../secrets/infisical.ts';
import type { InfisicalCredential } from '../secrets/infisicalLogin.ts';
import { createSecretManagers } from '../secrets/secretManagers.ts';
import type { Sessions } from '../session/api.ts';
import { type CellClients, createCellClients } from '../session/effects/cellClients.ts';
import { createEnvironments } from '../session/effects/environmentDriver.ts';
import { openWorkerRegistry, type WorkerRegistry } from '../session/effects/workerRegistry.ts';
import { createAnalysisCache } from '../session/keys/analysisCache.ts';
import { createSessions } from '../session/open/sessions.ts';
import { createTrust, type KnownTrust } from '../session/open/trust.ts';
import type { SessionOptions } from '../session/state/state.ts';
import type { ProcessHost } from '../sql/sqlCarrier.ts';
import { createSqlThreads } from '../sql/sqlThreads.ts';
import { datasetsOf } from './datasetsOf.ts';
import { harnessFolder, shippedDir } from './harnessFolder.ts';
import { storageFolders } from './storageFolders.ts';
import { remoteStoreOf, teamCacheOf } from './teamCacheOf.ts';

export const VERSION = '0.2.0';

/** The parts that the server and the commands share: configuration, log, sessions and what runs their cells. */
export interface App {
  readonly config: Config;
  readonly log: Logger;
  /** Recent log lines of each notebook. */
  readonly recentLog: LogRing;
  readonly sessions: Sessions;
  /** Cells that workers download, run and deliver; served once a server listens. */
  readonly builds: Builds;
  /** The artifact store of the server; opened on first use. */
  readonly registry: RegistryService;
  /** Scans and transforms of tables and artifacts. */
  readonly dataPlane: DataPlane;
  /** The artifact store that several servers share; null if there is none. */
  readonly remoteStore: RemoteStore | null;
  /** The clients `svc` of cells; without a server until one listens. */
  readonly cellClients: CellClients;
  /** The workers that this server offers to every notebook. */
  readonly serverWorkers: WorkerRegistry;
  /** Python minor versions offered for new notebooks, newest first. */
  readonly pythonVersions: () => Promise<readonly string[]>;
  /** Lets this process open notebooks below one more folder, with the user's consent. No route calls it. */
  readonly grant: (root: string) => void;
  /** Lets notebooks in one more folder run, since the user trusts it. No route calls it either. */
  readonly trust: (root: string) => Promise<void>;
  readonly tracing: Tracing;
  /** Sets the proxy variables of tools, if the server's own environment has none. */
  readonly network: (variables: Readonly<Record<string, string>>) => void;
  /** Ends the sessions, then every process that they started. */
  close(): Promise<void>;
}

/** How the parts of the program are created for one command. */
export interface AppOptions {
  readonly overrides?: Partial<Config>;
  /** Folders outside of the storage root that this process may open. */
  readonly grants?: readonly string[];
  /**
   * Used by the desktop app: notebooks outside of these folders and the storage root run nothing. Absent: all are
   * trusted.
   */
  readonly trust?: Parameters<typeof createTrust>[0];
  /**
   * For a user's own program: new notebooks are made in a visible folder, unless a setting names one. Notebooks in the
   * documented folder are listed with them and stay there.
   */
  readonly visibleFolder?: boolean;
  readonly session?: Partial<SessionOptions>;
  readonly warmsForWorkOnly?: boolean;
  /** The packaged app's folder of resources, which contains `uv/…`. Default: searched beside the bundle. */
  readonly resourceDir?: string;
  /** Starts processes for this one if it cannot start any itself: used by the desktop app. */
  readonly processHost?: ProcessHost | null;
}

function existingDir(dir: string): string | null {
  return existsSync(dir) ? dir : null;
}

/** The notebooks that are shipped with the program: in the app's resources, beside the bundle or in the source tree. */
export function examplesDir(resourceDir: string | null): string {
  const here = dirname(fileURLToPath(import.meta.url));
  const places = [
    ...(resourceDir === null ? [] : [resourceDir]),
    here,
    join(here, '..'),
    join(here, '../..'),
  ];
  const existing = places.map((place) => join(place, 'examples')).find((dir) => existsSync(dir));
  return existing ?? join(here, 'examples');
}

/** The folder of the built web app; null if it was not built. */
export function rendererDir(): string | null {
  const dir = shippedDir('renderer', 'dist/renderer');
  return existsSync(join(dir, 'index.html')) ? dir : null;
}

/** @throws ConfigError naming the invalid variable */
export async function composeApp(options: AppOptions): Promise<App> {
  const sources = {
    cwd: process.cwd(),
    env: serverEnvironment(),
    ...(options.overrides === undefined ? {} : { overrides: options.overrides }),
  };
  const { config, earlier } = storageFolders(sources, options.visibleFolder === true);
  const ring = new LogRing();
  const hidden = new HiddenText();
  const serverSecrets = secretConfigValues(config, serverEnvironment());
  hidden.add(serverSecrets);
  const log = createLogger({ level: config.logLevel, format: config.logFormat, ring, hidden });
  closeServerMemory((message) => log.info(message));
  const credentials = openStoredCredentials(
    config.artifactDir === null ? null : join(config.artifactDir, 'credentials.json'),
    {
      configured: withServerKeys(config.notebookCredentials),
      onProblem: (message) => log.warn(message),
    },
  );
  hidden.add(credentials.values());
  const harnessDir = harnessFolder();
  const executor = createLocalExecutor({
    harnessDir,
    envAllowlist: config.notebookHarnessEnvAllowlist,
    poolSize: config.notebookWarmPoolSize,
  });
  // Read at every open, so that a folder that is granted later counts at once.
  const storage = [config.notebookStorageDir, ...earlier];
  const roots = [...storage, ...(options.grants ?? [])];
  const trust = options.trust === undefined ? null : trustFrom(options.trust, storage);
  const r = createRLanguage({
    harnessDir,
    rscript: config.rscript,
    cacheDir: config.cacheDir,
    envAllowlist: config.notebookHarnessEnvAllowlist,
    poolSize: config.notebookWarmPoolSize,
    namesTimeoutSeconds: config.notebookRNamesTimeoutSeconds,
  });
  const environments = createEnvironments({
    svcUv: config.uv,
    resourceDir: options.resourceDir ?? existingDir(shippedDir('resources', 'resources')),
    cacheDir: config.cacheDir,
    pythonVersions: config.notebookPythonVersions,
    executor,
    r: r.tools,
    log,
  });
  const ruff = createRuff();
  const languageTools = createToolBox({
    resourceDir: options.resourceDir ?? existingDir(shippedDir('resources', 'resources')),
    cacheDir: config.cacheDir,
    uv: () => environments.uv(),
    env: () => environments.toolEnv(),
  });
  const analyzer = await createAnalyzer(r.names);
  const secretManagers = createSecretManagers([
    createInfisical({
      baseUrl: config.notebookInfisicalUrl,
      credential: infisicalCredential(config),
      timeoutSeconds: config.notebookSecretTimeoutSeconds,
    }),
  ]);
  const sql = {
    threads: createSqlThreads(options.processHost ?? null),
    credentials: {
      get named() {
        return credentials.named;
      },
      serverEnv: serverEnvOf(config),
    },
    catalogs: serverCatalogs(config),
    attachedCatalogs: () => dataPlane.attached.warehouses(),
    engine: VERSION,
    confined: config.deploymentMode === 'service',
  };
  const builds = createBuilds({
    secret: config.transformSigningSecret,
    expirySeconds: config.signedUrlExpirySeconds,
    maxOutputBytes: config.buildRunnerDefaultMaxOutput,
    bucket: bucketOf(config, log),
    buildStore: bookOf(config, log),
    onLeft: (message) => log.warn(message),
  });
  const tracing = await openTracing({
    enabled: config.tracingEnabled,
    env: process.env,
    warn: (message) => log.warn(message),
  });
  const remote = createRemoteWorkers({
    builds,
    tracing,
    origin: options.session?.leaves === 'all' ? 'run' : 'notebook',
    // Of the server's keys, notebooks may only use the token of a worker.
    env: environmentWith('SVC_WORKER_TOKEN'),
    onToken: (tokens) => hidden.add(tokens),
    provisioningSeconds: config.workerProvisioningTimeoutSeconds,
    maxMemberBytes: config.notebookMaxBundleMemberBytes,
    workerFiles: { program: shippedDir('svc-worker.cjs', 'dist/svc-worker.cjs'), harnessDir },
  });
  const registry = registryOf(config, log);
  const dataPlane = createDataPlane({ config, registry, log });
  const remoteStore = remoteStoreOf(config, log);
  const team = teamCacheOf(config, remoteStore, log);
  const datasets = datasetsOf(config, { registry, remoteStore });
  const serverWorkers = await openWorkerRegistry({
    kept:
      config.artifactDir === null ? createStoredWorkersInMemory() : createStoredWorkers(config.artifactDir),
    configured: configuredWorkers(config),
    notebooksDefine: config.deploymentMode !== 'service',
    remote,
    log,
  });
  const cellClients = createCellClients(
    config.notebookRemoteStoreUrl === null
      ? null
      : { url: config.notebookRemoteStoreUrl, headers: config.notebookRemoteStoreHeaders },
  );
  const sessions = createSessions({
    cellClients,
    alsoListed: earlier,
    remote,
    serverWorkers: serverWorkers.offered,
    config,
    secretManagers,
    serverSecrets: [...serverSecrets, ...credentials.values()],
    credentials,
    onSecretValues: (values) => hidden.add(values),
    log,
    analyze: createAnalysisCache(analyzer),
    analyzeModule: analyzer.python.analyze,
    executor,
    learn: (texts) => r.learn(texts),
    rVersion: () => r.version(),
    sql,
    languages: createLanguageSteps({ r: r.step, sql }),
    environments,
    languageTools: languageTools.find,
    ruff,
    roots,
    installed: [examplesDir(options.resourceDir ?? null)],
    ...(trust === null ? {} : { trust }),
    ...(options.session === undefined ? {} : { session: options.session }),
    warmsForWorkOnly: options.warmsForWorkOnly ?? false,
    ...(team === null ? {} : { team }),
    ...(datasets === null ? {} : { datasets }),
    tableCatalogs: dataPlane.catalogs,
  });
  serverWorkers.onChange(() => sessions.recheckWorkers());
  return {
    config,
    log,
    recentLog: ring,
    sessions,
    builds,
    registry,
    remoteStore,
    dataPlane,
    cellClients,
    serverWorkers,
    tracing,
    // In the desktop app no interpreter is started for this, because the folder may not be trusted yet.
    pythonVersions: () => environments.offeredVersions({ starts: trust === null }),
    grant(root) {
      if (!roots.includes(root)) roots.push(root);
    },
    async trust(root) {
      trust?.add(root);
      await sessions.recheckTrust();
    },
    network: (variables) => environments.setNetwork(variables),
    async close() {
      languageTools.close();
      await ruff.close();
      await Promise.all([sessions.shutdown(), remote.ssh.close()]);
      await team?.queue.close();
      await environments.close();
      await Promise.all([executor.close(), r.close()]);
      await sql.threads.close();
      await builds.close();
      await dataPlane.close();
      await registry.close();
      await tracing.close();
    },
  };
}

/** Notebooks in the storage root are the user's own: created, copied or moved there by the user. */
function trustFrom(
  { roots, ...told }: NonNullable<AppOptions['trust']>,
  places: readonly string[],
): KnownTrust {
  return createTrust({ places, roots, ...told });
}

/** The stored state of builds, which outlives the program; null without a folder for it. */
function bookOf(config: Config, log: Logger): BuildStoreOptions | null {
  const { artifactDir, notebookMaxBundleMemberBytes: maxMemberBytes } = config;
  if (artifactDir === null) return null;
  return {
    rows: createStoredBuilds(artifactDir),
    dir: join(artifactDir, 'builds'),
    owner: ownerName(process.pid),
    ownerMayLive,
    check: (file) => checkBundle(file, { maxMemberBytes }),
    zombieSeconds: config.artifactZombieBuildTimeoutSeconds,
    onProblem: (message) => log.warn(message),
  };
}

/** The artifact store in SVC_ARTIFACT_DIR, collected according to its settings. */
function registryOf(config: Config, log: Logger): RegistryService {
  const dir = config.artifactDir;
  const stored = {
    protectedAliases: config.registryProtectedAliases,
    zombieSeconds: config.artifactZombieBuildTimeoutSeconds,
  };
  return createRegistryService(dir === null ? null : { dir, ...stored }, {
    intervalSeconds: config.artifactGcIntervalSeconds,
    limits: {
      maxIdleDays: config.artifactGcMaxIdleDays === 0 ? null : config.artifactGcMaxIdleDays,
      maxBytes: config.artifactGcMaxBytes === 0 ? null : config.artifactGcMaxBytes,
      minIdleSeconds: config.artifactGcMinIdleSeconds,
    },
    onProblem: (error) => log.error({ err: error }, 'sweeping the artifact store failed'),
  });
}

/**
 * The bucket whose signed URLs workers get; null: they use routes of this server (docs/spec/worker-protocol.md,
 * 5.4).
 */
function bucketOf(config: Config, log: Logger): BlobStore | null {
  const { place, why } = signingPlace(config);
  if (why !== null)
    log.warn(`SVC_ARTIFACT_PRESIGNED_URLS has no effect, so workers download from this server: ${why}.`);
  return place === null ? null : openBlobStore(place);
}

/** @throws ConfigError naming the entry that is not a worker */
function configuredWorkers({ transformsConfig }: Config): readonly ServerWorker[] {
  const workers = readServerWorkers(transformsConfig['notebook_workers']);
  if ('problem' in workers) {
    throw new ConfigError(`SVC_TRANSFORMS_CONFIG: ${workers.problem}`, 'SVC_TRANSFORMS_CONFIG');
  }
  return workers;
}

/** The catalogs that the server defines: the single configured one, if there is one, and those of SVC_CATALOGS. */
function serverCatalogs({ catalogName, catalogProperties, catalogs }: Config): Catalogs {
  const own = Object.keys(catalogProperties).length === 0 ? {} : { [catalogName]: catalogProperties };
  return { ...own, ...catalogs } as Catalogs; // checkConfig has verified that each is an object
}

/**
 * The variables that `${VAR}` in a connection may use besides the notebook's own: none of a shared server
 * (docs/spec/notebook-file.md, 3.6).
 */
function serverEnvOf({ deploymentMode }: Config): Readonly<Record<string, string | undefined>> {
  return deploymentMode === 'service' ? {} : process.env;
}

/** A token takes precedence over a machine identity; an incomplete identity is ignored. */
function infisicalCredential(config: Config): InfisicalCredential | null {
  const { notebookInfisicalToken: token } = config;
  if (token !== null) return { kind: 'token', token };
  const { notebookInfisicalClientId: clientId, notebookInfisicalClientSecret: clientSecret } = config;
  return clientId === null || clientSecret === null ? null : { kind: 'identity', clientId, clientSecret };
}

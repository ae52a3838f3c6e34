/** Owns the environment of an open notebook: runs jobs and syncs, and detects changes by other programs. */

import { randomUUID } from 'node:crypto';
import type { EnvironmentJob } from '../../../src-shared/wire/environment.ts';
import type { Diagnosis } from '../../../src-shared/wire/routes/environmentExtensions.ts';
import { diagnose } from '../../environment/diagnose.ts';
import { startJob } from '../../environment/environmentJob.ts';
import { type EnvironmentWork, isRWork, shownWork } from '../../environment/environmentWork.ts';
import { storeEarlierFiles } from '../../environment/folder/earlierFiles.ts';
import { type ProjectFiles, readProjectFiles } from '../../environment/folder/projectUndo.ts';
import { doImportedWork, previewImportedWork, unapprovedPackages } from '../../environment/importSync.ts';
import { loadJobHistory } from '../../environment/jobHistory.ts';
import { createLockMemory, type LockMemory } from '../../environment/lock/lockMemory.ts';
import type { WorkPreview } from '../../environment/previewWork.ts';
import { packageSources } from '../../environment/project/packageSources.ts';
import { createProjectWatch } from '../../environment/projectWatch.ts';
import { type RPackages, readRPackages } from '../../environment/r/rPackages.ts';
import { recoverR } from '../../environment/r/rStage.ts';
import type { RTools } from '../../environment/r/rTool.ts';
import {
  dependenciesOf,
  environmentOf,
  readEnvironment,
  statusAtOpen,
} from '../../environment/readEnvironment.ts';
import { createPackageSearch, type PackageSearch } from '../../environment/search/packageSearch.ts';
import { type Interpreter, presentEnvironment } from '../../environment/settleEnvironment.ts';
import { recoverEnvironment } from '../../environment/syncMarker.ts';
import { findPythons, namedMinors } from '../../environment/uv/findPythons.ts';
import { type FoundUv, resolveUv } from '../../environment/uv/resolveUv.ts';
import { recordEnvironment } from '../../environment/venv/hadEnvironment.ts';
import { environmentIdentity, venvDir } from '../../environment/venv/venv.ts';
import type { Executor } from '../../exec/executor.ts';
import type { NotebookFolder } from '../../notebook/folder/notebookFolder.ts';
import type { Logger } from '../../observe/log.ts';
import type { SessionFact } from '../state/events.ts';
import type { CurrentEnvironment, EnvironmentState } from '../state/state.ts';
import { createVenvWatch } from '../watch/venvWatch.ts';
import { createBackgroundWork } from './backgroundWork.ts';
import { createBytecodeWork } from './bytecodeWork.ts';
import {
  createJobRunner,
  environmentNow,
  type JobOutcome,
  type JobReporting,
  type OnText,
  outdatedEnvironment,
  packageKeysFrom,
} from './environmentJobs.ts';
import { needsRRestore, rOutcome, withRRestored } from './rJobs.ts';

/** The first cells of a new environment run before its bytecode is compiled, which takes a core for a while. */
const QUIET_MS = 2_000;
/**
 * A sync may download hundreds of megabytes; its progress is shown. A user, or closing the notebook, can
 * stop it.
 */
const WORK_TIMEOUT_MS = 600_000;

/** The environment of one open notebook: ready, or being synced in the background. */
export interface EnvironmentDriver {
  readonly initial: EnvironmentState;
  /**
   * Begins the sync the notebook needs, if any, and reports its progress as facts. Requires a trusted folder.
   */
  start(report: (fact: SessionFact) => void): void;
  /**
   * Adds a package to the development group as a separate job, after the current one. Its signal stops uv and
   * leaves the folder as it was. @returns the reason it failed; null on success
   */
  addDev(requirement: string, options: AddOptions): Promise<string | null>;
  /**
   * The environment as it is now, after the current job, if it is not the one with this interpreter; null if
   * it is. Costs a few file checks unless something was installed.
   */
  otherThan(interpreter: Interpreter): Promise<CurrentEnvironment | null>;
  /**
   * Syncs if another program changed pyproject.toml or uv.lock, so that no cell runs with outdated packages.
   * Null if there was nothing to do, which costs two file checks.
   */
  catchUp(): Promise<CurrentEnvironment | null>;
  /** The environment after another program changed those files, or reverted them; null: no change. */
  followFiles(): Promise<CurrentEnvironment | null>;
  /** Performs a job that the state already contains. `ticket`: the dispatch that waits for its end. */
  perform(job: AskedJob, report: (fact: SessionFact) => void): Promise<void>;
  /** Stops the current job, if any; it ends as cancelled and changes nothing. */
  cancel(): void;
  /** What a job would change; the folder itself is not changed. */
  preview(work: EnvironmentWork): Promise<WorkPreview>;
  /** Package search for the text a user types. */
  readonly search: PackageSearch;
  /** The packages of the R library; starts R. */
  rPackages(): Promise<RPackages>;
  /** Instructions for installing R if it is missing; null: R is installed. */
  whyNoR(): Promise<string | null>;
  /** Checks what the environment depends on; nothing is changed. */
  diagnose(options: { readonly trusted: boolean }): Promise<readonly Diagnosis['sections'][number][]>;
  /** Stops a running sync; the previous environment stays complete. */
  close(): Promise<void>;
}

interface AddOptions {
  readonly report: (fact: SessionFact) => void;
  readonly signal: AbortSignal;
}

interface AskedJob {
  readonly job: EnvironmentJob;
  readonly work: EnvironmentWork;
  readonly ticket: number | null;
}

/** The environments of a process: one uv, one list of interpreters, a driver per open notebook. */
export interface Environments {
  /**
   * Python minor versions of this machine, newest first, or the configured ones. Interpreters are started to
   * read their versions; with `starts` false their names must suffice, unless they were read before.
   */
  offeredVersions(options?: { readonly starts: boolean }): Promise<readonly string[]>;
  /** In an untrusted folder the environment is only read: nothing in it is started before `start`. */
  open(dir: NotebookFolder, options: EnvironmentOpening): Promise<EnvironmentDriver>;
  /**
   * The uv of this process, found or downloaded at the first call, and the environment variables for its
   * network access.
   */
  uv(): Promise<FoundUv>;
  toolEnv(): NodeJS.ProcessEnv;
  /** The system's proxies; the server's own environment variables take precedence. */
  setNetwork(variables: Readonly<Record<string, string>>): void;
  close(): Promise<void>;
}

interface EnvironmentOpening {
  /** Whether `start` may sync, and whether the existing interpreter runs cells. */
  readonly trusted: boolean;
  /** Whether to repair what a killed job left. */
  readonly repairs: boolean;
}

interface EnvironmentsOptions {
  readonly svcUv: string | null;
  readonly resourceDir: string | null;
  readonly cacheDir: string;
  /** SVC_NOTEBOOK_PYTHON_VERSIONS; null: the versions of the machine. */
  readonly pythonVersions: readonly string[] | null;
  readonly executor: Executor;
  readonly r: RTools;
  readonly log: Logger;
}

/** Creates the environments of one process. */
export function createEnvironments(options: EnvironmentsOptions): Environments {
  const stopping = new AbortController();
  const background = createBackgroundWork({ quietMs: QUIET_MS });
  let uv: Promise<FoundUv> | null = null;
  let looking: ReturnType<typeof findPythons> | null = null;
  let versions: readonly string[] | null = null;
  let network: Readonly<Record<string, string>> = {};
  const tools: DriverTools = {
    ...options,
    locks: createLockMemory(),
    env: () => ({ ...network, ...process.env }),
    rTools: () => ({ ...options.r, env: { ...network, ...options.r.env } }),
    uv: () => {
      uv ??= resolveUv({
        svcUv: options.svcUv,
        resourceDir: options.resourceDir,
        cacheDir: options.cacheDir,
        env: tools.env(),
        signal: stopping.signal,
      });
      return uv;
    },
    inBackground: (work, what) => background.add(work, (error) => options.log.warn({ err: error }, what)),
  };
  return {
    async offeredVersions({ starts } = { starts: true }) {
      if (options.pythonVersions !== null) return options.pythonVersions;
      if (!starts) return versions ?? namedMinors();
      // A second request may come while the first one is still reading.
      looking ??= findPythons().finally(() => {
        looking = null;
      });
      versions = (await looking).map((python) => python.minor);
      return versions;
    },
    open: (dir, opening) => openDriver(dir, tools, opening),
    uv: () => tools.uv(),
    toolEnv: () => tools.env(),
    setNetwork(variables) {
      network = variables;
    },
    async close() {
      stopping.abort();
      await background.close();
    },
  };
}

/** The job of a notebook that is being opened: its lock is installed as it is. */
const FIRST_SYNC: EnvironmentWork = { action: 'sync', isRequested: false };

interface Performed extends JobReporting {
  readonly job: EnvironmentJob;
  readonly work: EnvironmentWork;
  /** In addition to the signal that stops every job. */
  readonly signal?: AbortSignal;
}

/** What a job of R leaves unchanged. */
type Settled = Pick<EnvironmentState, 'environment' | 'interpreter' | 'r'>;

/** So that a user can restore the files from before the job. */
async function keepFiles(
  dir: NotebookFolder,
  job: { readonly jobId: string; readonly before: ProjectFiles; readonly history: readonly EnvironmentJob[] },
): Promise<void> {
  const { jobId, before, history } = job;
  const after = await readProjectFiles(dir);
  const isSame = before.project === after.project && before.lock === after.lock;
  if (isSame || !isWhole(before) || !isWhole(after)) return;
  await storeEarlierFiles(dir, { id: jobId, files: { before, after }, history: [{ id: jobId }, ...history] });
}

function isWhole(files: ProjectFiles): files is { readonly project: string; readonly lock: string } {
  return files.project !== null && files.lock !== null;
}

interface DriverTools extends EnvironmentsOptions {
  readonly locks: LockMemory;
  /** The environment variables of programs that use the network. */
  readonly env: () => NodeJS.ProcessEnv;
  readonly rTools: () => RTools;
  readonly uv: () => Promise<FoundUv>;
  readonly inBackground: (work: (signal: AbortSignal) => Promise<void>, what: string) => void;
}

async function openDriver(
  dir: NotebookFolder,
  tools: DriverTools,
  { trusted, repairs }: EnvironmentOpening,
): Promise<EnvironmentDriver> {
  if (repairs) {
    await recoverEnvironment(dir);
    await recoverR(dir);
  }
  const [facts, history] = await Promise.all([readEnvironment(dir), loadJobHistory(dir, { repairs })]);
  const status = statusAtOpen(facts);
  const isReady = status.syncState === 'ready';
  const needsSync = trusted && (!isReady || (await needsRRestore(dir, facts.r, tools.r)));
  const environment = environmentOf(facts, status);
  const newJob = (work: EnvironmentWork): EnvironmentJob =>
    startJob({ id: randomUUID(), now: Date.now(), ...shownWork(work) });
  const job = needsSync ? newJob(FIRST_SYNC) : null;
  const { dependencies, resolved } = dependenciesOf(facts);
  const interpreter =
    !isReady || !trusted || facts.venv === null
      ? null
      : { path: facts.venv.python, identity: await environmentIdentity(facts.venv.python, venvDir(dir)) };
  if (repairs && facts.venv !== null) await recordEnvironment(dir);
  const initial: EnvironmentState = {
    environment: job === null ? environment : { ...environment, sync_state: 'pending' },
    job,
    history,
    ...(await packageKeysFrom(dir, facts, interpreter)),
    dependencies,
    resolved,
    r: { facts: facts.r, error: null },
    interpreter,
    wanted: {
      sources: repairs ? [] : packageSources(facts.project, facts.lock?.text ?? null),
      waiting: await unapprovedPackages(dir, facts),
    },
  };
  const closing = new AbortController();
  const watch = createVenvWatch(dir);
  const project = createProjectWatch(dir);
  const bytecode = createBytecodeWork(dir, tools.inBackground);
  /** Ends everything that still uses the old environment before another replaces it. */
  const stopUsing = async (): Promise<void> => {
    if (settled.interpreter !== null) await tools.executor.retire(settled.interpreter);
    await bytecode.stop();
  };
  let current = new AbortController();
  let last: Promise<unknown> = Promise.resolve();
  let settled: Settled = initial;
  let now: CurrentEnvironment = initial;
  /** The content of the externally changed files that is already reported. */
  let reported: string | null = null;
  let tell: ((fact: SessionFact) => void) | null = null;
  const jobs = createJobRunner({ dir, log: tools.log, history, signal: closing.signal });
  /** One job at a time, in the order they were requested. */
  const perform = async ({
    job: request,
    work,
    signal: stopped,
    ...telling
  }: Performed): Promise<JobOutcome | Error> => {
    const turn = last.then(async () => {
      current = new AbortController();
      const stops = [closing.signal, current.signal, ...(stopped === undefined ? [] : [stopped])];
      const signal = AbortSignal.any(stops);
      const r = {
        dir,
        tools: tools.rTools(),
        signal,
        onText: (...args: Parameters<OnText>) => forwardText(...args),
      };
      let forwardText: OnText = () => undefined;
      const report = (fact: SessionFact): void => {
        if (fact.type === 'environment_settled') {
          settled = fact.environment;
          now = fact.environment;
          reported = null;
        }
        telling.report(fact);
      };
      const doing = async (onText: OnText): Promise<JobOutcome> => {
        forwardText = onText;
        if (isRWork(work)) return rOutcome(work, { ...r, before: settled });
        const before = await readProjectFiles(dir);
        await stopUsing();
        const outcome = await doImportedWork(work, {
          dir,
          uv: await tools.uv(),
          python: null,
          locks: tools.locks,
          env: tools.env(),
          signal,
          timeoutMs: WORK_TIMEOUT_MS,
          onText,
        });
        if (outcome.error === null)
          await keepFiles(dir, { jobId: request.id, before, history: jobs.history() });
        // A problem with R must not fail a job that was for Python.
        if (work.action !== 'sync') return { ...outcome, rError: settled.r.error };
        return withRRestored(outcome, { ...r, isAsked: work.isRequested });
      };
      const jobEnd = await jobs.run(request, { ...telling, report, work: doing });
      await project.tried();
      return jobEnd;
    });
    last = turn.catch(() => undefined); // reported to the caller; the next job runs all the same
    const turnEnd = await turn;
    if (!(turnEnd instanceof Error) && turnEnd.kind === 'ready' && turnEnd.ranUv) {
      bytecode.begin();
    }
    return turnEnd;
  };
  const followFiles = async (): Promise<CurrentEnvironment | null> => {
    await last;
    const { interpreter } = settled;
    if (interpreter === null || closing.signal.aborted) return null;
    const { facts, changed } = await project.look();
    const state = changed.length === 0 ? null : `${facts.project?.sha256} ${facts.lock?.sha256}`;
    if (state === reported) return null;
    reported = state;
    now =
      state === null
        ? await environmentNow(dir, await presentEnvironment(dir))
        : outdatedEnvironment(facts, { interpreter, changed });
    settled = { ...settled, environment: now.environment };
    return now;
  };
  return {
    initial,
    followFiles,
    async catchUp() {
      await last;
      if (settled.interpreter === null || tell === null || closing.signal.aborted) return null;
      if ((await project.look()).changed.length === 0) return reported === null ? null : followFiles();
      await perform({ job: newJob(FIRST_SYNC), work: FIRST_SYNC, report: tell });
      return now;
    },
    start(report) {
      tell = report;
      // An untrusted folder's environment is checked again: it may have been changed by hand since.
      const started = trusted ? job : newJob(FIRST_SYNC);
      if (started === null || closing.signal.aborted) return;
      perform({ job: started, work: FIRST_SYNC, report }).catch((error: unknown) =>
        tools.log.error({ err: error }, 'the first sync broke off'),
      );
    },
    async addDev(requirement, { report, signal }) {
      const stopped = AbortSignal.any([closing.signal, signal]);
      await settledOrAborted(last, stopped);
      if (stopped.aborted) return 'cancelled';
      const work = { action: 'add', requirements: [requirement], dev: true } as const;
      const jobEnd = await perform({ job: newJob(work), work, report, signal });
      return jobEnd instanceof Error ? jobEnd.message : jobEnd.error;
    },
    async otherThan(interpreter) {
      await last;
      if (await watch.isStill(interpreter)) return null;
      const present = await presentEnvironment(dir);
      if (present.interpreter?.identity === interpreter.identity) return null;
      now = await environmentNow(dir, present);
      settled = { ...settled, environment: now.environment, interpreter: now.interpreter };
      return now;
    },
    async perform({ job: request, work, ticket }, report) {
      const imported =
        work.action === 'import'
          ? { imported: { count: work.requirements.length, warnings: work.warnings } }
          : {};
      await perform({ job: request, work, report, ticket, isAnnounced: true, ...imported });
    },
    cancel: () => current.abort(),
    preview: async (work) =>
      previewImportedWork(work, { dir, uv: await tools.uv(), env: tools.env(), signal: closing.signal }),
    search: createPackageSearch({ dir, uv: tools.uv, env: tools.env, signal: closing.signal }),
    rPackages: () => readRPackages(dir, tools.rTools(), closing.signal),
    async whyNoR() {
      const rscript = await tools.r.find();
      return 'message' in rscript ? rscript.message : null;
    },
    diagnose: async ({ trusted: may }) =>
      diagnose({ dir, uv: await tools.uv(), cacheDir: tools.cacheDir, trusted: may }),
    async close() {
      closing.abort();
      await last;
    },
  };
}

/** After an abort the caller does not wait for the earlier job. */
function settledOrAborted(work: Promise<unknown>, signal: AbortSignal): Promise<unknown> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const settle = (): void => {
      signal.removeEventListener('abort', settle);
      resolve(undefined);
    };
    signal.addEventListener('abort', settle);
    work.then(settle, settle);
  });
}

import { randomUUID } from 'node:crypto';
import type { EnvironmentJob } from '../../src-shared/wire/environment.ts';
import { addDevPackage } from '../environment/addDevPackage.ts';
import { compileBytecode } from '../environment/compileBytecode.ts';
import { startJob } from '../environment/environmentJob.ts';
import { findPythons } from '../environment/findPythons.ts';
import { loadJobHistory } from '../environment/jobHistory.ts';
import { createLockMemory, type LockMemory } from '../environment/lockMemory.ts';
import { environmentOf, readEnvironment, statusAtOpen } from '../environment/readEnvironment.ts';
import { type FoundUv, resolveUv } from '../environment/resolveUv.ts';
import type { SyncOutcome } from '../environment/settleEnvironment.ts';
import { recoverEnvironment } from '../environment/swap.ts';
import { type SyncRequest, syncEnvironment } from '../environment/syncEnvironment.ts';
import { environmentIdentity, venvDir } from '../environment/venv.ts';
import type { Executor } from '../exec/executor.ts';
import type { Logger } from '../observe/log.ts';
import { createBackgroundWork } from './backgroundWork.ts';
import { createJobRunner, lockHashFrom, type OnText } from './environmentJobs.ts';
import type { SessionFact } from './events.ts';
import type { EnvironmentState } from './state.ts';

/** The first cells of a new environment run before its bytecode is compiled, which takes a core for a while. */
const QUIET_MS = 2_000;
/** A first sync may download hundreds of megabytes; its progress is shown and closing the notebook stops it. */
const SYNC_TIMEOUT_MS = 600_000;

/** What one open notebook's environment does: stands ready, or is brought up to date in the background. */
export interface EnvironmentDriver {
  readonly initial: EnvironmentState;
  /** Begins the sync the notebook needs, if any, and reports its course as facts. Not before the folder is trusted. */
  start(report: (fact: SessionFact) => void): void;
  /**
   * Adds a package to the development group as a job of its own, after one that is on. Its signal stops uv and
   * leaves the folder as it was.
   * @returns why it failed, in words; null when it is there
   */
  addDev(requirement: string, options: AddOptions): Promise<string | null>;
  /** Stops a sync under way; the environment that was there stays whole. */
  close(): Promise<void>;
}

export interface AddOptions {
  readonly report: (fact: SessionFact) => void;
  readonly signal: AbortSignal;
}

/** The environments of a process: one uv, one list of interpreters, a driver per open notebook. */
export interface Environments {
  /** Python minors of this machine, newest first, or what the configuration fixes. */
  offeredVersions(): Promise<readonly string[]>;
  /** An untrusted folder's environment is looked at and left alone: nothing of it is started before `start`. */
  open(dir: string, options: { readonly trusted: boolean }): Promise<EnvironmentDriver>;
  close(): Promise<void>;
}

export interface EnvironmentsOptions {
  readonly svcUv: string | null;
  readonly resourceDir: string | null;
  readonly cacheDir: string;
  /** SVC_NOTEBOOK_PYTHON_VERSIONS; null: what the machine has. */
  readonly pythonVersions: readonly string[] | null;
  readonly executor: Executor;
  readonly log: Logger;
}

export function createEnvironments(options: EnvironmentsOptions): Environments {
  const stopping = new AbortController();
  const background = createBackgroundWork({ quietMs: QUIET_MS });
  let uv: Promise<FoundUv> | null = null;
  const tools: DriverTools = {
    ...options,
    locks: createLockMemory(),
    uv: () => {
      uv ??= resolveUv({
        svcUv: options.svcUv,
        resourceDir: options.resourceDir,
        cacheDir: options.cacheDir,
        signal: stopping.signal,
      });
      return uv;
    },
    inBackground: (work, what) => background.add(work, (error) => options.log.warn({ err: error }, what)),
  };
  return {
    async offeredVersions() {
      return options.pythonVersions ?? (await findPythons()).map((python) => python.minor);
    },
    open: (dir, { trusted }) => openDriver(dir, tools, trusted),
    async close() {
      stopping.abort();
      await background.close();
    },
  };
}

interface DriverTools extends EnvironmentsOptions {
  readonly locks: LockMemory;
  readonly uv: () => Promise<FoundUv>;
  readonly inBackground: (work: (signal: AbortSignal) => Promise<void>, what: string) => void;
}

async function openDriver(dir: string, tools: DriverTools, trusted: boolean): Promise<EnvironmentDriver> {
  await recoverEnvironment(dir);
  const [facts, history] = await Promise.all([readEnvironment(dir), loadJobHistory(dir)]);
  const status = statusAtOpen(facts);
  const needsSync = status.syncState !== 'ready';
  const environment = environmentOf(facts, status);
  const newJob = (): EnvironmentJob =>
    startJob({ id: randomUUID(), action: 'sync', command: 'uv sync', package: null, now: Date.now() });
  const job = needsSync && trusted ? newJob() : null;
  const initial: EnvironmentState = {
    environment: job === null ? environment : { ...environment, sync_state: 'pending' },
    job,
    history,
    lockHash: lockHashFrom(facts),
    interpreter:
      needsSync || !trusted || facts.venv === null
        ? null
        : { path: facts.venv.python, identity: await environmentIdentity(facts.venv.python, venvDir(dir)) },
  };
  const stop = new AbortController();
  let running: Promise<unknown> = Promise.resolve();
  const jobs = createJobRunner({ dir, log: tools.log, history, signal: stop.signal });
  const request = async (onText: OnText): Promise<SyncRequest> => ({
    ...{ dir, uv: await tools.uv(), python: null, locks: tools.locks },
    ...{ signal: stop.signal, timeoutMs: SYNC_TIMEOUT_MS, onText },
  });
  const compiled = (ended: SyncOutcome | Error): void => {
    if (ended instanceof Error || ended.kind !== 'ready' || !ended.ranUv) return;
    tools.inBackground((stopped) => compileBytecode(dir, { signal: stopped }), 'compiling bytecode failed');
  };
  return {
    initial,
    start(report) {
      // What an untrusted folder brought is looked at anew: it may have been changed by hand since.
      const begun = trusted ? job : newJob();
      if (begun === null || stop.signal.aborted) return;
      const work = async (onText: OnText) => syncEnvironment(await request(onText));
      running = jobs.run(begun, { report, work }).then(compiled);
    },
    async addDev(requirement, { report, signal }) {
      const stopped = AbortSignal.any([stop.signal, signal]);
      await settledOrAborted(running, stopped);
      if (stopped.aborted) return 'cancelled';
      const command = `uv add --dev ${requirement}`;
      const begun = startJob({
        ...{ id: randomUUID(), action: 'add', command, package: requirement, now: Date.now() },
      });
      const work = async (onText: OnText) =>
        addDevPackage({ ...(await request(onText)), signal: stopped, requirement });
      const job = jobs.run(begun, { report, work });
      running = job;
      const ended = await job;
      compiled(ended);
      return ended instanceof Error ? ended.message : ended.error;
    },
    async close() {
      stop.abort();
      await running;
    },
  };
}

/** Whoever gives up does not wait for the job before. */
function settledOrAborted(work: Promise<unknown>, signal: AbortSignal): Promise<unknown> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const done = (): void => {
      signal.removeEventListener('abort', done);
      resolve(undefined);
    };
    signal.addEventListener('abort', done);
    work.then(done, done);
  });
}

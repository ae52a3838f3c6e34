import { randomUUID } from 'node:crypto';
import type { EnvironmentJob } from '../../src-shared/wire/environment.ts';
import { compileBytecode } from '../environment/compileBytecode.ts';
import { finishJob, startJob, withText } from '../environment/environmentJob.ts';
import { findPythons } from '../environment/findPythons.ts';
import { loadJobHistory, saveJobHistory, withFinished } from '../environment/jobHistory.ts';
import { createLockMemory, type LockMemory } from '../environment/lockMemory.ts';
import {
  type EnvironmentFacts,
  environmentOf,
  readEnvironment,
  statusAtOpen,
} from '../environment/readEnvironment.ts';
import { type FoundUv, resolveUv } from '../environment/resolveUv.ts';
import type { SyncOutcome } from '../environment/settleEnvironment.ts';
import { recoverEnvironment } from '../environment/swap.ts';
import { syncEnvironment } from '../environment/syncEnvironment.ts';
import { environmentIdentity, venvDir } from '../environment/venv.ts';
import type { Executor } from '../exec/executor.ts';
import type { Logger } from '../observe/log.ts';
import { lockHashOf } from '../run/provenance.ts';
import { createBackgroundWork } from './backgroundWork.ts';
import type { SessionFact } from './events.ts';
import type { EnvironmentState } from './state.ts';

/** Job output travels in frames of this many milliseconds at the least. */
const PROGRESS_MS = 100;
/** The first cells of a new environment run before its bytecode is compiled, which takes a core for a while. */
const QUIET_MS = 2_000;
/** A first sync may download hundreds of megabytes; its progress is shown and closing the notebook stops it. */
const SYNC_TIMEOUT_MS = 600_000;

/** What one open notebook's environment does: stands ready, or is brought up to date in the background. */
export interface EnvironmentDriver {
  readonly initial: EnvironmentState;
  /** Begins the sync the notebook needs, if any, and reports its course as facts. Not before the folder is trusted. */
  start(report: (fact: SessionFact) => void): void;
  /** Stops a sync under way; the environment that was there stays whole. */
  close(): Promise<void>;
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
  let running: Promise<void> = Promise.resolve();
  return {
    initial,
    start(report) {
      // What an untrusted folder brought is looked at anew: it may have been changed by hand since.
      const begun = trusted ? job : newJob();
      if (begun === null || stop.signal.aborted) return;
      report({ type: 'environment_job_changed', job: begun, started: true });
      running = sync({ dir, tools, job: begun, history, report, signal: stop.signal });
    },
    async close() {
      stop.abort();
      await running;
    },
  };
}

function lockHashFrom(facts: EnvironmentFacts): string {
  return lockHashOf(facts.lock?.digest ?? null, null);
}

interface Sync {
  readonly dir: string;
  readonly tools: DriverTools;
  readonly job: EnvironmentJob;
  readonly history: readonly EnvironmentJob[];
  readonly report: (fact: SessionFact) => void;
  readonly signal: AbortSignal;
}

/** One sync job from its start to its settled environment; whatever fails becomes part of the job. */
async function sync({ dir, tools, job, history, report, signal }: Sync): Promise<void> {
  let current = job;
  let shownAt = 0;
  const outcome = await syncEnvironment({
    dir,
    uv: await tools.uv(),
    python: null,
    locks: tools.locks,
    signal,
    timeoutMs: SYNC_TIMEOUT_MS,
    onText(stream, text) {
      current = withText(current, stream, text);
      const now = Date.now();
      if (now - shownAt < PROGRESS_MS) return;
      shownAt = now;
      report({ type: 'environment_job_changed', job: current, started: false });
    },
  }).catch((error: unknown) => failureOf(error, tools));
  const finished = finishJob(current, {
    error: outcome instanceof Error ? outcome.message : outcome.error,
    lockfileChanged: outcome instanceof Error ? false : outcome.lockfileChanged,
    staleCellIds: [],
    now: Date.now(),
  });
  const jobs = withFinished(history, finished);
  const facts = outcome instanceof Error ? await readEnvironment(dir) : outcome.facts;
  report({ type: 'environment_settled', environment: settledState({ outcome, facts, jobs }) });
  if (!signal.aborted) await saveJobHistory(dir, jobs);
  if (!(outcome instanceof Error) && outcome.kind === 'ready' && outcome.ranUv) {
    tools.inBackground((stopped) => compileBytecode(dir, { signal: stopped }), 'compiling bytecode failed');
  }
}

/** A sync that broke instead of ending: a full disk, a folder taken away. Said in the job, kept in the log. */
function failureOf(error: unknown, tools: DriverTools): Error {
  const failure = error instanceof Error ? error : new Error(String(error));
  tools.log.error({ err: failure }, 'an environment sync broke off');
  return failure;
}

function settledState(ended: {
  readonly outcome: SyncOutcome | Error;
  readonly facts: EnvironmentFacts;
  readonly jobs: readonly EnvironmentJob[];
}): EnvironmentState {
  const { outcome, facts, jobs } = ended;
  const common = { job: null, history: jobs, lockHash: lockHashFrom(facts) };
  if (outcome instanceof Error) {
    const status = statusAtOpen(facts);
    const environment = environmentOf(facts, { ...status, syncState: 'failed', syncError: outcome.message });
    return { ...common, environment, interpreter: null };
  }
  return { ...common, environment: outcome.environment, interpreter: outcome.interpreter };
}

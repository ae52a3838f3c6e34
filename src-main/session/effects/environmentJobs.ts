/** Runs the environment jobs of a session (uv, and renv for R), and reports the environment that each leaves. */

import type { EnvironmentJob } from '../../../src-shared/wire/environment.ts';
import { finishJob, inPhase, type WorkingPhase, withText } from '../../environment/environmentJob.ts';
import { unapprovedPackages } from '../../environment/importSync.ts';
import { saveJobHistory, withFinished } from '../../environment/jobHistory.ts';
import { requiresPython } from '../../environment/lock/lockDigest.ts';
import { isUnchangedSinceSync, packagesDigest } from '../../environment/lock/packagesDigest.ts';
import {
  dependenciesOf,
  type EnvironmentFacts,
  type EnvironmentStatus,
  environmentOf,
  readEnvironment,
} from '../../environment/readEnvironment.ts';
import {
  type EnvironmentSnapshot,
  type Interpreter,
  NO_LOG,
  outcomeOfAttempt,
  type SyncOutcome,
} from '../../environment/settleEnvironment.ts';
import { recoverEnvironment } from '../../environment/syncMarker.ts';
import type { ToolStream } from '../../environment/uv/runTool.ts';
import { installedPackages } from '../../environment/venv/installedPackages.ts';
import { venvDir } from '../../environment/venv/venv.ts';
import type { NotebookFolder } from '../../notebook/folder/notebookFolder.ts';
import type { Logger } from '../../observe/log.ts';
import type { KnownPackages } from '../../run/observed/knownPackages.ts';
import { lockHashOf, subkey } from '../../run/provenance.ts';
import type { SessionFact } from '../state/events.ts';
import type { CurrentEnvironment, EnvironmentState } from '../state/state.ts';

/** Minimum interval between frames with job output, in milliseconds. */
const PROGRESS_MS = 100;

/** The message of a job that a user stopped. */
export const CANCELLED = 'Cancelled. The environment and its files did not change.';

export type OnText = (stream: ToolStream, text: string) => void;

/** How a job ended, including R's part. */
export interface JobOutcome extends SyncOutcome {
  /** Why R's part failed; null: it succeeded, or there was nothing to do. */
  readonly rError: string | null;
}

type Work = (onText: OnText) => Promise<JobOutcome>;

/** How to report the end of a job, and the results that the job itself does not contain. */
export interface JobReporting {
  readonly report: (fact: SessionFact) => void;
  /** Whether the job is in the state already, and all clients have it. */
  readonly isAnnounced?: boolean;
  /** The dispatch that waits for the end; null: none. */
  readonly ticket?: number | null;
  /** Results of an import. */
  readonly imported?: { readonly count: number; readonly warnings: readonly string[] };
}

/**
 * Runs the environment jobs of one notebook and reports their progress as facts; their history is on disk.
 */
interface JobRunner {
  /** The finished jobs, newest first. */
  history(): readonly EnvironmentJob[];
  /** Failures become part of the job. */
  run(job: EnvironmentJob, options: JobReporting & { readonly work: Work }): Promise<JobOutcome | Error>;
}

/** Creates the runner of one session's environment jobs. */
export function createJobRunner(options: {
  readonly dir: NotebookFolder;
  readonly log: Logger;
  readonly history: readonly EnvironmentJob[];
  readonly signal: AbortSignal;
}): JobRunner {
  const { dir, log, signal } = options;
  let history = options.history;
  return {
    history: () => history,
    async run(job, { report, work, isAnnounced = false, ticket = null, imported }) {
      let current = job;
      let shownAt = 0;
      if (!isAnnounced) report({ type: 'environment_job_changed', job, started: true });
      const onText: OnText = (stream, text) => {
        current = withText(current, stream, text);
        const now = Date.now();
        if (now - shownAt < PROGRESS_MS) return;
        shownAt = now;
        report({ type: 'environment_job_changed', job: current, started: false });
      };
      const outcome = await work(onText).catch((error: unknown) => failureOf(error, log));
      // What the reducer does at the end, in the documented order (docs/spec/rest-notebooks.md, 2.6).
      for (const phase of phasesAfter(job.action)) {
        current = inPhase(current, phase);
        report({ type: 'environment_job_changed', job: current, started: false });
      }
      const finished = finishJob(current, {
        error:
          outcome instanceof Error
            ? outcome.message
            : outcome.kind === 'cancelled'
              ? CANCELLED
              : outcome.error,
        lockfileChanged: outcome instanceof Error ? false : outcome.lockfileChanged,
        staleCellIds: [],
        now: Date.now(),
      });
      history = withFinished(history, finished);
      if (outcome instanceof Error) {
        // Undoes what the job had started, as far as the disk allows; the next job or opening completes it.
        await recoverEnvironment(dir).catch((error: unknown) =>
          log.error({ err: error }, 'a failed job could not be undone'),
        );
      }
      const facts = outcome instanceof Error ? await readEnvironment(dir) : outcome.facts;
      report({
        type: 'environment_settled',
        environment: await settledState({ dir, outcome, facts, jobs: history }),
        ticket,
        ...(imported === undefined ? {} : { imported }),
      });
      if (!signal.aborted) await saveJobHistory(dir, history);
      return outcome;
    },
  };
}

/** The phases between the command and the end. */
function phasesAfter(action: EnvironmentJob['action']): readonly WorkingPhase[] {
  return [
    ...(action === 'import' ? (['preparing_import'] as const) : []),
    ...(action === 'sync' ? [] : (['refreshing_runtime'] as const)),
    'invalidating_warm_pool',
    'recomputing_staleness',
    'starting_warm_pool',
  ];
}

/**
 * The packages' part of the keys: for cells that run here, and for cells on workers, which build the lock's
 * packages.
 */
function lockHashesFrom(
  facts: EnvironmentFacts,
  interpreter: EnvironmentState['interpreter'],
): Pick<EnvironmentState, 'lockHash' | 'workerLockHash'> {
  const r = facts.r.lock?.text ?? null;
  return {
    lockHash: lockHashOf(packagesDigest(facts, interpreter), r),
    workerLockHash: lockHashOf(facts.lock?.digest ?? null, r),
  };
}

/** The packages' part of the keys with the list of installed packages, for results that depend only on some of them. */
export async function packageKeysFrom(
  dir: NotebookFolder,
  facts: EnvironmentFacts,
  interpreter: EnvironmentState['interpreter'],
): Promise<Pick<EnvironmentState, 'lockHash' | 'workerLockHash' | 'packages'>> {
  return { ...lockHashesFrom(facts, interpreter), packages: await knownPackages(dir, facts, interpreter) };
}

/** The environment after another program changed it. */
export async function environmentNow(
  dir: NotebookFolder,
  { environment, facts, interpreter }: EnvironmentSnapshot,
): Promise<CurrentEnvironment> {
  const keys = await packageKeysFrom(dir, facts, interpreter);
  return { environment, interpreter, ...keys, ...dependenciesOf(facts) };
}

/**
 * The environment while external changes to its files are not synced yet: the installed packages differ from
 * the lock, so only the lock is part of the keys until a sync.
 */
export function outdatedEnvironment(
  facts: EnvironmentFacts,
  { interpreter, changed }: { readonly interpreter: Interpreter; readonly changed: readonly string[] },
): CurrentEnvironment {
  const names = changed.join(' and ');
  const status: EnvironmentStatus = {
    syncState: 'ready',
    syncError: null,
    syncNotice: `Another program changed ${names}. Sync the environment to install the notebook’s current packages. The next cell run does this, too.`,
    runsOn: { source: 'venv', version: facts.venv?.version ?? '' },
  };
  const lockHash = lockHashOf(facts.lock?.digest ?? null, facts.r.lock?.text ?? null);
  const keys = { lockHash, workerLockHash: lockHash, packages: null };
  return { environment: environmentOf(facts, status), interpreter, ...keys, ...dependenciesOf(facts) };
}

async function knownPackages(
  dir: NotebookFolder,
  { lock, venv, r }: EnvironmentFacts,
  interpreter: EnvironmentState['interpreter'],
): Promise<KnownPackages | null> {
  if (interpreter === null || venv === null || !isUnchangedSinceSync(venv)) return null;
  const installed = await installedPackages(venvDir(dir), venv.installed);
  if (installed === null) return null;
  const python = [venv.version, requiresPython(lock?.text ?? ''), process.platform, process.arch];
  return { installed, fixed: subkey('packages', ...python, installed.base, r.lock?.text ?? '') };
}

/**
 * A sync that broke instead of ending: a full disk, a removed folder. Reported in the job, recorded in the
 * log.
 */
function failureOf(error: unknown, log: Logger): Error {
  const failure = error instanceof Error ? error : new Error(String(error));
  log.error({ err: failure }, 'an environment sync broke off');
  return failure;
}

async function settledState(jobEnd: {
  readonly dir: NotebookFolder;
  readonly outcome: JobOutcome | Error;
  readonly facts: EnvironmentFacts;
  readonly jobs: readonly EnvironmentJob[];
}): Promise<EnvironmentState> {
  const { dir, outcome, facts, jobs } = jobEnd;
  const { dependencies, resolved } = dependenciesOf(facts);
  const r = { facts: facts.r, error: outcome instanceof Error ? null : outcome.rError };
  const packages = { sources: [], waiting: await unapprovedPackages(dir, facts) };
  const common = { job: null, history: jobs, dependencies, resolved, r, wanted: packages };
  if (outcome instanceof Error) {
    // The previous environment still exists and runs the cells (docs/spec/rest-notebooks.md, 2.5).
    const { environment, interpreter } = await outcomeOfAttempt(
      { dir, python: null },
      {
        before: facts,
        durationMs: 0,
        attempt: { kind: 'failed', error: outcome.message, ranUv: false, log: NO_LOG },
      },
    );
    return { ...common, ...(await packageKeysFrom(dir, facts, interpreter)), environment, interpreter };
  }
  const { environment, interpreter } = outcome;
  return { ...common, ...(await packageKeysFrom(dir, facts, interpreter)), environment, interpreter };
}

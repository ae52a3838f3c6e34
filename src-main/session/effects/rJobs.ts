import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { AskedRWork } from '../../environment/environmentWork.ts';
import type { RFacts } from '../../environment/r/rFacts.ts';
import type { RTools } from '../../environment/r/rTool.ts';
import { doRWork, type REnd, type RRequest } from '../../environment/r/rWork.ts';
import { readEnvironment } from '../../environment/readEnvironment.ts';
import { NO_LOG, type SyncOutcome } from '../../environment/settleEnvironment.ts';
import type { EnvironmentState } from '../state/state.ts';
import { CANCELLED, type JobOutcome } from './environmentJobs.ts';

/** R's part of a notebook's environment jobs: beside uv's, which it leaves alone. */

/** Whether a notebook that is opened has R cells, a lock of renv and no library that fits it, and R to make one. */
export async function needsRRestore(dir: string, facts: RFacts, tools: RTools): Promise<boolean> {
  if (facts.lock?.content == null || facts.libraries.some(({ fits }) => fits)) return false;
  if ('words' in (await tools.find())) return false;
  return hasRCells(dir);
}

/** A job that is R's alone. The Python of before stays what it was. */
export async function rOutcome(
  work: AskedRWork,
  request: RRequest & { readonly before: Pick<EnvironmentState, 'environment' | 'interpreter' | 'r'> },
): Promise<JobOutcome> {
  const started = performance.now();
  const { before } = request;
  const end = await doRWork(work, request);
  return {
    kind: end.kind === 'done' ? 'ready' : end.kind,
    environment: before.environment,
    interpreter: before.interpreter,
    facts: await readEnvironment(request.dir),
    // Told by the reducer, which knows the lock of before.
    lockfileChanged: false,
    error: errorOf(end),
    ranUv: false,
    durationMs: Math.round(performance.now() - started),
    log: NO_LOG,
    rError: end.kind === 'done' ? null : before.r.error,
  };
}

/**
 * The same sync, R's library restored where the notebook has a lock of renv (rest-notebooks 3, 4, open). A failure of R
 * fails the job and leaves Python ready; without R the notebook says so, and the job does not.
 */
export async function withRRestored(
  outcome: SyncOutcome,
  request: RRequest & { readonly isAsked: boolean },
): Promise<JobOutcome> {
  const { dir, tools, isAsked, onText, signal } = request;
  const { lock, libraries } = outcome.facts.r;
  const isThere = libraries.some(({ fits }) => fits);
  const isNeeded = lock !== null && (isAsked || (!isThere && (await hasRCells(dir))));
  const isOver = outcome.kind === 'cancelled' || signal?.aborted === true;
  if (!isNeeded || isOver || 'words' in (await tools.find())) return { ...outcome, rError: null };
  onText?.('stdout', 'renv::restore()\n');
  const end = await doRWork({ action: 'r_restore' }, request);
  const error = errorOf(end);
  const facts = await readEnvironment(dir);
  return {
    ...outcome,
    facts,
    error: outcome.error ?? (error === null ? null : `R: ${error}`),
    rError: error,
  };
}

function errorOf(end: REnd): string | null {
  if (end.kind === 'done') return null;
  return end.kind === 'failed' ? end.error : CANCELLED;
}

async function hasRCells(dir: string): Promise<boolean> {
  const names = await readdir(join(dir, 'cells')).catch(() => []);
  return names.some((name) => name.toLowerCase().endsWith('.r'));
}

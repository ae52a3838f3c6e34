/** Runs the R part of a notebook's environment jobs: restores and changes its renv library. */

import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { RequestedRWork } from '../../environment/environmentWork.ts';
import type { RFacts } from '../../environment/r/rFacts.ts';
import type { RTools } from '../../environment/r/rTool.ts';
import { doRWork, type REnd, type RRequest } from '../../environment/r/rWork.ts';
import { readEnvironment } from '../../environment/readEnvironment.ts';
import { NO_LOG, type SyncOutcome } from '../../environment/settleEnvironment.ts';
import type { NotebookFolder } from '../../notebook/folder/notebookFolder.ts';
import type { EnvironmentState } from '../state/state.ts';
import { CANCELLED, type JobOutcome } from './environmentJobs.ts';

/**
 * Whether an opened notebook needs its R library restored: it has R cells and an renv lock, the library does not match
 * the lock, and R is installed to restore it.
 */
export async function needsRRestore(dir: NotebookFolder, facts: RFacts, tools: RTools): Promise<boolean> {
  if (facts.lock?.content == null || facts.libraries.some(({ fits }) => fits)) return false;
  if ('message' in (await tools.find())) return false;
  return hasRCells(dir);
}

/** A job for R alone. The Python environment does not change. */
export async function rOutcome(
  work: RequestedRWork,
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
    // Set by the reducer, which has the previous lock.
    lockfileChanged: false,
    error: errorOf(end),
    ranUv: false,
    durationMs: Math.round(performance.now() - started),
    log: NO_LOG,
    rError: end.kind === 'done' ? null : before.r.error,
  };
}

/**
 * A sync of Python that also restores R's library if the notebook has an renv lock (docs/spec/rest-notebooks.md, 3, 4,
 * open). A failure of R fails the job and leaves Python ready; without R the notebook reports that, and the job does
 * not fail.
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
  if (!isNeeded || isOver || 'message' in (await tools.find())) return { ...outcome, rError: null };
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

async function hasRCells(dir: NotebookFolder): Promise<boolean> {
  const names = await readdir(join(dir, 'cells')).catch(() => []);
  return names.some((name) => name.toLowerCase().endsWith('.r'));
}

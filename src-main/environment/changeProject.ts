/** Changes the Python requirements of a notebook's project and rebuilds its environment; both change, or neither. */

import { readProjectFiles, writeProjectFiles } from './folder/projectUndo.ts';
import { pythonFor } from './managedPython.ts';
import { editProject, type ProjectEdit } from './project/projectEdit.ts';
import { readEnvironment } from './readEnvironment.ts';
import { type Attempt, NO_LOG, outcomeOfAttempt, type SyncOutcome } from './settleEnvironment.ts';
import { type SyncRequest, syncRecovered } from './syncEnvironment.ts';
import { markSyncEnded, markSyncStarted, recoverEnvironment } from './syncMarker.ts';

type Request = Omit<SyncRequest, 'lock' | 'force' | 'undo' | 'python'> & { readonly edit: ProjectEdit };

/** Limit for resolving; the rest of the job has its own. A limit of the job also limits the edit. */
const EDIT_MS = 120_000;

/**
 * Changes the requirements in the notebook's project and builds the environment for it, beside the old one. The files
 * and the environment change together: after a failure, a cancellation or a kill all three are as before
 * (docs/spec/rest-notebooks.md, 6 and 2.6). Changes that others make to the project file meanwhile are kept.
 */
export async function changeProject(request: Request): Promise<SyncOutcome> {
  const { dir, edit, uv, signal } = request;
  const started = performance.now();
  await recoverEnvironment(dir);
  const facts = await readEnvironment(dir);
  const before = await readProjectFiles(dir);
  const env = request.env ?? process.env;
  const timeoutMs = request.timeoutMs ?? EDIT_MS;
  const requiresPython = pythonAfter(edit, facts.project?.requiresPython ?? '');
  const base = await pythonFor({ requiresPython, uv, env, timeoutMs, signal, onText: request.onText });
  await markSyncStarted(dir, before, { isEdit: true });
  const failure =
    base.kind === 'python'
      ? await editProject(edit, {
          dir,
          uv,
          env,
          signal,
          python: base.python,
          timeoutMs: remainingMs(timeoutMs, started),
          onText: request.onText ?? (() => undefined),
        })
      : { ...base, ranUv: uv.kind === 'found' };
  if (failure === null) {
    const remaining =
      request.timeoutMs === undefined ? {} : { timeoutMs: remainingMs(request.timeoutMs, started) };
    const undo = { before, after: await readProjectFiles(dir) };
    const outcome = await syncRecovered({
      ...request,
      ...remaining,
      python: null,
      lock: 'update',
      force: true,
      undo,
    });
    // The sync started from the lock that the edit wrote, so compare with the one before the edit.
    return { ...outcome, lockfileChanged: (outcome.facts.lock?.text ?? null) !== before.lock };
  }
  await writeProjectFiles(dir, before);
  await markSyncEnded(dir);
  const attempt: Attempt = { ...failure, log: NO_LOG };
  return outcomeOfAttempt(
    { dir, python: null, env },
    { attempt, before: facts, durationMs: performance.now() - started },
  );
}

function pythonAfter(edit: ProjectEdit, now: string): string {
  return edit.kind === 'python' ? `==${edit.minor}.*` : now;
}

function remainingMs(timeoutMs: number, started: number): number {
  return Math.max(1, timeoutMs - (performance.now() - started));
}

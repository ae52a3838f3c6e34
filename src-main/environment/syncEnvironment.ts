/**
 * Builds a notebook's `.venv` beside the old one and swaps it in, if that is needed (docs/spec/rest-notebooks.md, 2.5,
 * 2.6). The old environment stays complete until the new one is finished: nothing is lost by a failure, a cancellation,
 * a timeout or a kill of this process or of uv. One sync at a time per notebook, under its writer lock.
 */

import { randomBytes } from 'node:crypto';
import { removeDurably } from '../lib/guardedFolder/names.ts';
import { placeIn } from '../lib/guardedFolder/place.ts';
import { replaceFile } from '../lib/guardedFolder/replace.ts';
import type { NotebookFolder } from '../notebook/folder/notebookFolder.ts';
import { appendText, NO_TEXT } from './boundedText.ts';
import { type ProjectUndo, undoEdit } from './folder/projectUndo.ts';
import { lockMisfit } from './lock/lockFit.ts';
import type { LockMemory } from './lock/lockMemory.ts';
import { parseLock } from './lock/lockText.ts';
import { type PythonAnswer, pythonFor } from './managedPython.ts';
import { refusedPlace } from './project/checkPlaces.ts';
import { configuredVersion, type EnvironmentFacts, readEnvironment } from './readEnvironment.ts';
import { type Attempt, NO_LOG, outcomeOfAttempt, type SyncOutcome } from './settleEnvironment.ts';
import { markSyncEnded, markSyncStarted, recoverEnvironment } from './syncMarker.ts';
import type { Python } from './uv/findPythons.ts';
import { replaceVenv, rollBackVenv } from './uv/replaceVenv.ts';
import type { FoundUv } from './uv/resolveUv.ts';
import type { ToolStream } from './uv/runTool.ts';
import { type UvEnd, uvFailure } from './uv/uvFailure.ts';
import { buildStaged } from './uv/uvSync.ts';
import { installedDigest, writeMarker } from './venv/venv.ts';
import { stagedVenv } from './venv/venvPlaces.ts';

export interface SyncRequest {
  readonly dir: NotebookFolder;
  readonly uv: FoundUv;
  /** The interpreter to build with; null: the newest of this machine that `requires-python` admits. */
  readonly python: Python | null;
  readonly signal?: AbortSignal;
  readonly onText?: (stream: ToolStream, text: string) => void;
  readonly timeoutMs?: number;
  /**
   * `keep`: an existing uv.lock is installed unchanged, a missing one is created; no other committed file changes.
   * `update`: a lock older than pyproject.toml is updated (the user requested a sync).
   */
  readonly lock?: 'keep' | 'update';
  /** Rebuilds the environment even when it is up to date. */
  readonly force?: boolean;
  readonly env?: NodeJS.ProcessEnv;
  /** Where to look for a missing lock before uv asks the package index. */
  readonly locks?: LockMemory;
  /** The project's files were edited for this sync: after a failure the edit is undone. */
  readonly undo?: ProjectUndo;
}

const TIMEOUT_MS = 60_000;

export async function syncEnvironment(request: SyncRequest): Promise<SyncOutcome> {
  await recoverEnvironment(request.dir);
  return syncRecovered(request);
}

/**
 * Syncs like `syncEnvironment`, for a caller that has already called `recoverEnvironment`, and may have started an edit
 * since.
 */
export async function syncRecovered(request: SyncRequest): Promise<SyncOutcome> {
  const started = performance.now();
  const before = await readEnvironment(request.dir);
  const isCurrent = before.venv?.upToDate === true && request.force !== true && fitsRequest(request, before);
  const mismatch = before.project && before.lock ? lockMisfit(before.project, before.lock.text) : null;
  const lockIsKept = request.lock !== 'update' || mismatch === null;
  const attempt: Attempt =
    isCurrent && lockIsKept
      ? { kind: 'ready', notice: mismatch, ranUv: false, log: NO_LOG }
      : await trySync(request, { before, mismatch, started });
  return outcomeOfAttempt(request, { attempt, before, durationMs: Math.round(performance.now() - started) });
}

function fitsRequest({ python }: SyncRequest, { venv }: EnvironmentFacts): boolean {
  return python === null || venv?.version === python.version;
}

interface SyncContext {
  readonly before: EnvironmentFacts;
  readonly mismatch: string | null;
  /** As returned by `performance.now()`. */
  readonly started: number;
}

async function trySync(request: SyncRequest, context: SyncContext): Promise<Attempt> {
  const { project, lock } = context.before;
  const notTried = (kind: 'unreachable' | 'failed', error: string): Attempt => ({
    kind,
    error,
    ranUv: false,
    log: NO_LOG,
  });
  if (project === null) return notTried('unreachable', 'The notebook has no pyproject.toml.');
  if (project.problem !== null) return notTried('failed', project.problem);
  const placeProblem = refusedPlace(request.dir, 'python');
  if (placeProblem !== null) return notTried('failed', placeProblem);
  if (request.uv.kind === 'missing') return notTried('unreachable', request.uv.message);
  const { dir } = request;
  const id = randomBytes(4).toString('hex');
  const { undo } = request;
  if (undo === undefined) await markSyncStarted(dir, { project: null, lock: lock?.text ?? null });
  else await markSyncStarted(dir, undo.before, { isEdit: true, after: undo.after });
  // uv would stop at an unreadable lock; after a failure it is restored.
  if (request.lock === 'update' && lock !== null && parseLock(lock.text) === null) {
    await removeDurably(placeIn(dir, 'uv.lock'));
  }
  const rememberedLock =
    lock === null && request.lock !== 'update' ? (request.locks?.recall(project.table) ?? null) : null;
  if (rememberedLock !== null) await replaceFile(placeIn(dir, 'uv.lock'), rememberedLock);
  const log = { stdout: NO_TEXT, stderr: NO_TEXT };
  const timeoutMs = request.timeoutMs ?? TIMEOUT_MS;
  const tool = {
    env: request.env ?? process.env,
    signal: request.signal,
    onText: (stream: ToolStream, text: string): void => {
      log[stream] = appendText(log[stream], text);
      request.onText?.(stream, text);
    },
  };
  const { requiresPython } = project;
  const base: PythonAnswer =
    request.python === null
      ? await pythonFor({ ...tool, requiresPython, uv: request.uv, timeoutMs })
      : { kind: 'python', python: request.python, fetched: false };
  const frozen = lock !== null && request.lock !== 'update';
  const outcome =
    base.kind === 'python'
      ? problemOf(
          await buildStaged({
            ...tool,
            dir,
            uv: request.uv.path,
            id,
            python: base.python,
            frozen,
            timeoutMs: Math.max(1, timeoutMs - (performance.now() - context.started)),
          }),
          timeoutMs,
        )
      : base;
  const failure =
    outcome ??
    (await putInPlace(request, {
      id,
      context,
      frozen,
      resolved: rememberedLock === null,
      notice: context.mismatch,
    }));
  if (failure !== null) {
    await rollBackVenv({ dir, id }, () =>
      undo === undefined ? restoreLock(dir, lock?.text ?? null) : undoEdit(dir, undo),
    );
  }
  await markSyncEnded(dir);
  if (failure !== null) return { ...failure, ranUv: true, log };
  return { kind: 'ready', notice: request.lock === 'update' ? null : context.mismatch, ranUv: true, log };
}

interface Failure {
  readonly kind: 'unreachable' | 'failed' | 'cancelled';
  readonly error: string;
}

function problemOf({ end, stderr }: UvEnd, timeoutMs: number): Failure | null {
  switch (end.kind) {
    case 'cancelled':
      return { kind: 'cancelled', error: 'cancelled' };
    case 'timeout':
      return { kind: 'failed', error: `uv did not finish within ${Math.round(timeoutMs / 1000)} s.` };
    case 'unstartable':
      return { kind: 'unreachable', error: `uv cannot be started: ${end.message}.` };
    case 'exited': {
      if (end.code === 0) return null;
      const killedNote = end.code > 128 ? `uv was killed (exit code ${end.code}). ` : '';
      const { kind, error } = uvFailure(stderr);
      const reason = `${killedNote}${error}`.trim();
      return { kind, error: reason === '' ? `uv ended with exit code ${end.code}.` : reason };
    }
  }
}

interface Finished {
  readonly id: string;
  readonly context: SyncContext;
  /** False: the lock was recalled, and its use does not extend the time it is remembered. */
  readonly resolved: boolean;
  readonly notice: string | null;
  /** uv used the lock unchanged. */
  readonly frozen: boolean;
}

/** Marks the staged environment as complete, moves it into place and starts its interpreter there once. */
async function putInPlace(
  request: SyncRequest,
  { id, context, resolved, notice, frozen }: Finished,
): Promise<Failure | null> {
  const { dir } = request;
  if (request.signal?.aborted) return { kind: 'cancelled', error: 'cancelled' };
  const staged = stagedVenv(dir, id);
  const { project, lock } = await readEnvironment(dir);
  // With a frozen lock the environment was made from the lock before the sync, even if the file was changed since.
  const usedLock = frozen ? context.before.lock : lock;
  await writeMarker(staged, {
    id,
    // What uv read: an edit that was made meanwhile then counts as a difference.
    pyprojectSha256: context.before.project?.sha256 ?? project?.sha256 ?? '',
    lockSha256: usedLock?.sha256 ?? null,
    lockDigest: usedLock?.digest ?? null,
    pythonVersion: await configuredVersion(staged),
    installed: await installedDigest(staged),
    syncedAt: Date.now(),
    durationMs: Math.round(performance.now() - context.started),
    notice: request.lock === 'update' ? null : notice,
  });
  const problem = await replaceVenv(dir, id);
  if (problem !== null) return { kind: 'failed', error: problem };
  const { before } = context;
  if (resolved && before.lock === null && before.project !== null && lock !== null) {
    request.locks?.keep(before.project.table, lock.text);
  }
  return null;
}

/** Restores the lock after a failed sync. */
async function restoreLock(dir: NotebookFolder, before: string | null): Promise<void> {
  const place = placeIn(dir, 'uv.lock');
  const { lock } = await readEnvironment(dir);
  if ((lock?.text ?? null) === before) return;
  if (before === null) await removeDurably(place);
  else await replaceFile(place, before);
}

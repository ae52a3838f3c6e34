import { randomBytes } from 'node:crypto';
import { removeDurably } from '../lib/guardedFolder/names.ts';
import { placeIn } from '../lib/guardedFolder/place.ts';
import { replaceFile } from '../lib/guardedFolder/replace.ts';
import { appended, NO_TEXT } from './boundedText.ts';
import { type ProjectUndo, undoEdit } from './folder/projectUndo.ts';
import { lockMisfit } from './lock/lockFit.ts';
import type { LockMemory } from './lock/lockMemory.ts';
import { parseLock } from './lock/lockText.ts';
import { type PythonAnswer, pythonFor } from './managedPython.ts';
import { refusedPlace } from './project/checkPlaces.ts';
import { configuredVersion, type EnvironmentFacts, readEnvironment } from './readEnvironment.ts';
import { type Attempt, NO_LOG, type SyncOutcome, settle } from './settleEnvironment.ts';
import { forgetSync, noteSync, recoverEnvironment } from './syncNote.ts';
import type { Python } from './uv/findPythons.ts';
import { replaceVenv, takeBack } from './uv/replaceVenv.ts';
import type { FoundUv } from './uv/resolveUv.ts';
import type { ToolStream } from './uv/runTool.ts';
import { type UvEnd, uvFailure } from './uv/uvFailure.ts';
import { buildStaged } from './uv/uvSync.ts';
import { installedDigest, writeMarker } from './venv/venv.ts';
import { stagedVenv } from './venv/venvPlaces.ts';

/**
 * One sync of a notebook's `.venv`, from asking whether it is needed to the swap (rest-notebooks 2.6,
 * rest-notebooks 2.5). What was there stays whole until the new environment is finished: failure, cancel, timeout or a
 * kill of this process or of uv lose nothing. One sync at a time per notebook, under its writer lock.
 */

export interface SyncRequest {
  readonly dir: string;
  readonly uv: FoundUv;
  /** The interpreter to build on; null: the newest of this machine that `requires-python` admits. */
  readonly python: Python | null;
  readonly signal?: AbortSignal;
  readonly onText?: (stream: ToolStream, text: string) => void;
  readonly timeoutMs?: number;
  /**
   * `keep`: an existing uv.lock is installed as it is, a missing one is made; nothing else committed changes.
   * `update`: a lock older than pyproject.toml is brought up to date (a person asked for a sync).
   */
  readonly lock?: 'keep' | 'update';
  /** Rebuilds even what is up to date. */
  readonly force?: boolean;
  readonly env?: NodeJS.ProcessEnv;
  /** Where a missing lock may come from before uv asks the package index. */
  readonly locks?: LockMemory;
  /** The project's files were edited for this sync: a failure takes the edit back. */
  readonly undo?: ProjectUndo;
}

const TIMEOUT_MS = 60_000;

export async function syncEnvironment(request: SyncRequest): Promise<SyncOutcome> {
  await recoverEnvironment(request.dir);
  return syncRecovered(request);
}

/** The same where whoever asks has repaired what a killed sync left, and may have begun an edit since. */
export async function syncRecovered(request: SyncRequest): Promise<SyncOutcome> {
  const started = performance.now();
  const before = await readEnvironment(request.dir);
  const isCurrent = before.venv?.upToDate === true && request.force !== true && fitsRequest(request, before);
  const misfit = before.project && before.lock ? lockMisfit(before.project, before.lock.text) : null;
  const lockIsKept = request.lock !== 'update' || misfit === null;
  const attempt: Attempt =
    isCurrent && lockIsKept
      ? { kind: 'ready', notice: misfit, ranUv: false, log: NO_LOG }
      : await trySync(request, { before, misfit, started });
  return settle(request, { attempt, before, durationMs: Math.round(performance.now() - started) });
}

function fitsRequest({ python }: SyncRequest, { venv }: EnvironmentFacts): boolean {
  return python === null || venv?.version === python.version;
}

interface Known {
  readonly before: EnvironmentFacts;
  readonly misfit: string | null;
  /** Of `performance.now()`. */
  readonly started: number;
}

async function trySync(request: SyncRequest, known: Known): Promise<Attempt> {
  const { project, lock } = known.before;
  const notTried = (kind: 'unreachable' | 'failed', error: string): Attempt => ({
    ...{ kind, error, ranUv: false, log: NO_LOG },
  });
  if (project === null) return notTried('unreachable', 'The notebook has no pyproject.toml.');
  if (project.problem !== null) return notTried('failed', project.problem);
  const refused = refusedPlace(request.dir, 'python');
  if (refused !== null) return notTried('failed', refused);
  if (request.uv.kind === 'missing') return notTried('unreachable', request.uv.message);
  const { dir } = request;
  const id = randomBytes(4).toString('hex');
  const { undo } = request;
  if (undo === undefined) await noteSync(dir, { project: null, lock: lock?.text ?? null });
  else await noteSync(dir, undo.before, { isEdit: true, after: undo.after });
  // uv would stop at a lock it cannot read; a failure puts it back.
  if (request.lock === 'update' && lock !== null && parseLock(lock.text) === null) {
    await removeDurably(placeIn(dir, 'uv.lock'));
  }
  const recalled =
    lock === null && request.lock !== 'update' ? (request.locks?.recall(project.table) ?? null) : null;
  if (recalled !== null) await replaceFile(placeIn(dir, 'uv.lock'), recalled);
  const log = { stdout: NO_TEXT, stderr: NO_TEXT };
  const timeoutMs = request.timeoutMs ?? TIMEOUT_MS;
  const tool = {
    env: request.env ?? process.env,
    signal: request.signal,
    onText: (stream: ToolStream, text: string): void => {
      log[stream] = appended(log[stream], text);
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
            ...{ ...tool, dir, uv: request.uv.path, id, python: base.python },
            frozen,
            timeoutMs: Math.max(1, timeoutMs - (performance.now() - known.started)),
          }),
          timeoutMs,
        )
      : base;
  const failure =
    outcome ??
    (await putInPlace(request, { id, known, frozen, resolved: recalled === null, notice: known.misfit }));
  if (failure !== null) {
    await takeBack({ dir, id }, () =>
      undo === undefined ? restoreLock(dir, lock?.text ?? null) : undoEdit(dir, undo),
    );
  }
  await forgetSync(dir);
  if (failure !== null) return { ...failure, ranUv: true, log };
  return { kind: 'ready', notice: request.lock === 'update' ? null : known.misfit, ranUv: true, log };
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
      const killed = end.code > 128 ? `uv was killed (exit code ${end.code}). ` : '';
      const { kind, error } = uvFailure(stderr);
      const reason = `${killed}${error}`.trim();
      return { kind, error: reason === '' ? `uv ended with exit code ${end.code}.` : reason };
    }
  }
}

interface Finished {
  readonly id: string;
  readonly known: Known;
  /** False: a recalled lock was there already, and is not remembered longer for having been used. */
  readonly resolved: boolean;
  readonly notice: string | null;
  /** uv took the lock as it was. */
  readonly frozen: boolean;
}

/** Marks the staged environment complete, swaps it in and starts its interpreter once where it now lies. */
async function putInPlace(
  request: SyncRequest,
  { id, known, resolved, notice, frozen }: Finished,
): Promise<Failure | null> {
  const { dir } = request;
  if (request.signal?.aborted) return { kind: 'cancelled', error: 'cancelled' };
  const staged = stagedVenv(dir, id);
  const { project, lock } = await readEnvironment(dir);
  // A lock that uv took as it was, and that somebody changed since, did not make this environment.
  const made = frozen ? known.before.lock : lock;
  await writeMarker(staged, {
    id,
    // What uv read: an edit made meanwhile is noticed as a difference.
    pyprojectSha256: known.before.project?.sha256 ?? project?.sha256 ?? '',
    lockSha256: made?.sha256 ?? null,
    lockDigest: made?.digest ?? null,
    pythonVersion: await configuredVersion(staged),
    installed: await installedDigest(staged),
    syncedAt: Date.now(),
    durationMs: Math.round(performance.now() - known.started),
    notice: request.lock === 'update' ? null : notice,
  });
  const problem = await replaceVenv(dir, id);
  if (problem !== null) return { kind: 'failed', error: problem };
  const { before } = known;
  if (resolved && before.lock === null && before.project !== null && lock !== null) {
    request.locks?.keep(before.project.table, lock.text);
  }
  return null;
}

/** A failed sync leaves the committed files as they were. */
async function restoreLock(dir: string, before: string | null): Promise<void> {
  const place = placeIn(dir, 'uv.lock');
  const { lock } = await readEnvironment(dir);
  if ((lock?.text ?? null) === before) return;
  if (before === null) await removeDurably(place);
  else await replaceFile(place, before);
}

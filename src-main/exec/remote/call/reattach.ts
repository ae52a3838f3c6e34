import type { IncomingMessage } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import {
  extensionPaths,
  REATTACH_FEATURE,
  REATTACH_HEADER,
} from '../../../../src-shared/wire/worker/extensions.ts';
import { RELAY_LOST_HEADER } from '../../../../src-shared/wire/worker/relay.ts';
import type { LockedEnvironments } from './lockedEnvironment.ts';
import { RemoteFailure } from './remoteRequest.ts';
import { ask, textOf } from './request.ts';
import { isNetworkError } from './takeBundle.ts';
import type { WorkerUrls } from './workerUrls.ts';

export interface RunElsewhere {
  readonly worker: string;
  readonly urls: WorkerUrls;
  readonly buildId: string;
  readonly authorization: Readonly<Record<string, string>>;
  readonly features: Pick<LockedEnvironments, 'offers'>;
  readonly idleMs: number;
  readonly signal: AbortSignal;
  /** How long a worker that is out of reach is waited for. */
  readonly patienceMs: number;
}

/** A relay or a network that comes back; a machine that does not is not waited for long. */
export const PATIENCE_MS = 60_000;
/** Nothing listens: a worker that ended has lost its runs, a relay that starts anew is soon there. */
const REFUSED_MS = 8_000;
const FIRST_LOOK_MS = 100;
const LONGEST_LOOK_MS = 2_000;
const FORGET_MS = 5_000;

/** What is sent with a cell so that its caller may come back for it. */
export const KEEP_IT: Readonly<Record<string, string>> = { [REATTACH_HEADER]: '1' };

/** Whether a cell may be running although its answer is lost: it was sent, and the line broke after it. */
export function mayRunOn(error: unknown): boolean {
  if (!(error instanceof RemoteFailure) || error.code !== 'REQUEST_FAILED') return false;
  return isNetworkError(error.cause) && !isRefused(error.cause);
}

/** A relay says that it lost the worker after it had sent the cell on. */
export function wasLost(answer: IncomingMessage): boolean {
  return answer.statusCode === 502 && answer.headers[RELAY_LOST_HEADER] === '1';
}

/** A line that a relay says was cut, as one that was cut here. */
export function lineCut(): Error {
  return Object.assign(new Error('the relay lost the worker'), { code: 'ECONNRESET' });
}

/**
 * Asks a worker for a run by its build id, until it answers as the run itself would have (docs/extensions.md).
 * @returns null where it does not offer that, knows no such run or stays out of reach
 */
export async function reattach(run: RunElsewhere): Promise<IncomingMessage | null> {
  const { worker, urls, buildId, authorization, features, signal } = run;
  let lostAt = performance.now();
  let isRefusing = false;
  for (let waitMs = FIRST_LOOK_MS; ; waitMs = Math.min(2 * waitMs, LONGEST_LOOK_MS)) {
    signal.throwIfAborted();
    try {
      const at = { worker, healthUrl: urls.health, signal, refresh: true };
      if (!(await features.offers(REATTACH_FEATURE, at))) return null;
      const url = urls.extension(extensionPaths(buildId).bundle);
      const answer = await ask({ method: 'GET', url, headers: authorization, idleMs: run.idleMs, signal });
      if (answer.statusCode !== 404 && !wasLost(answer)) return answer;
      answer.destroy();
      if (answer.statusCode === 404) return null;
      // It was there, and the line broke again.
      lostAt = performance.now();
      isRefusing = false;
    } catch (error) {
      signal.throwIfAborted();
      const cause = error instanceof RemoteFailure ? error.cause : error;
      if (!(error instanceof RemoteFailure) && !isNetworkError(error) && !isRefused(error)) throw error;
      isRefusing = isRefused(cause);
    }
    const patienceMs = isRefusing ? Math.min(REFUSED_MS, run.patienceMs) : run.patienceMs;
    if (performance.now() - lostAt > patienceMs) return null;
    await delay(waitMs, undefined, { signal });
  }
}

/** Lets a worker take a bundle away that it kept for this run; whether it does is its own affair. */
export async function forget({
  urls,
  buildId,
  authorization,
}: Pick<RunElsewhere, 'urls' | 'buildId' | 'authorization'>): Promise<void> {
  try {
    const url = urls.extension(extensionPaths(buildId).run);
    const signal = AbortSignal.timeout(FORGET_MS);
    const answer = await ask({ method: 'DELETE', url, headers: authorization, idleMs: FORGET_MS, signal });
    await textOf(answer, 1024);
  } catch {
    // It goes by itself after an hour.
  }
}

/** Of our worker, which kept what it answers. */
export function isKept({ headers }: IncomingMessage): boolean {
  return headers[REATTACH_HEADER] === '1';
}

function isRefused(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH'].includes(code);
}

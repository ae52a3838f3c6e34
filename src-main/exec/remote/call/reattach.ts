/** Fetches the result of a run from its worker after the connection broke, instead of running the cell again. */

import type { IncomingMessage } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import {
  extensionPaths,
  REATTACH_FEATURE,
  REATTACH_HEADER,
} from '../../../../src-shared/wire/worker/extensions.ts';
import { RELAY_LOST_HEADER } from '../../../../src-shared/wire/worker/relay.ts';
import { sendHttpRequest, textOf } from '../../../lib/http/request.ts';
import { isNetworkError } from './answeredBundle.ts';
import type { LockedEnvironments } from './lockedEnvironment.ts';
import { RemoteFailure } from './remoteRequest.ts';
import type { WorkerUrls } from './workerUrls.ts';

export interface RunElsewhere {
  readonly worker: string;
  readonly urls: WorkerUrls;
  readonly buildId: string;
  readonly authorization: Readonly<Record<string, string>>;
  readonly features: Pick<LockedEnvironments, 'offers'>;
  readonly idleMs: number;
  readonly signal: AbortSignal;
  /** How long to wait for a worker that cannot be reached. */
  readonly patienceMs: number;
}

/**
 * How long to try: long enough for a relay or a network to come back; a machine that is gone does not keep the cell
 * waiting.
 */
export const PATIENCE_MS = 60_000;
/** How long to try after a refused connection: a worker that ended has lost its runs, and a relay restarts quickly. */
const REFUSED_MS = 8_000;
const FIRST_WAIT_MS = 100;
const LONGEST_WAIT_MS = 2_000;
const FORGET_MS = 5_000;

/** The header sent with a cell so that its result can be fetched again. */
export const REATTACH_HEADERS: Readonly<Record<string, string>> = { [REATTACH_HEADER]: '1' };

/** Whether the cell may still run although its answer is lost: the connection broke after it was sent. */
export function mayStillRun(error: unknown): boolean {
  if (!(error instanceof RemoteFailure) || error.code !== 'REQUEST_FAILED') return false;
  return isNetworkError(error.cause) && !isRefused(error.cause);
}

/** Whether a relay reports that it lost the worker after it had forwarded the cell. */
export function isWorkerLost(answer: IncomingMessage): boolean {
  return answer.statusCode === 502 && answer.headers[RELAY_LOST_HEADER] === '1';
}

/** The error for a connection that a relay reports as lost, like that of a connection lost here. */
export function workerLostError(): Error {
  return Object.assign(new Error('the relay lost the worker'), { code: 'ECONNRESET' });
}

/**
 * Asks a worker for a run by its build id until it answers as for the run's own request (docs/extensions.md).
 * @returns null when the worker does not support that, does not know the run or stays unreachable
 */
export async function reattach(run: RunElsewhere): Promise<IncomingMessage | null> {
  const { worker, urls, buildId, authorization, features, signal } = run;
  let lostAt = performance.now();
  let isRefusing = false;
  for (let waitMs = FIRST_WAIT_MS; ; waitMs = Math.min(2 * waitMs, LONGEST_WAIT_MS)) {
    signal.throwIfAborted();
    try {
      const query = { worker, healthUrl: urls.health, signal, refresh: true };
      if (!(await features.offers(REATTACH_FEATURE, query))) return null;
      const url = urls.extension(extensionPaths(buildId).bundle);
      const answer = await sendHttpRequest({
        method: 'GET',
        url,
        headers: authorization,
        idleMs: run.idleMs,
        signal,
      });
      if (answer.statusCode !== 404 && !isWorkerLost(answer)) return answer;
      answer.destroy();
      if (answer.statusCode === 404) return null;
      // The worker was reachable, and the connection broke again.
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

/** Tells a worker that it may delete the stored bundle of this run; the outcome does not matter. */
export async function releaseBundle({
  urls,
  buildId,
  authorization,
}: Pick<RunElsewhere, 'urls' | 'buildId' | 'authorization'>): Promise<void> {
  try {
    const url = urls.extension(extensionPaths(buildId).run);
    const signal = AbortSignal.timeout(FORGET_MS);
    const answer = await sendHttpRequest({
      method: 'DELETE',
      url,
      headers: authorization,
      idleMs: FORGET_MS,
      signal,
    });
    await textOf(answer, 1024);
  } catch {
    // The worker deletes it after an hour anyway.
  }
}

/** Whether the answer is from a worker that stored it to be fetched again. */
export function isBundleStored({ headers }: IncomingMessage): boolean {
  return headers[REATTACH_HEADER] === '1';
}

function isRefused(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH'].includes(code);
}

/** Steps that all requests to a worker share: sending, cancelling, and explaining a refusal. */

import type { IncomingMessage } from 'node:http';
import { failureMessage } from '../../../../src-shared/wire/worker/answers.ts';
import { IdleTimeout, sendHttpRequest, textOf } from '../../../lib/http/request.ts';
import { tryParseJson } from '../../../lib/tryParseJson.ts';
import { networkMessage } from './probeWorker.ts';
import { RemoteFailure, type RemoteRequest } from './remoteRequest.ts';

export const MAX_ERROR_BYTES = 64 * 1024;
const CANCEL_MS = 5_000;
/** The time limit of a cell that has none: a day. */
const NO_LIMIT_SECONDS = 24 * 60 * 60;

/** The time limit of a cell in seconds, also for a cell without one. */
export function limitSeconds({ timeoutSeconds }: Pick<RemoteRequest, 'timeoutSeconds'>): number {
  return timeoutSeconds > 0 ? timeoutSeconds : NO_LIMIT_SECONDS;
}

export function authorizationOf(token: string | null): Readonly<Record<string, string>> {
  return token === null ? {} : { Authorization: `Bearer ${token}` };
}

/**
 * Does `work` with a connection. When the run is stopped, tells the worker first and ends the connection then: the
 * worker may not notice a lost connection.
 */
export async function withCancellation<T>(
  signal: AbortSignal,
  cancel: () => Promise<void>,
  work: (connection: AbortSignal) => Promise<T>,
): Promise<T> {
  const connection = new AbortController();
  const onAbort = (): void => {
    void cancel().finally(() => connection.abort(signal.reason));
  };
  signal.throwIfAborted();
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await work(connection.signal);
  } finally {
    signal.removeEventListener('abort', onAbort);
    if (signal.aborted) await untilAborted(connection.signal);
  }
}

/** Sends a request to a worker. @throws RemoteFailure when there is no answer */
export async function sendRequest(
  outgoing: Parameters<typeof sendHttpRequest>[0],
  { worker, timeoutSeconds }: RemoteRequest,
): Promise<IncomingMessage> {
  try {
    return await sendHttpRequest(outgoing);
  } catch (error) {
    outgoing.signal.throwIfAborted();
    if (error instanceof IdleTimeout) {
      const message = `Worker '${worker.name}' did not respond within ${timeoutSeconds} s. The cell may still be running there.`;
      throw new RemoteFailure('TIMEOUT', message);
    }
    const message = `Couldn’t send the cell to worker '${worker.name}': ${networkMessage(error)}`;
    throw new RemoteFailure('REQUEST_FAILED', message, { cause: error });
  }
}

/** The failure that an answer without a result means, with what to do about it. */
export async function refusalOf(answer: IncomingMessage, worker: string): Promise<RemoteFailure> {
  const status = answer.statusCode ?? 0;
  const text = await textOf(answer, MAX_ERROR_BYTES).catch(() => '');
  const detail = failureMessage(tryParseJson(text)) ?? (text.trim().slice(0, 2000) || 'no reason given');
  const advice = ADVICE[status];
  const message = `Remote executor '${worker}' returned ${status}: ${detail}${advice === undefined ? '' : `\n${advice}`}`;
  return new RemoteFailure(status === 408 ? 'TIMEOUT' : 'EXECUTOR_HTTP_ERROR', message);
}

const ADVICE: Readonly<Record<number, string>> = {
  401: 'Set token_env of the worker to the variable that holds its token (SVC_WORKER_TOKEN on the worker).',
  404: 'This address does not accept cells. It should end with /v1/execute.',
  503: 'Run the cell again when another cell there is done, or choose another worker.',
};

/** Tells the worker that the run is no longer needed; its answer does not matter (docs/spec/worker-protocol.md, 9). */
export async function sendCancel(
  url: string,
  authorization: Readonly<Record<string, string>>,
): Promise<void> {
  try {
    const signal = AbortSignal.timeout(CANCEL_MS);
    const answer = await sendHttpRequest({
      method: 'POST',
      url,
      headers: authorization,
      idleMs: CANCEL_MS,
      signal,
    });
    await textOf(answer, MAX_ERROR_BYTES);
  } catch {
    // Unreachable, or too old to know cancel: the run is given up here all the same.
  }
}

function untilAborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}

/** Polls a worker that answered a push run with a job, until the job has a result. */

import type { IncomingMessage } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { failureMessage } from '../../../../src-shared/wire/worker/answers.ts';
import { type JobStatus, jobAccepted, jobStatus } from '../../../../src-shared/wire/worker/job.ts';
import { BUNDLE_CONTENT_TYPE } from '../../../../src-shared/wire/worker/protocol.ts';
import { pullResponse } from '../../../../src-shared/wire/worker/pull.ts';
import { IdleTimeout, sendHttpRequest, textOf } from '../../../lib/http/request.ts';
import { tryParseJson } from '../../../lib/tryParseJson.ts';
import { networkMessage } from '../call/probeWorker.ts';
import { RemoteFailure, type RemoteProgress } from '../call/remoteRequest.ts';

const POLL_MS = 1_000;
const POLL_IDLE_MS = 30_000;
const MAX_STATUS_BYTES = 1024 * 1024;

interface JobOptions {
  readonly worker: string;
  /** The URL to which the cell was posted; the job's status is requested with the same headers. */
  readonly postUrl: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly timeoutSeconds: number;
  readonly provisioningSeconds: number;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: Pick<RemoteProgress, 'state' | 'position' | 'detail'>) => void;
  readonly pollMs?: number;
  readonly now?: () => number;
  /** The worker delivers the bundle itself, so the end is JSON and not a tar (docs/spec/remote-execution.md, 2). */
  readonly delivers?: true;
}

/** The job has succeeded and its results were delivered. */
const DELIVERED = 'delivered';

/**
 * The URL of a job's status. It must be on the host and port to which the cell was sent
 * (docs/spec/remote-execution.md, 2).
 * @throws RemoteFailure PROTOCOL_ERROR
 */
export function jobUrlOf(body: unknown, { worker, postUrl }: Pick<JobOptions, 'worker' | 'postUrl'>): string {
  const accepted = jobAccepted.safeParse(body);
  const wrong = (reason: string): RemoteFailure =>
    new RemoteFailure(
      'PROTOCOL_ERROR',
      `Remote executor '${worker}' accepted the cell as a job, but ${reason}.`,
    );
  if (!accepted.success) throw wrong('sent no job_url');
  const { job_url } = accepted.data;
  if (!URL.canParse(job_url, postUrl)) throw wrong('its job_url is not a valid URL');
  const [job, post] = [new URL(job_url, postUrl), new URL(postUrl)];
  if (job.protocol !== post.protocol || job.host !== post.host) {
    throw wrong('its job_url is on another host, and the token must not be sent there');
  }
  return job.href;
}

/**
 * Polls a job until it has ended; returns the response with its tar, unread (docs/spec/remote-execution.md, 2). There
 * are two time limits: one from the 202 until it first runs, one from then on.
 * @throws RemoteFailure
 */
export function followJob(jobUrl: string, options: Omit<JobOptions, 'delivers'>): Promise<IncomingMessage>;
export function followJob(jobUrl: string, options: JobOptions): Promise<IncomingMessage | typeof DELIVERED>;
export async function followJob(
  jobUrl: string,
  options: JobOptions,
): Promise<IncomingMessage | typeof DELIVERED> {
  const { worker, signal, now = Date.now, pollMs = POLL_MS } = options;
  const acceptedAt = now();
  let runningSince: number | null = null;
  let lastReport = '';
  const report = (progress: Parameters<JobOptions['onProgress']>[0]): void => {
    const text = JSON.stringify(progress);
    if (text !== lastReport) options.onProgress(progress);
    lastReport = text;
  };
  report({ state: 'starting', position: null, detail: null });
  for (;;) {
    const status = await poll(jobUrl, options);
    if (status === DELIVERED || !('state' in status)) return status;
    if (status.state === 'failed') throw failureOf(status, worker);
    if (status.state === 'finished') {
      if (options.delivers === true) {
        if ((status.status_code ?? 200) === 200) return DELIVERED;
        throw failureOf(status, worker);
      }
      const message = `Remote executor '${worker}' reports that the job is finished, but sent no output bundle.`;
      throw new RemoteFailure('PROTOCOL_ERROR', message);
    }
    if (status.state === 'running') {
      runningSince ??= now();
      report({ state: 'running', position: null, detail: null });
    } else if (runningSince === null) {
      report({ state: 'starting', position: status.position ?? null, detail: status.detail || null });
    }
    const { timeoutSeconds, provisioningSeconds } = options;
    if (runningSince === null && now() - acceptedAt > provisioningSeconds * 1000) {
      const message = `Worker '${worker}' had not started the cell after ${provisioningSeconds} s (SVC_WORKER_PROVISIONING_TIMEOUT_SECONDS).`;
      throw new RemoteFailure('PROVISIONING_TIMEOUT', message);
    }
    if (runningSince !== null && timeoutSeconds > 0 && now() - runningSince > timeoutSeconds * 1000) {
      throw new RemoteFailure('TIMEOUT', `The cell ran longer than ${timeoutSeconds} s on '${worker}'.`);
    }
    await delay(pollMs, undefined, { signal });
  }
}

async function poll(
  jobUrl: string,
  { worker, headers, signal, delivers }: JobOptions,
): Promise<JobStatus | IncomingMessage | typeof DELIVERED> {
  const failure = (reason: string): RemoteFailure =>
    new RemoteFailure(
      'JOB_STATUS_FAILED',
      `Couldn’t get the status of the cell from worker '${worker}': ${reason}`,
    );
  let text: string;
  try {
    const answer = await sendHttpRequest({
      method: 'GET',
      url: jobUrl,
      headers,
      idleMs: POLL_IDLE_MS,
      signal,
    });
    const type = answer.headers['content-type'] ?? '';
    if (answer.statusCode === 200 && type.startsWith(BUNDLE_CONTENT_TYPE)) return answer;
    text = await textOf(answer, MAX_STATUS_BYTES);
    if (answer.statusCode !== 200) {
      throw failure(`it answered ${answer.statusCode}${messageIn(text)}.`);
    }
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof RemoteFailure) throw error;
    throw failure(error instanceof IdleTimeout ? 'no answer within 30 s.' : networkMessage(error));
  }
  const body = tryParseJson(text);
  if (delivers === true && pullResponse.safeParse(body).success) return DELIVERED;
  const status = jobStatus.safeParse(body);
  if (!status.success) throw failure('the response is not a valid job status.');
  return status.data;
}

function messageIn(text: string): string {
  const detail = failureMessage(tryParseJson(text));
  return detail === null ? '' : `: ${detail}`;
}

function failureOf({ status_code = 502, result, error }: JobStatus, worker: string): RemoteFailure {
  const detail = [result, error]
    .map((one) => (typeof one === 'string' ? one : failureMessage(one)))
    .find((one) => one);
  if (status_code === 408) {
    return new RemoteFailure(
      'TIMEOUT',
      `Remote executor '${worker}' timed out: ${detail ?? 'the cell ran too long'}`,
    );
  }
  const message = `Remote executor '${worker}' returned ${status_code}: ${detail ?? 'the job failed'}`;
  return new RemoteFailure('EXECUTOR_HTTP_ERROR', message);
}

import type { IncomingMessage } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { failureWords } from '../../../../src-shared/wire/worker/answers.ts';
import { type JobStatus, jobAccepted, jobStatus } from '../../../../src-shared/wire/worker/job.ts';
import { BUNDLE_CONTENT_TYPE } from '../../../../src-shared/wire/worker/protocol.ts';
import { pullResponse } from '../../../../src-shared/wire/worker/pull.ts';
import { networkWords } from '../call/probeWorker.ts';
import { RemoteFailure, type RemoteProgress } from '../call/remoteRequest.ts';
import { ask, IdleTimeout, parsedJson, textOf } from '../call/request.ts';

const POLL_MS = 1_000;
const POLL_IDLE_MS = 30_000;
const MAX_STATUS_BYTES = 1024 * 1024;

export interface JobOptions {
  readonly worker: string;
  /** What was posted, and where: the job is asked for with the same headers. */
  readonly postUrl: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly timeoutSeconds: number;
  readonly provisioningSeconds: number;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: Pick<RemoteProgress, 'state' | 'position' | 'detail'>) => void;
  readonly pollMs?: number;
  readonly now?: () => number;
  /** The worker delivers by itself: an end in JSON is one, and a tar is none (remote-execution 2). */
  readonly delivers?: true;
}

/** The job has ended well, and what it made was delivered. */
export const DELIVERED = 'delivered';

/**
 * Where a job is asked for: on the host and port the cell was sent to, and nowhere else (remote-execution 2).
 * @throws RemoteFailure PROTOCOL_ERROR
 */
export function jobUrlOf(body: unknown, { worker, postUrl }: Pick<JobOptions, 'worker' | 'postUrl'>): string {
  const accepted = jobAccepted.safeParse(body);
  const wrong = (why: string): RemoteFailure =>
    new RemoteFailure(
      'PROTOCOL_ERROR',
      `Remote executor '${worker}' accepted the cell as a job, but ${why}.`,
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
 * Asks for a job until it has ended and answers its tar, unread (remote-execution 2). Two clocks: one from the 202 until
 * it first runs, one from then on.
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
  let told = '';
  const tell = (progress: Parameters<JobOptions['onProgress']>[0]): void => {
    const text = JSON.stringify(progress);
    if (text !== told) options.onProgress(progress);
    told = text;
  };
  tell({ state: 'starting', position: null, detail: null });
  for (;;) {
    const found = await poll(jobUrl, options);
    if (found === DELIVERED || !('state' in found)) return found;
    if (found.state === 'failed') throw failureOf(found, worker);
    if (found.state === 'finished') {
      if (options.delivers === true) {
        if ((found.status_code ?? 200) === 200) return DELIVERED;
        throw failureOf(found, worker);
      }
      const words = `Remote executor '${worker}' reports that the job is finished, but sent no output bundle.`;
      throw new RemoteFailure('PROTOCOL_ERROR', words);
    }
    if (found.state === 'running') {
      runningSince ??= now();
      tell({ state: 'running', position: null, detail: null });
    } else if (runningSince === null) {
      tell({ state: 'starting', position: found.position ?? null, detail: found.detail || null });
    }
    const { timeoutSeconds, provisioningSeconds } = options;
    if (runningSince === null && now() - acceptedAt > provisioningSeconds * 1000) {
      const words = `Worker '${worker}' had not started the cell after ${provisioningSeconds} s (SVC_WORKER_PROVISIONING_TIMEOUT_SECONDS).`;
      throw new RemoteFailure('PROVISIONING_TIMEOUT', words);
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
  const lost = (why: string): RemoteFailure =>
    new RemoteFailure(
      'JOB_STATUS_FAILED',
      `Couldn’t get the status of the cell from worker '${worker}': ${why}`,
    );
  let text: string;
  try {
    const answer = await ask({ method: 'GET', url: jobUrl, headers, idleMs: POLL_IDLE_MS, signal });
    const type = answer.headers['content-type'] ?? '';
    if (answer.statusCode === 200 && type.startsWith(BUNDLE_CONTENT_TYPE)) return answer;
    text = await textOf(answer, MAX_STATUS_BYTES);
    if (answer.statusCode !== 200) {
      throw lost(`it answered ${answer.statusCode}${wordsIn(text)}.`);
    }
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof RemoteFailure) throw error;
    throw lost(error instanceof IdleTimeout ? 'no answer within 30 s.' : networkWords(error));
  }
  const body = parsedJson(text);
  if (delivers === true && pullResponse.safeParse(body).success) return DELIVERED;
  const status = jobStatus.safeParse(body);
  if (!status.success) throw lost('the response is not a valid job status.');
  return status.data;
}

function wordsIn(text: string): string {
  const words = failureWords(parsedJson(text));
  return words === null ? '' : `: ${words}`;
}

function failureOf({ status_code = 502, result, error }: JobStatus, worker: string): RemoteFailure {
  const said = [result, error]
    .map((one) => (typeof one === 'string' ? one : failureWords(one)))
    .find((one) => one);
  if (status_code === 408) {
    return new RemoteFailure(
      'TIMEOUT',
      `Remote executor '${worker}' timed out: ${said ?? 'the cell ran too long'}`,
    );
  }
  const words = `Remote executor '${worker}' returned ${status_code}: ${said ?? 'the job failed'}`;
  return new RemoteFailure('EXECUTOR_HTTP_ERROR', words);
}

/** Sends the manifest of a pull run to the worker, and waits until the worker answers that the cell is done. */

import type { IncomingMessage } from 'node:http';
import { failureMessage } from '../../../../src-shared/wire/worker/answers.ts';
import type { Build } from '../../../builds/build.ts';
import { textOf } from '../../../lib/http/request.ts';
import { tryParseJson } from '../../../lib/tryParseJson.ts';
import { limitSeconds, MAX_ERROR_BYTES, refusalOf, sendRequest } from '../call/dispatch.ts';
import { postWhenFree } from '../call/postWhenFree.ts';
import { isBundleStored, isWorkerLost, REATTACH_HEADERS, workerLostError } from '../call/reattach.ts';
import { RemoteFailure, type RemoteRequest } from '../call/remoteRequest.ts';
import type { WorkerUrls } from '../call/workerUrls.ts';
import { followJob, jobUrlOf } from '../push/followJob.ts';
import type { SendOptions } from '../push/pushRun.ts';
import type { PullTools } from './pullTools.ts';

/**
 * Posts the manifest and waits until the worker reports that the cell is done.
 * @returns whether the worker keeps a copy of the bundle
 * @throws RemoteFailure
 */
export async function sendManifest(
  tools: PullTools,
  request: RemoteRequest,
  {
    build,
    urls,
    authorization,
    connection,
    cancel,
    options,
  }: {
    readonly build: Build;
    readonly urls: WorkerUrls;
    readonly authorization: Readonly<Record<string, string>>;
    readonly connection: AbortSignal;
    readonly cancel: () => Promise<void>;
    readonly options: SendOptions;
  },
): Promise<boolean> {
  const { worker, timeoutSeconds } = request;
  const outgoing: Parameters<typeof sendRequest>[0] = {
    method: 'POST',
    url: urls.pull,
    signal: connection,
    headers: { ...authorization, ...options.trace, ...REATTACH_HEADERS, 'Content-Type': 'application/json' },
    body: Buffer.from(JSON.stringify(build.manifest)),
    idleMs: idleOf(request),
  };
  const answer = await postWhenFree(() => sendRequest(outgoing, request), {
    worker: worker.name,
    slot: options.slot,
    signal: connection,
    patienceMs: tools.provisioningSeconds * 1000,
    onProgress: (progress) => options.onProgress({ buildId: build.buildId, ...progress }),
  });
  if (answer.statusCode === 202) {
    const accepted = tryParseJson(await textOf(answer, MAX_ERROR_BYTES));
    try {
      const job = { worker: worker.name, postUrl: urls.pull, headers: authorization, timeoutSeconds };
      const jobEnd = await followJob(jobUrlOf(accepted, job), {
        ...job,
        delivers: true,
        provisioningSeconds: tools.provisioningSeconds,
        signal: connection,
        onProgress: (progress) => options.onProgress({ buildId: build.buildId, ...progress }),
        ...(tools.pollMs === undefined ? {} : { pollMs: tools.pollMs }),
      });
      if (typeof jobEnd !== 'string') jobEnd.destroy();
      return isBundleStored(answer);
    } catch (error) {
      if (error instanceof RemoteFailure) await cancel();
      throw error;
    }
  }
  if (isWorkerLost(answer)) {
    const failure = await refusalOf(answer, worker.name);
    throw new RemoteFailure('REQUEST_FAILED', failure.message, { cause: workerLostError() });
  }
  if (answer.statusCode !== 200) throw await withAdvice(answer, request, build);
  const body = tryParseJson(await textOf(answer, MAX_ERROR_BYTES).catch(() => ''));
  if (typeof body === 'object' && body !== null && Reflect.get(body, 'success') === false) {
    const message = `Worker '${worker.name}' could not run the cell: ${failureMessage(body) ?? 'no reason given'}`;
    throw new RemoteFailure('EXECUTOR_ERROR', message);
  }
  return isBundleStored(answer);
}

/** How long a connection may be idle while a worker runs a cell (docs/spec/remote-execution.md, 3). */
export function idleOf(request: RemoteRequest): number {
  return Math.max(limitSeconds(request) + 10, 30) * 1000;
}

/** Adds what to do to a worker's message that it cannot reach this server or that the result is too large. */
async function withAdvice(
  answer: IncomingMessage,
  request: RemoteRequest,
  build: Build,
): Promise<RemoteFailure> {
  const refusal = await refusalOf(answer, request.worker.name);
  if (/at most \d+ are taken/.test(refusal.message)) {
    const advice = 'Return smaller results, or raise SVC_BUILD_RUNNER_DEFAULT_MAX_OUTPUT on this server.';
    return new RemoteFailure(refusal.code, `${refusal.message}\n${advice}`);
  }
  const isUnreachable = answer.statusCode === 502 || /address|host/i.test(refusal.message);
  if (![400, 502].includes(answer.statusCode ?? 0) || !isUnreachable) return refusal;
  const { finalize_url, output } = build.manifest;
  const [server, store] = [new URL(finalize_url).origin, new URL(output.url).origin];
  const servers =
    server === store
      ? `this server at ${server}`
      : `this server at ${server} and the object store at ${store}`;
  const hint = `The worker must be able to reach ${servers}. If it cannot, set svc_url of the worker to an address of this server that it can reach. Add private addresses to SVC_WORKER_ALLOWED_HOSTS on the worker.`;
  return new RemoteFailure(refusal.code, `${refusal.message}\n${hint}`);
}

import type { IncomingMessage } from 'node:http';
import { failureWords } from '../../../../src-shared/wire/worker/answers.ts';
import type { Build } from '../../../builds/build.ts';
import { limitSeconds, MAX_ERROR_BYTES, posted, refusalOf } from '../call/dispatch.ts';
import { postWhenFree } from '../call/postWhenFree.ts';
import { isKept, KEEP_IT, lineCut, wasLost } from '../call/reattach.ts';
import { RemoteFailure, type RemoteRequest } from '../call/remoteRequest.ts';
import { parsedJson, textOf } from '../call/request.ts';
import type { WorkerUrls } from '../call/workerUrls.ts';
import { followJob, jobUrlOf } from '../push/followJob.ts';
import type { SendOptions } from '../push/pushRun.ts';
import type { PullTools } from './pullTools.ts';

/**
 * Posts the manifest and follows it; resolves where the worker says that all was done.
 * @returns whether the worker keeps the bundle beside
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
  const sent: Parameters<typeof posted>[0] = {
    ...{ method: 'POST', url: urls.pull, signal: connection },
    headers: { ...authorization, ...options.trace, ...KEEP_IT, 'Content-Type': 'application/json' },
    body: Buffer.from(JSON.stringify(build.manifest)),
    idleMs: idleOf(request),
  };
  const answer = await postWhenFree(() => posted(sent, request), {
    ...{ worker: worker.name, slot: options.slot, signal: connection },
    patienceMs: tools.provisioningSeconds * 1000,
    onProgress: (progress) => options.onProgress({ buildId: build.buildId, ...progress }),
  });
  if (answer.statusCode === 202) {
    const accepted = parsedJson(await textOf(answer, MAX_ERROR_BYTES));
    try {
      const job = { worker: worker.name, postUrl: urls.pull, headers: authorization, timeoutSeconds };
      const ended = await followJob(jobUrlOf(accepted, job), {
        ...job,
        delivers: true,
        provisioningSeconds: tools.provisioningSeconds,
        signal: connection,
        onProgress: (progress) => options.onProgress({ buildId: build.buildId, ...progress }),
        ...(tools.pollMs === undefined ? {} : { pollMs: tools.pollMs }),
      });
      if (typeof ended !== 'string') ended.destroy();
      return isKept(answer);
    } catch (error) {
      if (error instanceof RemoteFailure) await cancel();
      throw error;
    }
  }
  if (wasLost(answer)) {
    const lost = await refusalOf(answer, worker.name);
    throw new RemoteFailure('REQUEST_FAILED', lost.message, { cause: lineCut() });
  }
  if (answer.statusCode !== 200) throw await withWayOut(answer, request, build);
  const said = parsedJson(await textOf(answer, MAX_ERROR_BYTES).catch(() => ''));
  if (typeof said === 'object' && said !== null && Reflect.get(said, 'success') === false) {
    const words = `Worker '${worker.name}' could not run the cell: ${failureWords(said) ?? 'no reason given'}`;
    throw new RemoteFailure('EXECUTOR_ERROR', words);
  }
  return isKept(answer);
}

/** How long nothing may move while a worker is at it (remote-execution 3). */
export function idleOf(request: RemoteRequest): number {
  return Math.max(limitSeconds(request) + 10, 30) * 1000;
}

/** A worker that cannot come here says so in its own words; what to do about it is known here. */
async function withWayOut(
  answer: IncomingMessage,
  request: RemoteRequest,
  build: Build,
): Promise<RemoteFailure> {
  const refusal = await refusalOf(answer, request.worker.name);
  if (/at most \d+ are taken/.test(refusal.message)) {
    const words = 'Return smaller results, or raise SVC_BUILD_RUNNER_DEFAULT_MAX_OUTPUT on this server.';
    return new RemoteFailure(refusal.code, `${refusal.message}\n${words}`);
  }
  const isOnTheWay = answer.statusCode === 502 || /address|host/i.test(refusal.message);
  if (![400, 502].includes(answer.statusCode ?? 0) || !isOnTheWay) return refusal;
  const { finalize_url, output } = build.manifest;
  const [server, place] = [new URL(finalize_url).origin, new URL(output.url).origin];
  const reached =
    server === place
      ? `this server at ${server}`
      : `this server at ${server} and the object store at ${place}`;
  const words = `The worker must be able to reach ${reached}. If it cannot, set svc_url of the worker to an address of this server that it can reach. Add private addresses to SVC_WORKER_ALLOWED_HOSTS on the worker.`;
  return new RemoteFailure(refusal.code, `${refusal.message}\n${words}`);
}

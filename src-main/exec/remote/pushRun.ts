import { createHash, randomBytes } from 'node:crypto';
import { rename, stat } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { failureWords } from '../../../src-shared/wire/worker/answers.ts';
import {
  EXECUTOR_PROTOCOL,
  NOTEBOOK_CELL_REF,
  PROTOCOL_HEADERS,
} from '../../../src-shared/wire/worker/protocol.ts';
import { BundleProblem } from '../outputBundle/bundleProblem.ts';
import { type ReadBundle, readBundle } from '../outputBundle/readBundle.ts';
import { followJob, jobUrlOf } from './followJob.ts';
import { inputParts, type SentInput } from './inputParts.ts';
import type { LockedEnvironments } from './lockedEnvironment.ts';
import { multipart } from './multipart.ts';
import { networkWords } from './probeWorker.ts';
import { RemoteFailure, type RemoteRequest, type RemoteRunOptions } from './remoteRequest.ts';
import { ask, IdleTimeout, parsedJson, textOf } from './request.ts';
import { workerUrls } from './workerUrls.ts';

export interface PushTools {
  readonly environments: LockedEnvironments;
  readonly provisioningSeconds: number;
  readonly maxMemberBytes: number;
  /** Between two looks at a job; for tests. */
  readonly pollMs?: number;
}

const MAX_ERROR_BYTES = 64 * 1024;
const CANCEL_MS = 5_000;
/** A cell without a limit: a day, and then some other clock has stopped. */
const NO_LIMIT_SECONDS = 24 * 60 * 60;

/**
 * Sends a cell to a worker and reads back what it left, from disk to disk (document 1, push model). Started once and
 * never again: nobody knows how far a cell got whose answer was lost.
 * @throws RemoteFailure; the signal's reason once it is aborted and the worker was told
 */
export async function pushRun(
  tools: PushTools,
  request: RemoteRequest,
  options: RemoteRunOptions & { readonly url: string; readonly token: string | null },
): Promise<{ readonly bundle: ReadBundle; readonly buildId: string }> {
  const { signal, url, token } = options;
  const urls = workerUrls(url);
  const buildId = `notebook-${randomBytes(6).toString('hex')}`;
  const { worker, language, timeoutSeconds } = request;
  const parts = await inputParts(request.inputs);
  const environment = await tools.environments.blockFor({
    ...{ language, notebookDir: request.cwd, worker: worker.name, healthUrl: urls.health, signal },
  });
  const form = multipart(envelopeOf(request, { buildId, inputs: parts.inputs, environment }), parts.files);
  const authorization = token === null ? {} : { Authorization: `Bearer ${token}` };
  const headers = { 'X-Svc-Executor-Protocol': EXECUTOR_PROTOCOL, ...authorization };
  const idleMs = Math.max((timeoutSeconds > 0 ? timeoutSeconds : NO_LIMIT_SECONDS) + 5, 30) * 1000;
  const cancel = (): Promise<void> => sendCancel(urls.cancel(buildId), authorization);
  // Ends the connection only when the worker was told: it may take a lost caller for nothing at all.
  const connection = new AbortController();
  const onAbort = (): void => {
    void cancel().finally(() => connection.abort(signal.reason));
  };
  signal.throwIfAborted();
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    const body = { stream: form.stream, bytes: form.bytes };
    const sent = { method: 'POST', url: urls.push, body, idleMs, signal: connection.signal } as const;
    const answer = await posted(
      { ...sent, headers: { ...headers, 'Content-Type': form.contentType } },
      request,
    );
    if (answer.statusCode === 202) {
      const accepted = parsedJson(await textOf(answer, MAX_ERROR_BYTES));
      try {
        const job = { worker: worker.name, postUrl: urls.push, headers, timeoutSeconds };
        const ended = await followJob(jobUrlOf(accepted, job), {
          ...job,
          provisioningSeconds: tools.provisioningSeconds,
          signal: connection.signal,
          onProgress: (progress) => options.onProgress({ buildId, ...progress }),
          ...(tools.pollMs === undefined ? {} : { pollMs: tools.pollMs }),
        });
        return { bundle: await bundleOf(ended, tools, request), buildId };
      } catch (error) {
        if (error instanceof RemoteFailure) await cancel();
        throw error;
      }
    }
    if (answer.statusCode !== 200) throw await refusalOf(answer, worker.name);
    return { bundle: await bundleOf(answer, tools, request), buildId };
  } finally {
    signal.removeEventListener('abort', onAbort);
    if (signal.aborted) await untilAborted(connection.signal);
  }
}

/** The envelope, as it is sent (worker-details 3). */
function envelopeOf(
  request: RemoteRequest,
  {
    buildId,
    inputs,
    environment,
  }: { readonly buildId: string; readonly inputs: readonly SentInput[]; readonly environment: unknown },
) {
  const { source, mutationDefines, tables = {}, notebookId } = request;
  const names = inputs.map(({ name }) => name).sort();
  const rendered = `[${names.map((name) => `'${name}'`).join(', ')}]`;
  const params = {
    source,
    timeout_seconds: request.timeoutSeconds,
    mounts: request.declaredMounts.map(({ name, uri, mode, pin, options, credential }) => ({
      ...{ name, uri, mode, pin, options, credential },
    })),
    env: request.env,
    ...(mutationDefines.length === 0 ? {} : { mutation_defines: mutationDefines }),
    ...(Object.keys(tables).length === 0 ? {} : { tables }),
    ...(environment === null ? {} : { environment }),
    ...(request.language === 'r' ? { language: 'r' } : {}),
    // What a run on this machine is told too; a stranger passes over it.
    ...{ cell_name: request.cellName, store: request.store },
    ...{ svc_cell_id: request.cellId, svc_notebook_id: notebookId },
  };
  return {
    protocol_version: EXECUTOR_PROTOCOL,
    build_id: buildId,
    tenant: null,
    principal: null,
    origin: 'notebook',
    provenance_hash: createHash('sha256').update(`${source}:${rendered}`).digest('hex'),
    transform: { ref: NOTEBOOK_CELL_REF, code_hash: request.sourceHash, params },
    inputs,
  };
}

async function posted(
  outgoing: Parameters<typeof ask>[0],
  { worker, timeoutSeconds }: RemoteRequest,
): Promise<IncomingMessage> {
  try {
    return await ask(outgoing);
  } catch (error) {
    outgoing.signal.throwIfAborted();
    if (error instanceof IdleTimeout) {
      const words = `Worker '${worker.name}' did not answer within ${timeoutSeconds} s and a little more; the cell may still be running there.`;
      throw new RemoteFailure('TIMEOUT', words);
    }
    const words = `The cell could not be sent to worker '${worker.name}': ${networkWords(error)}`;
    throw new RemoteFailure('REQUEST_FAILED', words);
  }
}

async function refusalOf(answer: IncomingMessage, worker: string): Promise<RemoteFailure> {
  const status = answer.statusCode ?? 0;
  const text = await textOf(answer, MAX_ERROR_BYTES).catch(() => '');
  const detail = failureWords(parsedJson(text)) ?? (text.trim().slice(0, 2000) || 'it does not say why');
  const wayOut = WAYS_OUT[status];
  const words = `Remote executor '${worker}' returned ${status}: ${detail}${wayOut === undefined ? '' : `\n${wayOut}`}`;
  return new RemoteFailure(status === 408 ? 'TIMEOUT' : 'EXECUTOR_HTTP_ERROR', words);
}

const WAYS_OUT: Readonly<Record<number, string>> = {
  401: 'Name the variable that holds the token the worker was started with (SVC_WORKER_TOKEN) as token_env of the worker.',
  404: 'Nothing takes cells at this address: it should end with /v1/execute.',
  503: 'Run the cell again when one there has ended, or choose another worker.',
};

/** @throws RemoteFailure PROTOCOL_ERROR for another version, or a bundle that is none */
async function bundleOf(
  answer: IncomingMessage,
  { maxMemberBytes }: PushTools,
  request: RemoteRequest,
): Promise<ReadBundle> {
  const { worker, outputDir, consoleLog } = request;
  for (const [header, version] of Object.entries(PROTOCOL_HEADERS)) {
    const said = answer.headers[header];
    if (said === undefined || said === version) continue;
    answer.destroy();
    const words = `Remote executor '${worker.name}' speaks ${header}: ${String(said)}; this program speaks ${version}. Update one of them.`;
    throw new RemoteFailure('PROTOCOL_ERROR', words);
  }
  try {
    const bundle = await readBundle(answer, { dir: outputDir, maxMemberBytes });
    if (consoleLog !== undefined) await keepLogs(bundle, consoleLog);
    return bundle;
  } catch (error) {
    // The reader's words are of what it read; that the line was cut is the better reason.
    const cut = answer.errored;
    if (isNetworkError(cut) || isNetworkError(error)) {
      const words = `What worker '${worker.name}' sent broke off: ${networkWords(cut ?? error)} The cell ran there; run it again to have its result.`;
      throw new RemoteFailure('REQUEST_FAILED', words);
    }
    if (!(error instanceof BundleProblem)) throw error;
    throw new RemoteFailure(
      'PROTOCOL_ERROR',
      `What worker '${worker.name}' sent cannot be used: ${error.message}`,
    );
  }
}

function isNetworkError(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return /^(ECONN|EPIPE|ETIMEDOUT|ERR_STREAM_PREMATURE|UND_|HPE_)/.test(code) || error instanceof IdleTimeout;
}

/** A stream longer than its end is kept whole where a run on this machine keeps it. */
async function keepLogs(bundle: ReadBundle, log: NonNullable<RemoteRequest['consoleLog']>): Promise<void> {
  for (const [file, kept, target] of [
    [bundle.stdoutFile, bundle.stdout, log.stdout],
    [bundle.stderrFile, bundle.stderr, log.stderr],
  ] as const) {
    if (file === null) continue;
    const { size } = await stat(file);
    if (size > Buffer.byteLength(kept) && size <= log.maxBytes) await rename(file, target);
  }
}

/** Tells the worker that nobody wants the run; whatever it says is fine (worker-details 6). */
async function sendCancel(url: string, authorization: Readonly<Record<string, string>>): Promise<void> {
  try {
    const signal = AbortSignal.timeout(CANCEL_MS);
    const answer = await ask({ method: 'POST', url, headers: authorization, idleMs: CANCEL_MS, signal });
    await textOf(answer, MAX_ERROR_BYTES);
  } catch {
    // Unreachable, or too old to know cancel: the run is given up here all the same.
  }
}

function untilAborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}

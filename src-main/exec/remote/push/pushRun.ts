/** Runs a cell on a worker by push: posts source and inputs, and reads the output bundle in the answer. */

import { createHash, randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { EXECUTOR_PROTOCOL, NOTEBOOK_CELL_REF } from '../../../../src-shared/wire/worker/protocol.ts';
import { multipart } from '../../../lib/http/multipart.ts';
import { textOf } from '../../../lib/http/request.ts';
import { tryParseJson } from '../../../lib/tryParseJson.ts';
import { cellParamsOf } from '../call/cellParamsOf.ts';
import {
  authorizationOf,
  limitSeconds,
  MAX_ERROR_BYTES,
  sendCancel,
  sendRequest,
  withCancellation,
} from '../call/dispatch.ts';
import type { LockedEnvironments } from '../call/lockedEnvironment.ts';
import { postWhenFree } from '../call/postWhenFree.ts';
import { PATIENCE_MS, REATTACH_HEADERS } from '../call/reattach.ts';
import {
  RemoteFailure,
  type RemoteRequest,
  type RemoteResult,
  type RemoteRunOptions,
} from '../call/remoteRequest.ts';
import type { WorkerQuery } from '../call/workerFacts.ts';
import type { Slot } from '../call/workerSlots.ts';
import { workerUrls } from '../call/workerUrls.ts';
import { readAnsweredResult } from './answeredResult.ts';
import { followJob, jobUrlOf } from './followJob.ts';
import { inputParts, type SentInput } from './inputParts.ts';
import { watchConsole } from './watchConsole.ts';

export interface PushTools {
  readonly environments: LockedEnvironments;
  /** Where cells are run from; default: an open notebook. */
  readonly origin?: 'notebook' | 'run';
  readonly provisioningSeconds: number;
  readonly maxMemberBytes: number;
  /** Time between two polls of a job; for tests. */
  readonly pollMs?: number;
  /** How long to wait for a worker that cannot be reached; for tests. */
  readonly patienceMs?: number;
  /** How long a cell runs before its console is requested; for tests. */
  readonly consoleAfterMs?: number;
}

export interface SendOptions extends RemoteRunOptions {
  readonly url: string;
  readonly token: string | null;
  /** Called before anything is sent. */
  onBuild(buildId: string): void;
  /** The slot of this run until it has ended. */
  readonly slot: Slot;
  /** Shows users what they should know about where the cell runs, before it runs. */
  onNotice(text: string): void;
}

/**
 * Sends a cell to a worker and reads its bundle, from disk to disk (docs/spec/worker-protocol.md, 3). The cell is
 * started only once: when the answer is lost, asks the worker for the run, if it supports that.
 * @throws RemoteFailure; the signal's reason when it is aborted, after the worker was asked to cancel
 */
export async function pushRun(
  tools: PushTools,
  request: RemoteRequest,
  options: SendOptions,
): Promise<RemoteResult> {
  const { signal, url, token } = options;
  const urls = workerUrls(url);
  const buildId = `notebook-${randomBytes(6).toString('hex')}`;
  const { worker, language, timeoutSeconds } = request;
  const parts = await inputParts(request.inputs);
  const { block: environment, notice } = await tools.environments.blockFor({
    language,
    notebookDir: request.cwd,
    worker: worker.name,
    healthUrl: urls.health,
    signal,
  });
  if (notice !== null) options.onNotice(notice);
  options.onBuild(buildId);
  const envelope = envelopeOf(request, {
    buildId,
    inputs: parts.inputs,
    environment,
    origin: tools.origin ?? 'notebook',
  });
  const authorization = authorizationOf(token);
  const headers = { 'X-Svc-Executor-Protocol': EXECUTOR_PROTOCOL, ...authorization, ...options.trace };
  const idleMs = Math.max(limitSeconds(request) + 5, 30) * 1000;
  const cancel = (): Promise<void> => sendCancel(urls.cancel(buildId), authorization);
  const unwatch = watchConsole({
    worker: worker.name,
    urls,
    buildId,
    authorization,
    features: tools.environments,
    afterMs: tools.consoleAfterMs,
    onConsole: (text) => options.onConsole(text),
  });
  const follow = async (answer: IncomingMessage, connection: AbortSignal): Promise<IncomingMessage> => {
    const accepted = tryParseJson(await textOf(answer, MAX_ERROR_BYTES));
    try {
      const job = { worker: worker.name, postUrl: urls.push, headers, timeoutSeconds };
      return await followJob(jobUrlOf(accepted, job), {
        ...job,
        provisioningSeconds: tools.provisioningSeconds,
        signal: connection,
        onProgress: (progress) => options.onProgress({ buildId, ...progress }),
        ...(tools.pollMs === undefined ? {} : { pollMs: tools.pollMs }),
      });
    } catch (error) {
      if (error instanceof RemoteFailure) await cancel();
      throw error;
    }
  };
  const result = withCancellation(signal, cancel, async (connection) => {
    const outgoing = { method: 'POST', url: urls.push, idleMs, signal: connection } as const;
    const run = {
      worker: worker.name,
      urls,
      buildId,
      authorization,
      features: tools.environments,
      idleMs,
      signal: connection,
      patienceMs: tools.patienceMs ?? PATIENCE_MS,
    };
    const query = { worker: worker.name, healthUrl: urls.health, signal: connection };
    const post = (): Promise<IncomingMessage> => {
      const { contentType, ...body } = multipart(envelope, parts.files);
      const headersOfForm = { ...headers, ...REATTACH_HEADERS, 'Content-Type': contentType };
      return sendRequest({ ...outgoing, headers: headersOfForm, body }, request);
    };
    const bytes = parts.files.reduce((sum, file) => sum + file.bytes, 0);
    const send = async (): Promise<IncomingMessage> => {
      const answer = await postWhenFree(post, {
        worker: worker.name,
        slot: options.slot,
        signal: connection,
        patienceMs: tools.provisioningSeconds * 1000,
        onProgress: (progress) => options.onProgress({ buildId, ...progress }),
        ...(bytes < ASKED_FIRST_BYTES ? {} : { isFull: () => isFull(tools.environments, query) }),
      });
      return answer.statusCode === 202 ? follow(answer, connection) : answer;
    };
    const { maxMemberBytes } = tools;
    return readAnsweredResult(send, { request, maxMemberBytes, run });
  });
  return result.finally(unwatch);
}

/** A cell of at least this size is sent to a full worker again only after the worker reports a free slot. */
const ASKED_FIRST_BYTES = 1024 * 1024;

async function isFull(workers: Pick<LockedEnvironments, 'facts'>, query: WorkerQuery): Promise<boolean> {
  try {
    const { most, active } = await workers.facts({ ...query, refresh: true });
    return most !== null && active !== null && active >= most;
  } catch (error) {
    query.signal.throwIfAborted();
    if (!(error instanceof RemoteFailure)) throw error;
    // Sending the cell will show whether it has a slot.
    return false;
  }
}

/** The envelope of the request (docs/spec/worker-protocol.md, 3). */
function envelopeOf(
  request: RemoteRequest,
  {
    buildId,
    inputs,
    environment,
    origin,
  }: {
    readonly buildId: string;
    readonly inputs: readonly SentInput[];
    readonly environment: unknown;
    readonly origin: 'notebook' | 'run';
  },
) {
  const { source } = request;
  const names = inputs.map(({ name }) => name).sort();
  const nameList = `[${names.map((name) => `'${name}'`).join(', ')}]`;
  return {
    protocol_version: EXECUTOR_PROTOCOL,
    build_id: buildId,
    tenant: null,
    principal: null,
    origin,
    provenance_hash: createHash('sha256').update(`${source}:${nameList}`).digest('hex'),
    transform: {
      ref: NOTEBOOK_CELL_REF,
      code_hash: request.sourceHash,
      params: cellParamsOf(request, environment),
    },
    inputs,
  };
}

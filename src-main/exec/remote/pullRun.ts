import { createReadStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { failureWords } from '../../../src-shared/wire/worker/answers.ts';
import { BUNDLE_FORMAT, NOTEBOOK_CELL_REF } from '../../../src-shared/wire/worker/protocol.ts';
import type { Build, BuildEnd } from '../../builds/build.ts';
import { OutputProblem } from '../../builds/buildRefusal.ts';
import type { Builds } from '../../builds/builds.ts';
import { ConsoleFeed } from '../consoleFeed.ts';
import { BundleProblem } from '../outputBundle/bundleProblem.ts';
import { type ReadBundle, readBundle } from '../outputBundle/readBundle.ts';
import { cellParamsOf } from './cellParamsOf.ts';
import {
  authorizationOf,
  cancellably,
  limitSeconds,
  MAX_ERROR_BYTES,
  posted,
  refusalOf,
  sendCancel,
} from './dispatch.ts';
import { followJob, jobUrlOf } from './followJob.ts';
import type { LockedEnvironments } from './lockedEnvironment.ts';
import { pullInputs } from './pullInputs.ts';
import type { SendOptions } from './pushRun.ts';
import {
  forget,
  isKept,
  KEEP_IT,
  lineCut,
  mayRunOn,
  PATIENCE_MS,
  type RunElsewhere,
  reattach,
  wasLost,
} from './reattach.ts';
import { RemoteFailure, type RemoteRequest } from './remoteRequest.ts';
import { parsedJson, textOf } from './request.ts';
import { keepLogs } from './takeBundle.ts';
import { type WorkerUrls, workerUrls } from './workerUrls.ts';

export interface PullTools {
  readonly environments: LockedEnvironments;
  readonly builds: Pick<Builds, 'begin'> | null;
  readonly provisioningSeconds: number;
  readonly maxMemberBytes: number;
  readonly pollMs?: number;
  /** How long a worker out of reach is waited for; for tests. */
  readonly patienceMs?: number;
}

/** Past the clocks of cell and provisioning, for what is carried (worker-details 4). */
const CARRYING_SECONDS = 300;
/** Once a build has ended its worker has only to say so; who is gone by then is not waited for. */
const ANSWER_MS = 1_000;
/** How long a run that was found again may take to carry its bundle here. */
const DELIVERY_MS = 60_000;

/**
 * Lets a worker fetch a cell's inputs and deliver its bundle by signed URLs (document 1, pull model). What counts is
 * that the build was finalized: an answer that is lost after it loses nothing.
 * @throws RemoteFailure; the signal's reason once it is aborted and the worker was told
 */
export async function pullRun(
  tools: PullTools,
  request: RemoteRequest,
  options: SendOptions,
): Promise<ReadBundle> {
  const { signal, url, token } = options;
  const { worker, language } = request;
  const urls = workerUrls(url);
  const { specs, files } = await pullInputs(request.notebookId, request.inputs);
  const environment = await tools.environments.blockFor({
    ...{ language, notebookDir: request.cwd, worker: worker.name, healthUrl: urls.health, signal },
  });
  const dir = `${request.outputDir}-build`;
  const feed = new ConsoleFeed({
    onConsole: (text) => options.onConsole(text),
    onPressure: () => undefined,
    log: null,
  });
  let accepted: ReadBundle | null = null;
  let accepting: Promise<unknown> = Promise.resolve();
  const build = begun(tools, request, {
    params: { ...cellParamsOf(request, environment), input_specs: specs },
    ...{ inputs: files, dir },
    onConsole: (stream, chunk) => feed.push(stream, chunk),
    accept(file) {
      const reading = accept(file, tools, request).then((bundle) => {
        accepted = bundle;
      });
      accepting = reading.catch(() => undefined);
      return reading;
    },
  });
  options.onBuild(build.buildId);
  try {
    const authorization = authorizationOf(token);
    const cancel = (): Promise<void> => sendCancel(urls.cancel(build.buildId), authorization);
    await cancellably(signal, cancel, async (connection) => {
      const sent = dispatch(tools, request, { build, urls, authorization, connection, cancel, options });
      const idleMs = idleOf(request);
      const run = {
        ...{ worker: worker.name, urls, buildId: build.buildId, authorization, idleMs, signal: connection },
        ...{ features: tools.environments, patienceMs: tools.patienceMs ?? PATIENCE_MS },
      };
      await outcomeOf(sent, build, run);
    });
    // The end of a build is told only after its output was accepted.
    if (accepted === null) throw new Error(`build ${build.buildId} ended without an output`);
    return accepted;
  } finally {
    build.giveUp('CANCELLED', 'Given up by the notebook');
    await accepting;
    await feed.end();
    await rm(dir, { recursive: true, force: true });
  }
}

function begun(
  { builds, provisioningSeconds }: PullTools,
  request: RemoteRequest,
  {
    params,
    ...of
  }: Pick<Parameters<Builds['begin']>[0], 'inputs' | 'dir' | 'accept' | 'onConsole'> & {
    readonly params: Parameters<Builds['begin']>[0]['metadata']['params'];
  },
): Build {
  const { worker, notebookId } = request;
  const address = addressOf(request);
  const build = builds?.begin({
    ...of,
    ...{ notebookId, address },
    lifetimeSeconds: limitSeconds(request) + provisioningSeconds + CARRYING_SECONDS,
    metadata: {
      executor_ref: NOTEBOOK_CELL_REF,
      params: { ...params, output_format: BUNDLE_FORMAT, _dispatch_mode: 'external' },
      ...{ principal: null, tenant: null, notebook_id: notebookId, cell_id: request.cellId },
      ...{ cell_provenance_hash: request.provenanceHash, origin: 'notebook' },
    },
  });
  if (build !== undefined && build !== null) return build;
  const words = `Worker '${worker.name}' is to fetch its cells by signed addresses, but no server runs here that could hand them out: open the notebook in the app or with svc serve, or set the worker's transport to direct.`;
  throw new RemoteFailure('SETUP_FAILED', words);
}

/** Where the worker reaches this server, if the notebook says so. @throws RemoteFailure SETUP_FAILED */
function addressOf({ worker }: RemoteRequest): string | null {
  const said = worker.config['svc_url'];
  if (said === undefined || said === null || said === '') return null;
  if (typeof said === 'string' && /^https?:\/\//.test(said) && URL.canParse(said)) return said;
  const words = `Worker '${worker.name}' is to fetch from ${String(said)} (svc_url), which is no http:// address.`;
  throw new RemoteFailure('SETUP_FAILED', words);
}

/** Unpacks and checks the bundle where the run keeps its results. @throws OutputProblem */
async function accept(
  file: string,
  { maxMemberBytes }: PullTools,
  request: RemoteRequest,
): Promise<ReadBundle> {
  try {
    const bundle = await readBundle(createReadStream(file), { dir: request.outputDir, maxMemberBytes });
    if (request.consoleLog !== undefined) await keepLogs(bundle, request.consoleLog);
    return bundle;
  } catch (error) {
    throw error instanceof BundleProblem ? new OutputProblem(error.message) : error;
  }
}

/**
 * Posts the manifest and follows it; resolves where the worker says that all was done.
 * @returns whether the worker keeps the bundle beside
 * @throws RemoteFailure
 */
async function dispatch(
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
  const answer = await posted(
    {
      ...{ method: 'POST', url: urls.pull, signal: connection },
      headers: { ...authorization, ...KEEP_IT, 'Content-Type': 'application/json' },
      body: Buffer.from(JSON.stringify(build.manifest)),
      idleMs: idleOf(request),
    },
    request,
  );
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
    const words = `Worker '${worker.name}' could not run the cell: ${failureWords(said) ?? 'it does not say why'}`;
    throw new RemoteFailure('EXECUTOR_ERROR', words);
  }
  return isKept(answer);
}

function idleOf(request: RemoteRequest): number {
  return Math.max(limitSeconds(request) + 10, 30) * 1000;
}

/** A worker that cannot come here says so in its own words; what to do about it is known here. */
async function withWayOut(
  answer: IncomingMessage,
  request: RemoteRequest,
  build: Build,
): Promise<RemoteFailure> {
  const refusal = await refusalOf(answer, request.worker.name);
  const isOnTheWay = answer.statusCode === 502 || /address|host/i.test(refusal.message);
  if (![400, 502].includes(answer.statusCode ?? 0) || !isOnTheWay) return refusal;
  const { origin } = new URL(build.manifest.finalize_url);
  const words = `The worker has to reach this server at ${origin}. Where it cannot, name an address it reaches as svc_url of the worker; a private one must be among its SVC_WORKER_ALLOWED_HOSTS.`;
  return new RemoteFailure(refusal.code, `${refusal.message}\n${words}`);
}

/**
 * How it ended: what the build says counts before what its worker says. Where the worker's answer is lost the run may
 * go on and deliver: it is asked for, and the build waited for. @throws RemoteFailure
 */
async function outcomeOf(sent: Promise<boolean>, build: Build, run: RunElsewhere): Promise<void> {
  const ended = build.ended.then(() => null);
  const failureOf = (done: Promise<unknown>): Promise<{ readonly error: unknown } | null> =>
    done.then(
      () => null,
      (error: unknown) => ({ error }),
    );
  let wasReattached = false;
  let failed = await Promise.race([failureOf(sent), ended]);
  if (failed !== null && build.end() === null && mayRunOn(failed.error)) {
    failed = await Promise.race([failureOf(delivered(run, failed.error)), ended]);
    wasReattached = failed === null;
  }
  const end = build.end();
  if (end !== null) {
    // Its worker has only to say so, and keeps nothing for a build that has ended.
    const isKeptThere = wasReattached || (await Promise.race([keptBy(sent), soon()]));
    if (isKeptThere === true) void forget(run);
    return settled(end, run.worker);
  }
  if (failed !== null) throw failed.error;
  const words = `Worker '${run.worker}' says that the cell is done, but never finalized build ${build.buildId}: nothing of it was kept.`;
  throw new RemoteFailure('FINALIZE_FAILED', words);
}

/** Whether the worker keeps what it delivered; nothing where it did not say. */
const keptBy = (sent: Promise<boolean>): Promise<boolean> => sent.catch(() => false);

const soon = (): Promise<null> => delay(ANSWER_MS, null, { ref: false });

/** Until the run has ended on its worker. @throws `lost` where the worker cannot be asked; RemoteFailure */
async function delivered(run: RunElsewhere, lost: unknown): Promise<void> {
  const answer = await reattach(run);
  if (answer === null) throw lost;
  if (answer.statusCode !== 200) throw await refusalOf(answer, run.worker);
  answer.destroy();
  // It has its bundle, and is about to deliver it.
  await delay(DELIVERY_MS, undefined, { signal: run.signal, ref: false });
}

function settled(end: BuildEnd, worker: string): void {
  if (end.state === 'ready') return;
  const { code } = end;
  const words = `What worker '${worker}' delivered cannot be used: ${end.message}`;
  throw new RemoteFailure(code === 'CANCELLED' ? 'BUILD_FAILED' : code, words);
}

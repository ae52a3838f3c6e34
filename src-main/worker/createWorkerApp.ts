import { createHash, timingSafeEqual } from 'node:crypto';
import { createReadStream } from 'node:fs';
import type { Server } from 'node:http';
import {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  fastify,
  LogController,
} from 'fastify';
import type { CancelAnswer } from '../../src-shared/wire/worker/answers.ts';
import {
  CONSOLE_FEATURE,
  REATTACH_FEATURE,
  REATTACH_HEADER,
} from '../../src-shared/wire/worker/extensions.ts';
import type { WorkerHealth } from '../../src-shared/wire/worker/health.ts';
import {
  BUNDLE_CONTENT_TYPE,
  BUNDLE_FORMAT,
  EXECUTOR_PROTOCOL,
  EXECUTOR_PROTOCOL_HEADER,
  NOTEBOOK_CELL_PROTOCOL,
  NOTEBOOK_CELL_REF,
  NOTEBOOK_PROTOCOL_HEADER,
  PROTOCOL_HEADERS,
  WORKER_PATHS,
} from '../../src-shared/wire/worker/protocol.ts';
import { createLocalExecutor } from '../exec/local/localExecutor.ts';
import { createRRunner } from '../exec/local/r/rRunner.ts';
import type { Logger } from '../observe/log.ts';
import { Admission, type Place } from './admission.ts';
import { type CellJob, jobOfFlat, jobOfPush } from './cellJob.ts';
import { createPythonFinder } from './environments/pythonFinder.ts';
import { type Execution, Executions } from './executions.ts';
import { serveExtensions } from './extensionRoutes.ts';
import { createImportMemory } from './importMemory.ts';
import { lookAtMachine, type Machine } from './machine.ts';
import { buildIdOf, readPull, runPull } from './pull/runPull.ts';
import { createUrlGuard, type GuardOptions } from './pull/urlGuard.ts';
import { pushInputs } from './pushInputs.ts';
import { readForm } from './readForm.ts';
import { WorkerRefusal } from './refusal.ts';
import { type BookedRun, RunBook } from './runBook.ts';
import { type CellTools, runCell } from './runCell.ts';
import { makeRunFolder, type RunFolder } from './runFolder.ts';
import type { WorkerSettings } from './settings.ts';

/** What health reports; fixed by the protocol's observed workers (worker-details 8). */
export const WORKER_VERSION = '1.0.0';
/** Source, environment and specifications of one cell; its values come by URL. */
const MAX_MANIFEST_BYTES = 64 * 1024 * 1024;

export interface WorkerOptions {
  readonly settings: WorkerSettings;
  /** Holds `python/harness.py` and `r/harness.R`. */
  readonly harnessDir: string;
  readonly log: Logger;
  /** Processes kept warm; 0: every cell starts its interpreter. Default 2. */
  readonly poolSize?: number;
  /** A test's stand-in. */
  readonly resolve?: GuardOptions['resolve'];
  readonly machine?: Machine;
}

/** What a run holds while it is admitted. */
interface PlacedRun {
  readonly place: Place;
  readonly execution: Execution;
  readonly booked: BookedRun;
}

/** A worker: document 1's routes over an HTTP server that listens, or is given connections. */
export interface WorkerApp {
  /** Listens nowhere by itself; `server.emit('connection', duplex)` serves a connection that came another way. */
  readonly server: Server;
  readonly machine: Machine;
  /** @returns the port */
  listen(at: { readonly host: string; readonly port: number }): Promise<number>;
  /** Takes nothing new, and waits for what runs at most so long. */
  drain(ms: number): Promise<void>;
  /** Ends what runs, and every process with it. */
  close(): Promise<void>;
}

export async function createWorkerApp(options: WorkerOptions): Promise<WorkerApp> {
  const { settings, harnessDir, log, poolSize = 2 } = options;
  const startedAt = performance.now();
  const machine = options.machine ?? (await lookAtMachine(settings));
  const running = { harnessDir, envAllowlist: settings.envAllowlist, keepOurNames: true, poolSize };
  const executor = createLocalExecutor(running);
  const rRunner = createRRunner(running);
  const rememberImports = createImportMemory((interpreter, imports) => {
    executor
      .prepare(interpreter, imports)
      .catch((error: unknown) =>
        log.warn({ err: error }, 'a warm process with the imports of cells did not come up'),
      );
  });
  const findPython = createPythonFinder();
  const tools: CellTools = { settings, machine, executor, rRunner, findPython, rememberImports };
  const admission = new Admission(settings);
  const executions = new Executions();
  const guard = createUrlGuard({
    ...settings,
    ...(options.resolve === undefined ? {} : { resolve: options.resolve }),
  });
  const folders = new Set<RunFolder>();
  const removeFolder = async (folder: RunFolder): Promise<void> => {
    if (!folders.delete(folder)) return;
    await folder
      .remove()
      .catch((error: unknown) => log.warn({ err: error }, 'a folder of a run could not be removed'));
  };
  const runs = new RunBook({ drop: (folder) => void removeFolder(folder) });
  let isStopping = false;

  const http = fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    requestTimeout: 0,
    bodyLimit: MAX_MANIFEST_BYTES,
    return503OnClosing: false,
    exposeHeadRoutes: false,
  }) as unknown as FastifyInstance; // its logger is pino's, which the default type says less of
  http.removeAllContentTypeParsers();
  // Forms are read by stream, and what is refused is not read at all.
  http.addContentTypeParser('*', (_request, _payload, done) => done(null));
  http.setErrorHandler((error, request, reply) => answerError(error, request, reply));
  http.setNotFoundHandler((_request, reply) => reply.code(404).send({ detail: 'Not Found' }));
  http.addHook('onRequest', async (request, reply) => {
    if (request.routeOptions.url === WORKER_PATHS.health) return;
    const refused = whyUnauthorized(request.headers.authorization, settings.token);
    if (refused !== null) return reply.code(401).send({ detail: refused });
    if (isStopping) throw new WorkerRefusal(503, 'Worker is stopping', { retryAfterSeconds: 5 });
    checkVersions(request);
  });

  /** A folder for one request, gone once its answer is. */
  const withFolder = async (
    reply: FastifyReply,
    work: (folder: RunFolder) => Promise<unknown>,
  ): Promise<unknown> => {
    const folder = await makeRunFolder();
    folders.add(folder);
    const remove = async (): Promise<void> => {
      if (!runs.keeps(folder)) await removeFolder(folder);
    };
    // Whoever asked may be gone before the cell has ended: it runs on, and its folder with it (document 1).
    let isDone = false;
    const removeWhenBoth = (): void => {
      if (isDone && reply.raw.destroyed) void remove();
    };
    reply.raw.once('close', removeWhenBoth);
    try {
      const answer = await work(folder);
      isDone = true;
      removeWhenBoth();
      return answer;
    } catch (error) {
      await remove();
      throw error;
    }
  };

  /**
   * Does `work` in a place of its own, entered in the book and the log under its build id; whatever comes of it, the
   * place is free and the book closed before the answer is sent.
   */
  const inPlace = async (
    about: {
      readonly buildId: string | null;
      readonly trace: unknown;
      readonly folder: RunFolder;
    },
    { request, reply }: { readonly request: FastifyRequest; readonly reply: FastifyReply },
    work: (run: PlacedRun) => Promise<unknown>,
  ): Promise<unknown> => {
    const { buildId, trace, folder } = about;
    const place = admission.reserve();
    const execution = executions.open(buildId);
    const isKept = buildId !== null && wantsKept(request);
    const booked = runs.begin(buildId, folder, isKept);
    if (isKept) reply.header(REATTACH_HEADER, '1');
    const logged = { build_id: buildId, trace };
    request.log.info(logged, 'a cell runs');
    try {
      return await work({ place, execution, booked });
    } catch (error) {
      booked.failed(error);
      throw error;
    } finally {
      booked.close();
      execution.close();
      place.release();
      request.log.info(logged, 'a cell has ended');
    }
  };

  const push =
    (jobOf: (metadata: string | null) => CellJob) => (request: FastifyRequest, reply: FastifyReply) =>
      withFolder(reply, async (folder) => {
        const form = await readForm(request.raw, folder.inputs);
        const job = jobOf(form.metadata);
        const inputs = await pushInputs(job, form, folder.inputs);
        const about = { buildId: job.buildId, trace: request.headers.traceparent, folder };
        return inPlace(about, { request, reply }, async ({ place, execution, booked }) => {
          const run = { ...job, inputs, folder, place, execution, onConsole: booked.onConsole };
          const size = await runCell(tools, run);
          booked.bundled(size);
          reply.headers({
            ...PROTOCOL_HEADERS,
            'content-type': BUNDLE_CONTENT_TYPE,
            'content-length': String(size),
          });
          return reply.send(createReadStream(folder.bundle));
        });
      });

  const pull = (request: FastifyRequest, reply: FastifyReply) =>
    withFolder(reply, async (folder) => {
      const asked = await readPull(await bodyOf(request), guard);
      // An intermediate dispatcher forwards its own span in the header (document 1, Trace rule).
      const trace = request.headers.traceparent ?? asked.metadata.traceparent ?? undefined;
      const about = { buildId: buildIdOf(asked), trace, folder };
      return inPlace(about, { request, reply }, async (run) => {
        const answer = await runPull(tools, { request: asked, guard, folder, ...run });
        return reply.headers(PROTOCOL_HEADERS).send(answer);
      });
    });

  http.get(WORKER_PATHS.health, () => health({ settings, admission, machine, startedAt }));
  http.post(WORKER_PATHS.execute, push(jobOfPush));
  http.post(WORKER_PATHS.notebookExecute, push(jobOfFlat));
  http.post(WORKER_PATHS.executeManifest, pull);
  http.post(WORKER_PATHS.executeShort, pull);
  http.post('/v1/executions/:build_id/cancel', async (request): Promise<CancelAnswer> => {
    const { build_id } = request.params as { build_id: string }; // the route has it
    return { build_id, cancelled: await executions.cancel(build_id) };
  });
  serveExtensions(http, runs);
  await http.ready();

  return {
    server: http.server,
    machine,
    async listen({ host, port }) {
      await http.listen({ host, port });
      const address = http.server.address();
      return typeof address === 'object' && address !== null ? address.port : port;
    },
    async drain(ms) {
      isStopping = true;
      await idle(admission, ms);
    },
    async close() {
      isStopping = true;
      await executions.cancelAll();
      await Promise.all([executor.close(), rRunner.close()]);
      http.server.closeIdleConnections();
      runs.close();
      await http.close();
      await Promise.all([...folders].map((folder) => folder.remove()));
    },
  };
}

/** Whether the caller may come back for the bundle (docs/extensions.md). */
function wantsKept({ headers }: FastifyRequest): boolean {
  return headers[REATTACH_HEADER] === '1';
}

/** The words of the refusal, or null (document 1, Authentication). */
function whyUnauthorized(header: string | undefined, token: string | null): string | null {
  if (token === null) return null;
  const given = /^Bearer +(\S.*)$/i.exec(header ?? '')?.[1]?.trim();
  if (given === undefined) return 'Missing or malformed Authorization header (expected Bearer token)';
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(token)) ? null : 'Invalid worker token';
}

function checkVersions({ headers }: FastifyRequest): void {
  for (const [name, wanted] of [
    [EXECUTOR_PROTOCOL_HEADER, EXECUTOR_PROTOCOL],
    [NOTEBOOK_PROTOCOL_HEADER, NOTEBOOK_CELL_PROTOCOL],
  ] as const) {
    const said = headers[name];
    if (said === undefined || said === wanted) continue;
    throw new WorkerRefusal(400, `Unsupported ${name} ${JSON.stringify(said)}; this worker speaks ${wanted}`);
  }
}

async function bodyOf(request: FastifyRequest): Promise<string> {
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of request.raw) {
    length += (piece as Buffer).length;
    if (length > MAX_MANIFEST_BYTES) throw new WorkerRefusal(400, 'The manifest is too long');
    pieces.push(piece as Buffer);
  }
  return Buffer.concat(pieces).toString('utf8');
}

/** Who starts a worker waits for its health; what takes longer is known at the next asking. */
const HEALTH_WAIT_MS = 3_000;

async function soon<T>(wanted: Promise<T>, until: T): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<T>((done) => {
    timer = setTimeout(done, HEALTH_WAIT_MS, until);
  });
  return Promise.race([wanted, late]).finally(() => clearTimeout(timer));
}

async function health({
  settings,
  admission,
  machine,
  startedAt,
}: {
  readonly settings: WorkerSettings;
  readonly admission: Admission;
  readonly machine: Machine;
  readonly startedAt: number;
}): Promise<WorkerHealth> {
  return {
    status: 'healthy',
    capabilities: {
      protocol_versions: [EXECUTOR_PROTOCOL],
      transform_refs: [NOTEBOOK_CELL_REF],
      features: {
        notebook_protocol_version: NOTEBOOK_CELL_PROTOCOL,
        output_format: BUNDLE_FORMAT,
        pull_model: true,
        cancel: true,
        [CONSOLE_FEATURE]: true,
        [REATTACH_FEATURE]: true,
        locked_environments: machine.uv !== null,
        locked_r_environments: await soon(machine.restoresR, false),
        languages: [
          ...(machine.python === null ? [] : ['python']),
          ...(machine.rscript === null ? [] : ['r']),
        ],
      },
    },
    version: WORKER_VERSION,
    uptime_seconds: Math.round(performance.now() - startedAt) / 1000,
    launch_id: settings.launchId,
    active_executions: admission.active,
    max_concurrent: admission.maxConcurrent,
    gpu_slots: admission.gpuSlots,
    free_gpu_slots: admission.freeGpuSlots,
    hardware: await soon(machine.hardware, {}),
  };
}

function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  if (reply.raw.destroyed) return;
  reply.headers(PROTOCOL_HEADERS);
  // What was not read of the body is let pass, so that the sender gets to read the answer.
  if (!request.raw.readableEnded) request.raw.resume();
  if (error instanceof WorkerRefusal) {
    if (error.retryAfterSeconds !== null) reply.header('retry-after', String(error.retryAfterSeconds));
    const beside = error.isAdmitted ? { success: false, error: error.message } : {};
    void reply.code(error.status).send({ detail: error.message, ...beside });
    return;
  }
  const status = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 500;
  if (status >= 400 && status < 500 && error instanceof Error) {
    void reply.code(status).send({ detail: error.message });
    return;
  }
  request.log.error({ err: error }, 'an execution could not be served');
  const words = error instanceof Error ? error.message : String(error);
  void reply.code(500).send({ detail: words, success: false, error: words });
}

const LOOK_MS = 50;

/** Until nothing runs, or the time is up. */
async function idle(admission: Admission, drainMs: number): Promise<void> {
  const until = performance.now() + drainMs;
  while (admission.active > 0 && performance.now() < until) {
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}

/**
 * The worker's HTTP server: the routes of docs/spec/worker-protocol.md over Fastify, and the lifetime of everything a
 * cell needs (executors, environments, folders, the registry of runs). `runCell` and `runPull` do the work of a
 * request; this file admits, registers and answers it.
 */

import type { Server } from 'node:http';
import {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  fastify,
  LogController,
} from 'fastify';
import type { CancelAnswer } from '../../src-shared/wire/worker/answers.ts';
import { REATTACH_HEADER } from '../../src-shared/wire/worker/extensions.ts';
import {
  BUNDLE_CONTENT_TYPE,
  PROTOCOL_HEADERS,
  WORKER_PATHS,
} from '../../src-shared/wire/worker/protocol.ts';
import type { PythonInterpreter } from '../exec/interpreter.ts';
import { createLocalExecutor } from '../exec/local/localExecutor.ts';
import { createRRunner } from '../exec/local/r/rRunner.ts';
import { noCompilers } from '../lib/noCompilers.ts';
import type { Logger } from '../observe/log.ts';
import { inSpan, NO_TRACING, type TraceHeaders, type Tracing, traceIn } from '../observe/tracing.ts';
import { Admission, type Slot } from './admission.ts';
import { answerError } from './answerError.ts';
import { type CellJob, jobOfFlat, jobOfPush } from './cellJob.ts';
import { createEnvironmentKeeper } from './environments/environmentKeeper.ts';
import { createEnvironmentMemory } from './environments/environmentMemory.ts';
import { type Execution, Executions } from './executions.ts';
import { serveExtensions } from './extensionRoutes.ts';
import { health } from './health.ts';
import { createImportMemory } from './importMemory.ts';
import { InFlight } from './inFlight.ts';
import { type Machine, readMachine } from './machine.ts';
import { buildIdOf, readPull, runPull } from './pull/runPull.ts';
import { createUrlGuard, type GuardOptions } from './pull/urlGuard.ts';
import { pushInputs } from './pushInputs.ts';
import { readForm } from './readForm.ts';
import { WorkerRefusal } from './refusal.ts';
import { checkVersions, whyUnauthorized } from './requestChecks.ts';
import { type CellTools, runCell } from './runCell.ts';
import type { RunFolder } from './runFolder.ts';
import { RunFolders } from './runFolders.ts';
import { type RegisteredRun, RunRegistry } from './runRegistry.ts';
import type { WorkerSettings } from './settings.ts';
import { limitWarmEnvironments } from './warmLimits.ts';
import { MAX_MANIFEST_BYTES, wholeBody } from './wholeBody.ts';

export interface WorkerOptions {
  readonly settings: WorkerSettings;
  /** The folder with `python/harness.py` and `r/harness.R`. */
  readonly harnessDir: string;
  readonly log: Logger;
  /** The number of warm processes; 0: every cell starts its interpreter. Default 2. */
  readonly poolSize?: number;
  /** For tests. */
  readonly resolve?: GuardOptions['resolve'];
  readonly machine?: Machine;
  readonly tracing?: Tracing;
}

/** The resources of an admitted run. */
interface AdmittedRun {
  readonly slot: Slot;
  readonly execution: Execution;
  readonly entry: RegisteredRun;
}

/** A worker, which listens or is given connections. */
export interface WorkerApp {
  /** Not listening until `listen`; `server.emit('connection', duplex)` serves a connection from another source. */
  readonly server: Server;
  readonly machine: Machine;
  /** @returns the port */
  listen(at: { readonly host: string; readonly port: number }): Promise<number>;
  /** Refuses new cells, and waits at most `ms` until all cells have ended and their bundles are sent or uploaded. */
  drain(ms: number): Promise<void>;
  /** Ends all executions, processes and connections. */
  close(): Promise<void>;
}

/** The routes that a stopping worker refuses. */
const CELL_ROUTES: ReadonlySet<string> = new Set([
  WORKER_PATHS.execute,
  WORKER_PATHS.notebookExecute,
  WORKER_PATHS.executeManifest,
  WORKER_PATHS.executeShort,
]);
/** How long the responses of cancelled runs may take. */
const LAST_RESPONSES_MS = 1_000;

export async function createWorkerApp(options: WorkerOptions): Promise<WorkerApp> {
  const { settings, harnessDir, log, tracing = NO_TRACING } = options;
  const poolSize = settings.warm.environments === 0 ? 0 : (options.poolSize ?? 2);
  const startedAt = performance.now();
  const machine = options.machine ?? (await readMachine(settings));
  const runnerOptions = { harnessDir, envAllowlist: settings.envAllowlist, keepServerNames: true, poolSize };
  const executor = createLocalExecutor(runnerOptions);
  const rRunner = createRRunner(runnerOptions);
  const imports = createImportMemory((interpreter, names) => {
    executor
      .prepare(interpreter, names)
      .then(() => warm.enforce())
      .catch((error: unknown) =>
        log.warn({ err: error }, 'a warm process with the imports of cells did not start'),
      );
  });
  const warm = limitWarmEnvironments({
    executor,
    limits: settings.warm,
    onCooled: imports.cooled,
    onError: (error) => log.warn({ err: error }, 'warm processes could not be checked'),
  });
  const environments = createEnvironmentKeeper({
    envRoot: settings.envRoot,
    limits: settings.envLimits,
    log,
    lingerMs: settings.warm.idleMs + LINGER_MS,
  });
  const memories = {
    pythons: createEnvironmentMemory<PythonInterpreter>(),
    rLibraries: createEnvironmentMemory<string>(),
  };
  const tools: CellTools = {
    settings,
    machine,
    executor: warm,
    rRunner,
    environments,
    ...memories,
    rememberImports: imports.remember,
  };
  const admission = new Admission(settings);
  const executions = new Executions();
  const inFlight = new InFlight();
  const guard = createUrlGuard({
    ...settings,
    ...(options.resolve === undefined ? {} : { resolve: options.resolve }),
  });
  const runs: RunRegistry = new RunRegistry({ drop: (folder) => void folders.remove(folder) });
  const folders = new RunFolders({ log, keeps: (folder) => runs.keeps(folder) });
  let isStopping = false;

  const http = fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    requestTimeout: 0,
    bodyLimit: MAX_MANIFEST_BYTES,
    return503OnClosing: false,
    exposeHeadRoutes: false,
    schemaController: noCompilers,
  }) as unknown as FastifyInstance; // its logger is pino's, which has more members than the default type
  http.removeAllContentTypeParsers();
  // Forms are read as streams, and the body of a refused request is not read at all.
  http.addContentTypeParser('*', (_request, _payload, done) => done(null));
  http.setErrorHandler((error, request, reply) => answerError(error, request, reply));
  http.setNotFoundHandler((_request, reply) => reply.code(404).send({ detail: 'Not Found' }));
  http.addHook('onRequest', async (request, reply) => {
    if (request.routeOptions.url === WORKER_PATHS.health) return;
    const refusal = whyUnauthorized(request.headers.authorization, settings.token);
    if (refusal !== null) return reply.code(401).send({ detail: refusal });
    if (isStopping && CELL_ROUTES.has(request.routeOptions.url ?? '')) {
      throw new WorkerRefusal(503, 'Worker is stopping', { retryAfterSeconds: 5 });
    }
    checkVersions(request);
  });

  /**
   * Does `work` in a reserved slot, and registers it in the registry of runs and the log under its build id. The slot
   * is free and the entry closed before the response is sent, whatever the outcome.
   */
  const inSlot = async (
    about: {
      readonly buildId: string | null;
      readonly trace: TraceHeaders;
      readonly folder: RunFolder;
    },
    { request, reply }: { readonly request: FastifyRequest; readonly reply: FastifyReply },
    work: (run: AdmittedRun) => Promise<unknown>,
  ): Promise<unknown> => {
    const { buildId, trace, folder } = about;
    const slot = admission.reserve();
    const execution = executions.open(buildId);
    const isStored = buildId !== null && wantsReattach(request);
    const entry = runs.begin(buildId, folder, isStored);
    if (isStored) reply.header(REATTACH_HEADER, '1');
    const logFields = { build_id: buildId, trace: trace.traceparent };
    const attributes = buildId === null ? {} : { build_id: buildId };
    request.log.info(logFields, 'a cell runs');
    try {
      return await inSpan(tracing, 'worker.execute', { kind: 'server', parent: trace, attributes }, () =>
        work({ slot, execution, entry }),
      );
    } catch (error) {
      entry.failed(error);
      throw error;
    } finally {
      entry.close();
      execution.close();
      slot.release();
      request.log.info(logFields, 'a cell has ended');
    }
  };

  const during: RunFolders['during'] = (reply, work) =>
    inFlight.during(reply.raw, () => folders.during(reply, work));

  const push =
    (jobOf: (metadata: string | null) => CellJob) => (request: FastifyRequest, reply: FastifyReply) =>
      during(reply, async (folder) => {
        const form = await readForm(request.raw, folder.inputs);
        const job = jobOf(form.metadata);
        const inputs = await pushInputs(job, form, folder.inputs);
        const about = { buildId: job.buildId, trace: traceIn(request.headers), folder };
        return inSlot(about, { request, reply }, async ({ slot, execution, entry }) => {
          const run = { ...job, inputs, folder, slot, execution, onConsole: entry.onConsole };
          const bundle = await runCell(tools, run);
          entry.bundled(bundle);
          reply.headers({
            ...PROTOCOL_HEADERS,
            'content-type': BUNDLE_CONTENT_TYPE,
            'content-length': String(bundle.bytes),
          });
          return reply.send(bundle.stream());
        });
      });

  const pull = (request: FastifyRequest, reply: FastifyReply) =>
    during(reply, async (folder) => {
      const pullRequest = await readPull(await wholeBody(request.raw), guard);
      // An intermediate dispatcher forwards its own span in the header (docs/spec/worker-protocol.md, 5.1).
      const headerTrace = traceIn(request.headers);
      const trace = headerTrace.traceparent === undefined ? traceIn(pullRequest.metadata) : headerTrace;
      const about = { buildId: buildIdOf(pullRequest), trace, folder };
      return inSlot(about, { request, reply }, async (run) => {
        const answer = await runPull(tools, { request: pullRequest, guard, folder, ...run });
        return reply.headers(PROTOCOL_HEADERS).send(answer);
      });
    });

  http.get(WORKER_PATHS.health, () =>
    health({ settings, admission, active: inFlight.count, machine, startedAt }),
  );
  http.post(WORKER_PATHS.execute, push(jobOfPush));
  http.post(WORKER_PATHS.notebookExecute, push(jobOfFlat));
  http.post(WORKER_PATHS.executeManifest, pull);
  http.post(WORKER_PATHS.executeShort, pull);
  http.post('/v1/executions/:build_id/cancel', async (request): Promise<CancelAnswer> => {
    const { build_id } = request.params as { build_id: string }; // declared by the route
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
      await inFlight.settled(ms);
    },
    async close() {
      isStopping = true;
      await executions.cancelAll();
      warm.close();
      await Promise.all([executor.close(), rRunner.close()]);
      await environments.close();
      runs.close();
      // Lets cancelled runs send their responses.
      await inFlight.settled(LAST_RESPONSES_MS);
      const closed = http.close();
      http.server.closeAllConnections();
      await closed;
      await folders.close();
    },
  };
}

/** Whether the caller may fetch the bundle later (docs/extensions.md). */
function wantsReattach({ headers }: FastifyRequest): boolean {
  return headers[REATTACH_HEADER] === '1';
}

/** How long the warm processes of an unused environment may take to end. */
const LINGER_MS = 60_000;

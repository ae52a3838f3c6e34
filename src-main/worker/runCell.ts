import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { HarnessManifest, StoredInput } from '../../src-shared/wire/harness.ts';
import type { CellParams } from '../../src-shared/wire/worker/envelope.ts';
import type { ConsoleText, ExecRequest, Executor, PythonInterpreter } from '../exec/executor.ts';
import { type PackedBundle, packBundle } from '../exec/outputBundle/packBundle.ts';
import { TIMEOUT_LADDER } from '../lib/processGroup.ts';
import { createMounts, type ReadyMount, writeAllBack } from '../mount/mounts.ts';
import { openObjectStore } from '../mount/remote/openObjectStore.ts';
import type { Place } from './admission.ts';
import type { EnvironmentKeeper } from './environments/environmentKeeper.ts';
import type { EnvironmentMemory } from './environments/environmentMemory.ts';
import { lockedPython } from './environments/lockedPython.ts';
import { lockedR } from './environments/lockedR.ts';
import type { Execution } from './executions.ts';
import type { Machine } from './machine.ts';
import { runRefusal } from './refusal.ts';
import type { RunFolder } from './runFolder.ts';
import type { WorkerSettings } from './settings.ts';

export interface CellTools {
  readonly settings: WorkerSettings;
  readonly machine: Machine;
  readonly executor: Pick<Executor, 'run'>;
  readonly rRunner: Pick<Executor, 'run'>;
  readonly pythons: EnvironmentMemory<PythonInterpreter>;
  readonly rLibraries: EnvironmentMemory<string>;
  readonly environments: Pick<EnvironmentKeeper, 'hold'>;
  /** Of a cell that ran well: the next ones find what it imported warm. */
  readonly rememberImports: (interpreter: PythonInterpreter, source: string) => void;
}

export interface CellRun {
  readonly buildId: string | null;
  readonly params: CellParams;
  readonly inputs: Readonly<Record<string, StoredInput>>;
  readonly folder: RunFolder;
  readonly place: Place;
  readonly execution: Execution;
  readonly onConsole: (text: ConsoleText) => void;
  /** What whoever asked takes of the bundle as a whole; absent: no less than a bundle may be. */
  readonly maxBundleBytes?: number;
}

/** Longest log of one stream that goes into a bundle whole. */
const MAX_LOG_BYTES = 256 * 1024 * 1024;

/**
 * Runs one cell in a fresh process and packs what it left; a cell that raises is a bundle too.
 * @throws WorkerRefusal 400 unknown language, 408 timeout, 409 cancelled before it started, 500 anything else
 */
export async function runCell(tools: CellTools, run: CellRun): Promise<PackedBundle> {
  const { params, folder, execution, place } = run;
  let release = (): void => undefined;
  try {
    const language = languageOf(params);
    execution.check();
    const how = language === 'r' ? await rOf(tools, run) : await pythonOf(tools, run);
    release = how.release;
    execution.check();
    const mounts = await mountsOf(tools, run);
    execution.check();
    const gpu = place.gpu === null ? {} : { CUDA_VISIBLE_DEVICES: String(place.gpu) };
    const processEnv = { ...how.processEnv, ...gpu };
    const logs = join(folder.path, 'console');
    mkdirSync(logs);
    const consoleLog = { stdout: join(logs, 'stdout'), stderr: join(logs, 'stderr') };
    const request: ExecRequest = {
      runId: run.buildId ?? 'run',
      cellId: params.svc_cell_id ?? '',
      ...(params.svc_notebook_id === undefined ? {} : { notebookId: params.svc_notebook_id }),
      cellName: params.cell_name ?? 'cell',
      language,
      interpreter: how.interpreter,
      source: params.source,
      ...(params.setup === undefined
        ? {}
        : { setup: { source: params.setup.source, cellName: params.setup.cell_name } }),
      inputs: run.inputs,
      mounts: mounts.manifest,
      tables: tablesOf(params),
      env: { ...params.env, ...gpu },
      ...(Object.keys(processEnv).length === 0 ? {} : { processEnv }),
      store: params.store ?? 'all',
      ...(params.unread === undefined ? {} : { unread: params.unread }),
      mutationDefines: params.mutation_defines,
      ...(params.below === undefined ? {} : { below: params.below }),
      ...(params.input_uris === undefined ? {} : { inputUris: params.input_uris }),
      timeoutSeconds: params.timeout_seconds,
      cwd: folder.work,
      outputDir: folder.output,
      consoleLog: { ...consoleLog, maxBytes: MAX_LOG_BYTES },
      mode: 'auto',
    };
    const running = how.runner.run(request, {
      signal: execution.signal,
      cancelLadder: TIMEOUT_LADDER,
      onConsole: run.onConsole,
    });
    execution.harnessStarts(running);
    const outcome = await running;
    place.release();
    if (outcome.kind === 'timeout') {
      throw runRefusal(408, `Cell execution timed out after ${params.timeout_seconds} seconds`);
    }
    if (outcome.kind !== 'finished') {
      const words = outcome.kind === 'cancelled' ? outcome.stderr.trim().slice(-4_000) : outcome.message;
      throw runRefusal(500, `Harness did not produce harness-result.json: ${words}`);
    }
    if (outcome.result.success) {
      if (language === 'python') tools.rememberImports(how.interpreter, params.source);
      const problem = await writeAllBack(mounts.ready, execution.signal);
      if (problem !== null) throw runRefusal(500, problem);
    }
    const { result, durationMs, stdout, stderr } = outcome;
    const hardware = await tools.machine.hardware;
    const { maxMemberBytes } = tools.settings;
    return await packBundle({
      ...{ result, outputDir: folder.output, durationMs, stdout, stderr },
      ...{ consoleLog, hardware, maxMemberBytes },
      ...(run.maxBundleBytes === undefined ? {} : { maxBundleBytes: run.maxBundleBytes }),
    });
  } finally {
    release();
    place.release();
  }
}

function languageOf({ language }: CellParams): 'python' | 'r' {
  if (language === null || language === undefined || language === 'python') return 'python';
  if (language === 'r') return 'r';
  throw runRefusal(400, `Unknown cell language ${JSON.stringify(language)}; this worker runs python and r`);
}

interface How {
  readonly runner: Pick<Executor, 'run'>;
  readonly interpreter: PythonInterpreter;
  readonly processEnv: Readonly<Record<string, string>>;
  /** Its environment is used no more. */
  readonly release: () => void;
}

const NOTHING_HELD = (): void => undefined;

async function pythonOf(
  { machine, settings, executor, pythons: memory, environments }: CellTools,
  { params, execution }: CellRun,
): Promise<How> {
  if (params.environment !== null && params.environment !== undefined) {
    const { uv, environmentsProblem: problem } = machine;
    const options = { ...settings, uv, problem, memory, signal: execution.signal };
    const { held, release } = await inLock(execution, () =>
      environments.hold(async () => {
        const interpreter = await lockedPython(params.environment, options);
        return { interpreter, dir: dirname(dirname(interpreter.path)) };
      }),
    );
    return { runner: executor, interpreter: held.interpreter, processEnv: {}, release };
  }
  if (machine.python === null) throw runRefusal(500, 'No Python 3.10 or newer is installed on this worker');
  return { runner: executor, interpreter: machine.python, processEnv: {}, release: NOTHING_HELD };
}

async function rOf(
  { machine, settings, rRunner, rLibraries: memory, environments }: CellTools,
  { params, execution }: CellRun,
): Promise<How> {
  const { rscript } = machine;
  if (rscript === null) throw runRefusal(500, 'Rscript is not installed on this worker');
  const interpreter = { path: rscript, identity: rscript };
  if (params.environment === null || params.environment === undefined) {
    return { runner: rRunner, interpreter, processEnv: {}, release: NOTHING_HELD };
  }
  const options = { ...settings, rscript, memory, signal: execution.signal };
  const { held, release } = await inLock(execution, () =>
    environments.hold(async () => ({ dir: await lockedR(params.environment, options) })),
  );
  return { runner: rRunner, interpreter, processEnv: { R_LIBS: held.dir }, release };
}

/** A lock that cannot be had fails the cell with the reason (worker-protocol 13). */
async function inLock<T>(execution: Execution, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    execution.check();
    throw runRefusal(500, `locked environment: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function tablesOf({ tables }: CellParams): NonNullable<HarnessManifest['tables']> {
  return Object.fromEntries(
    Object.entries(tables).map(([name, { uri, snapshot_id }]) => [
      name,
      { uri, snapshot_id: snapshot_id ?? null },
    ]),
  );
}

/** Mirrored for this run alone, with the worker's own credentials (worker-process 5). */
async function mountsOf({ settings }: CellTools, { params, folder, execution }: CellRun) {
  const mounts = createMounts({
    notebookDir: folder.path,
    credentials: {
      named: settings.credentials,
      byScheme: settings.mountCredentials,
      notebookEnv: () => ({}),
      serverEnv: process.env,
    },
    open: openObjectStore,
  });
  const manifest: NonNullable<HarnessManifest['mounts']> = {};
  const ready: { name: string; ready: ReadyMount }[] = [];
  for (const { name, uri, mode, options, credential } of params.mounts) {
    const mount = { name, uri, mode, options, pin: null, credential: credential ?? null };
    const found = await mounts.ready(mount, {
      key: `${name} ${uri}`,
      token: null,
      scratchDir: folder.path,
      signal: execution.signal,
    });
    execution.check();
    if ('problem' in found) throw runRefusal(500, `The mount \`${name}\` cannot be had: ${found.problem}`);
    manifest[name] = { uri, mode, local_path: found.path };
    ready.push({ name, ready: found });
  }
  return { manifest, ready };
}

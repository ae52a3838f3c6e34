/**
 * Runs one cell on a worker: prepares its environment, mounts and GPU, runs the harness once, and packs the
 * bundle of its results. Both forms of requests, push and pull, come here with their inputs on disk.
 */

import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { LANGUAGES } from '../../src-shared/notebook/languages/languages.ts';
import type { HarnessManifest, StoredInput } from '../../src-shared/wire/harness.ts';
import type { CellParams } from '../../src-shared/wire/worker/envelope.ts';
import type { ConsoleText, ExecRequest, Executor } from '../exec/executor.ts';
import type { PythonInterpreter } from '../exec/interpreter.ts';
import { type PackedBundle, packBundle } from '../exec/outputBundle/packBundle.ts';
import { TIMEOUT_LADDER } from '../lib/processGroup.ts';
import { createMounts, type ReadyMount, writeAllBack } from '../mount/mounts.ts';
import { openObjectStore } from '../mount/remote/openObjectStore.ts';
import { notebookFolder } from '../notebook/folder/notebookFolder.ts';
import type { Slot } from './admission.ts';
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
  /** Called after a cell has succeeded, so that a warm process loads its imports for the next cells. */
  readonly rememberImports: (interpreter: PythonInterpreter, source: string) => void;
}

interface CellRun {
  readonly buildId: string | null;
  readonly params: CellParams;
  readonly inputs: Readonly<Record<string, StoredInput>>;
  readonly folder: RunFolder;
  readonly slot: Slot;
  readonly execution: Execution;
  readonly onConsole: (text: ConsoleText) => void;
  /** The client's limit for the whole bundle; absent: no limit of its own. */
  readonly maxBundleBytes?: number;
}

/** The longest log of one stream that a bundle contains in full. */
const MAX_LOG_BYTES = 256 * 1024 * 1024;

/**
 * Runs one cell in a fresh process and packs its results; a cell that raises has a bundle too.
 * @throws WorkerRefusal 400 unknown language, 408 timeout, 409 cancelled before it started, 500 anything else
 */
export async function runCell(tools: CellTools, run: CellRun): Promise<PackedBundle> {
  const { params, folder, execution, slot } = run;
  let release = (): void => undefined;
  try {
    const language = languageOf(params);
    execution.check();
    const runtime = await RUNTIMES[language](tools, run);
    release = runtime.release;
    execution.check();
    const mounts = await mountsOf(tools, run);
    execution.check();
    const gpu = slot.gpu === null ? {} : { CUDA_VISIBLE_DEVICES: String(slot.gpu) };
    const processEnv = { ...runtime.processEnv, ...gpu };
    const logs = join(folder.path, 'console');
    mkdirSync(logs);
    const consoleLog = { stdout: join(logs, 'stdout'), stderr: join(logs, 'stderr') };
    const request: ExecRequest = {
      runId: run.buildId ?? 'run',
      cellId: params.svc_cell_id ?? '',
      ...(params.svc_notebook_id === undefined ? {} : { notebookId: params.svc_notebook_id }),
      cellName: params.cell_name ?? 'cell',
      language,
      interpreter: runtime.interpreter,
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
    const outcomePromise = runtime.runner.run(request, {
      signal: execution.signal,
      cancelLadder: TIMEOUT_LADDER,
      onConsole: run.onConsole,
    });
    execution.harnessStarts(outcomePromise);
    const outcome = await outcomePromise;
    slot.release();
    if (outcome.kind === 'timeout') {
      throw runRefusal(408, `Cell execution timed out after ${params.timeout_seconds} seconds`);
    }
    if (outcome.kind !== 'finished') {
      const reason = outcome.kind === 'cancelled' ? outcome.stderr.trim().slice(-4_000) : outcome.message;
      throw runRefusal(500, `Harness did not produce harness-result.json: ${reason}`);
    }
    if (outcome.result.success) {
      if (LANGUAGES[language].packages === 'python')
        tools.rememberImports(runtime.interpreter, params.source);
      const problem = await writeAllBack(mounts.ready, execution.signal);
      if (problem !== null) throw runRefusal(500, problem);
    }
    const { result, durationMs, stdout, stderr } = outcome;
    const hardware = await tools.machine.hardware;
    const { maxMemberBytes } = tools.settings;
    return await packBundle({
      result,
      outputDir: folder.output,
      durationMs,
      stdout,
      stderr,
      consoleLog,
      hardware,
      maxMemberBytes,
      ...(run.maxBundleBytes === undefined ? {} : { maxBundleBytes: run.maxBundleBytes }),
    });
  } finally {
    release();
    slot.release();
  }
}

/** How the cells of each language are run here. */
const RUNTIMES = { python: pythonOf, r: rOf } as const;

function languageOf(params: CellParams): keyof typeof RUNTIMES {
  const name = params.language ?? 'python';
  for (const language of ['python', 'r'] as const) if (name === language) return language;
  throw runRefusal(400, `Unknown cell language ${JSON.stringify(name)}; this worker runs python and r`);
}

interface Runtime {
  readonly runner: Pick<Executor, 'run'>;
  readonly interpreter: PythonInterpreter;
  readonly processEnv: Readonly<Record<string, string>>;
  /** Ends the use of its environment. */
  readonly release: () => void;
}

const NO_RELEASE = (): void => undefined;

async function pythonOf(
  { machine, settings, executor, pythons: memory, environments }: CellTools,
  { params, execution }: CellRun,
): Promise<Runtime> {
  if (params.environment !== null && params.environment !== undefined) {
    const { uv, environmentsProblem: problem } = machine;
    const options = { ...settings, uv, problem, memory, signal: execution.signal };
    const { held: environment, release } = await withLockErrors(execution, () =>
      environments.hold(async () => {
        const interpreter = await lockedPython(params.environment, options);
        return { interpreter, dir: dirname(dirname(interpreter.path)) };
      }),
    );
    return { runner: executor, interpreter: environment.interpreter, processEnv: {}, release };
  }
  if (machine.python === null) throw runRefusal(500, 'No Python 3.10 or newer is installed on this worker');
  return { runner: executor, interpreter: machine.python, processEnv: {}, release: NO_RELEASE };
}

async function rOf(
  { machine, settings, rRunner, rLibraries: memory, environments }: CellTools,
  { params, execution }: CellRun,
): Promise<Runtime> {
  const { rscript } = machine;
  if (rscript === null) throw runRefusal(500, 'Rscript is not installed on this worker');
  const interpreter = { path: rscript, identity: rscript };
  if (params.environment === null || params.environment === undefined) {
    return { runner: rRunner, interpreter, processEnv: {}, release: NO_RELEASE };
  }
  const options = { ...settings, rscript, memory, signal: execution.signal };
  const { held: environment, release } = await withLockErrors(execution, () =>
    environments.hold(async () => ({ dir: await lockedR(params.environment, options) })),
  );
  return { runner: rRunner, interpreter, processEnv: { R_LIBS: environment.dir }, release };
}

/** Fails the cell with the reason if its locked environment is not available (docs/spec/worker-protocol.md, 13). */
async function withLockErrors<T>(execution: Execution, work: () => Promise<T>): Promise<T> {
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

/** Mirrors the mounts for this run only, with the worker's credentials (docs/spec/worker-process.md, 5). */
async function mountsOf({ settings }: CellTools, { params, folder, execution }: CellRun) {
  const mounts = createMounts({
    notebookDir: notebookFolder(folder.path),
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
    const mirror = await mounts.ready(mount, {
      key: `${name} ${uri}`,
      token: null,
      scratchDir: folder.path,
      signal: execution.signal,
    });
    execution.check();
    if ('problem' in mirror)
      throw runRefusal(500, `The mount \`${name}\` is not available: ${mirror.problem}`);
    manifest[name] = { uri, mode, local_path: mirror.path };
    ready.push({ name, ready: mirror });
  }
  return { manifest, ready };
}

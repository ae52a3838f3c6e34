/** The executor of this machine: runs each cell in a process of its own. */

import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Executor } from '../executor.ts';
import type { Inspection } from '../inspection.ts';
import type { PythonInterpreter } from '../interpreter.ts';
import type { KeptProcess } from '../keptProcess.ts';
import { childEnvironment } from './childEnvironment.ts';
import type { RunStarts } from './followRun.ts';
import { needsFreshProcess } from './freshProcess.ts';
import { createGpuMemory } from './gpuMemory.ts';
import { InspectProcess } from './inspectProcess.ts';
import { KeptConnections } from './keptConnections.ts';
import { createRunTracker } from './runTracker.ts';
import { SingleProcess } from './singleProcess.ts';
import { createWarmProcesses } from './warmProcesses.ts';

export interface LocalExecutorOptions {
  /** The folder with `python/harness.py`. */
  readonly harnessDir: string;
  /** SVC_NOTEBOOK_HARNESS_ENV_ALLOWLIST; null: no restriction. */
  readonly envAllowlist: readonly string[] | null;
  /** On a worker: cells also get its SVC_* and NODE_* names, without its secrets (docs/spec/worker-protocol.md, 1). */
  readonly keepServerNames?: boolean;
  /**
   * SVC_NOTEBOOK_WARM_POOL_SIZE: spares per environment where there is no template; 0: no warm process of either kind.
   */
  readonly poolSize: number;
  /** Fork from a template instead of using spares. Default: on Linux. */
  readonly useTemplate?: boolean;
}

/** Runs cells on this machine, each in its own process: forked, taken from a pool, or started cold. */
export function createLocalExecutor(options: LocalExecutorOptions): Executor {
  const harness = join(options.harnessDir, 'python', 'harness.py');
  const environmentOf = (python: string) =>
    childEnvironment({
      base: process.env,
      allowlist: options.envAllowlist,
      keepServerNames: options.keepServerNames ?? false,
      python,
    });
  const warmth = createWarmProcesses({
    useTemplate: options.useTemplate ?? process.platform === 'linux',
    poolSize: options.poolSize,
    processOptions: (interpreter) => ({
      python: interpreter.path,
      harness,
      env: environmentOf(interpreter.path),
      // Not a notebook's folder: a warm process there would block its removal or unmounting.
      cwd: homedir(),
    }),
  });
  const consoles = new Set<Inspection>();

  const connections = new KeptConnections();
  const keptProcesses = new Set<KeptProcess>();
  const gpu = createGpuMemory({ env: process.env });
  const starts: RunStarts = {
    gpu,
    kept: connections,
    warm: (request, manifest, onOutput) =>
      request.processEnv === undefined && !needsFreshProcess(request)
        ? warmth.start(request.interpreter, { variables: request.env, manifest, onOutput })
        : null,
    cold: (request, manifest, onOutput) =>
      SingleProcess.once(
        manifest,
        {
          python: request.interpreter.path,
          harness,
          env: { ...environmentOf(request.interpreter.path), ...request.processEnv },
          cwd: request.cwd,
        },
        onOutput,
      ),
  };

  const runs = createRunTracker(starts);
  return {
    run: (request, runOptions) => {
      const { onKept } = runOptions;
      if (onKept === undefined) return runs.run(request, runOptions);
      const remember = (process: KeptProcess): void => {
        keptProcesses.add(process);
        void process.ended.then(() => keptProcesses.delete(process));
        onKept(process);
      };
      return runs.run(request, { ...runOptions, onKept: remember });
    },
    inspect(request) {
      const { interpreter, cwd } = request;
      const env = environmentOf(interpreter.path);
      const console = new InspectProcess(request, { python: interpreter.path, harness, env, cwd });
      consoles.add(console);
      void console.ended.then(() => consoles.delete(console));
      if (runs.closing.aborted) void console.close();
      return console;
    },
    async prepare(interpreter, imports, variables) {
      if (runs.closing.aborted) return;
      try {
        await warmth.prepare(interpreter, imports, variables);
      } catch (error) {
        // A process that closing ended early did not fail.
        if (!runs.closing.aborted) throw error;
      }
    },
    retire: (interpreter: PythonInterpreter) => warmth.retire(interpreter),
    memory: () => warmth.memory(),
    async close() {
      await Promise.all([runs.close(), ...Array.from(consoles, (console) => console.close())]);
      await Promise.all(Array.from(keptProcesses, (process) => process.close()));
      gpu.close();
      await connections.close();
      await warmth.close();
    },
  };
}

import { rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { HARNESS_RESULT_FILE } from '../../../src-shared/wire/harness.ts';
import { CANCEL_LADDER, climb, type StopSignal, TIMEOUT_LADDER } from '../../lib/processGroup.ts';
import { readResult, writeManifest } from '../bundle.ts';
import { ConsoleFeed } from '../consoleFeed.ts';
import type { ExecOutcome, ExecRequest, Executor, PythonInterpreter, RunOptions } from '../executor.ts';
import type { Inspection } from '../inspection.ts';
import { childEnvironment } from './childEnvironment.ts';
import { explainCrash } from './explainCrash.ts';
import { InspectProcess } from './inspectProcess.ts';
import type { OnOutput, RunEnd, RunningCell } from './runningCell.ts';
import { SingleProcess } from './singleProcess.ts';
import { createWarmth } from './warmth.ts';

export interface LocalExecutorOptions {
  /** Holds `python/harness.py`. */
  readonly harnessDir: string;
  /** SVC_NOTEBOOK_HARNESS_ENV_ALLOWLIST; null narrows nothing. */
  readonly envAllowlist: readonly string[] | null;
  /** SVC_NOTEBOOK_WARM_POOL_SIZE: spares per environment where there is no template; 0 means no warm process of either kind. */
  readonly poolSize: number;
  /** Fork from a template instead of keeping spares. Default: on Linux. */
  readonly useTemplate?: boolean;
}

/** Longest delay a timer takes. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** Runs cells on this machine, each in a process of its own: forked, taken from a pool, or spawned. */
export function createLocalExecutor(options: LocalExecutorOptions): Executor {
  const harness = join(options.harnessDir, 'python', 'harness.py');
  const environmentOf = (python: string) =>
    childEnvironment({ base: process.env, allowlist: options.envAllowlist, python });
  const warmth = createWarmth({
    useTemplate: options.useTemplate ?? process.platform === 'linux',
    poolSize: options.poolSize,
    processOptions: (interpreter) => ({
      python: interpreter.path,
      harness,
      env: environmentOf(interpreter.path),
      // Not a notebook's folder: a warm process would keep it from being removed or unmounted.
      cwd: homedir(),
    }),
  });
  const closing = new AbortController();
  const running = new Set<Promise<unknown>>();
  const consoles = new Set<Inspection>();

  const spawnCold = (request: ExecRequest, manifest: string, onOutput: OnOutput) =>
    SingleProcess.once(
      manifest,
      {
        python: request.interpreter.path,
        harness,
        env: environmentOf(request.interpreter.path),
        cwd: request.cwd,
      },
      onOutput,
    );

  async function run(request: ExecRequest, runOptions: RunOptions): Promise<ExecOutcome> {
    const startedAt = performance.now();
    const signal = AbortSignal.any([runOptions.signal, closing.signal]);
    let cell: RunningCell | null = null;
    const { consoleLog } = request;
    const feed = new ConsoleFeed({
      onConsole: (text) => runOptions.onConsole(text),
      onPressure: (paused) => cell?.pause(paused),
      log: consoleLog ?? null,
    });
    const onOutput: OnOutput = (stream, bytes) => feed.push(stream, bytes);
    const close = async (method: 'warm' | 'cold') => ({
      method,
      ...(await feed.end()),
      durationMs: performance.now() - startedAt,
    });
    const cancelled = async (method: 'warm' | 'cold'): Promise<ExecOutcome> => ({
      kind: 'cancelled',
      message: 'The run was cancelled.',
      ...(await close(method)),
    });
    if (signal.aborted) return cancelled('cold');
    removeOldResult(request.outputDir);
    const manifest = await writeManifest(request);
    if (signal.aborted) return cancelled('cold');
    cell =
      (request.mode === 'auto' ? warmth.start(request.interpreter, manifest, onOutput) : null) ??
      spawnCold(request, manifest, onOutput);
    const limits = {
      signal,
      timeoutSeconds: request.timeoutSeconds,
      onStopSignal: (name: StopSignal) => runOptions.onStopSignal?.(name),
    };
    let ended = await endOf(cell, limits);
    if (ended.end.kind === 'not_started' && ended.stoppedBy === null) {
      cell = spawnCold(request, manifest, onOutput);
      ended = await endOf(cell, limits);
    }
    const { end, stoppedBy } = ended;
    if (stoppedBy === 'cancel') return cancelled(cell.method);
    if (stoppedBy === 'timeout') {
      const message = `The cell ran longer than its limit of ${request.timeoutSeconds} s and was stopped.`;
      return { kind: 'timeout', message, ...(await close(cell.method)) };
    }
    const read = await readResult(request.outputDir);
    const printed = await close(cell.method);
    if (read.kind === 'result') return { kind: 'finished', result: read.result, ...printed };
    const message = read.kind === 'unusable' ? read.message : explainCrash(end, printed.stderr);
    return { kind: 'crashed', message, ...printed };
  }

  return {
    run(request, runOptions) {
      const outcome = run(request, runOptions);
      const settled = outcome.then(
        () => {},
        () => {},
      );
      running.add(settled);
      void settled.then(() => running.delete(settled));
      return outcome;
    },
    inspect(request) {
      const { interpreter, cwd } = request;
      const env = environmentOf(interpreter.path);
      const console = new InspectProcess(request, { python: interpreter.path, harness, env, cwd });
      consoles.add(console);
      void console.ended.then(() => consoles.delete(console));
      if (closing.signal.aborted) void console.close();
      return console;
    },
    async prepare(interpreter, imports) {
      if (closing.signal.aborted) return;
      try {
        await warmth.prepare(interpreter, imports);
      } catch (error) {
        // What closing ended early was nobody's failure.
        if (!closing.signal.aborted) throw error;
      }
    },
    retire: (interpreter: PythonInterpreter) => warmth.retire(interpreter),
    memory: () => warmth.memory(),
    async close() {
      closing.abort();
      await Promise.all([...running, ...Array.from(consoles, (console) => console.close())]);
      await warmth.close();
    },
  };
}

/** Follows a run to its end, stopping it when asked to or when its time is up. */
async function endOf(
  cell: RunningCell,
  limits: {
    readonly signal: AbortSignal;
    readonly timeoutSeconds: number;
    readonly onStopSignal: (signal: StopSignal) => void;
  },
): Promise<{ readonly end: RunEnd; readonly stoppedBy: 'cancel' | 'timeout' | null }> {
  let stoppedBy: 'cancel' | 'timeout' | null = null;
  const ladders: { stop(): void }[] = [];
  const stop = (why: 'cancel' | 'timeout') => {
    if (stoppedBy === 'cancel') return;
    stoppedBy = why;
    // Before cell code runs there is nothing to interrupt gently.
    const send = (name: StopSignal): void => {
      cell.signal(name);
      limits.onStopSignal(name);
    };
    if (why === 'cancel' && !cell.started) send('SIGKILL');
    else ladders.push(climb(why === 'cancel' ? CANCEL_LADDER : TIMEOUT_LADDER, send));
  };
  const onAbort = () => stop('cancel');
  limits.signal.addEventListener('abort', onAbort, { once: true });
  if (limits.signal.aborted) onAbort();
  const timer =
    limits.timeoutSeconds > 0
      ? setTimeout(() => stop('timeout'), Math.min(MAX_TIMER_MS, limits.timeoutSeconds * 1000))
      : null;
  const end = await cell.ended;
  if (timer !== null) clearTimeout(timer);
  limits.signal.removeEventListener('abort', onAbort);
  for (const ladder of ladders) ladder.stop();
  return { end, stoppedBy };
}

/** A result already lying in the folder must never be taken for this run's. */
function removeOldResult(outputDir: string): void {
  rmSync(join(outputDir, HARNESS_RESULT_FILE), { force: true });
}

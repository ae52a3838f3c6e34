/** Runs R cells on this machine, each in an R process of its own, and keeps spare processes ready. */

import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Executor } from '../../executor.ts';
import { childEnvironment } from '../childEnvironment.ts';
import type { RunStarts } from '../followRun.ts';
import { createRunTracker } from '../runTracker.ts';
import { RProcess, type RProcessOptions } from './rProcess.ts';

interface RRunnerOptions {
  /** The folder with `r/harness.R`. */
  readonly harnessDir: string;
  /** SVC_NOTEBOOK_HARNESS_ENV_ALLOWLIST; null: no restriction. */
  readonly envAllowlist: readonly string[] | null;
  /** The same option as in `LocalExecutorOptions`. */
  readonly keepServerNames?: boolean;
  /** How many spares to keep; 0: every run starts its own R. */
  readonly poolSize: number;
}

/** Runs R cells, each in its own R; `interpreter.path` of a request is the Rscript. */
export interface RRunner extends Pick<Executor, 'run'> {
  /** Keeps spares of this Rscript from now on; resolves when they are ready or have ended. */
  prepare(rscript: string): Promise<void>;
  pids(): readonly number[];
  /** Ends everything, active runs included. */
  close(): Promise<void>;
}

/** Spares are ended when there was no run for this long: an R takes about 60 MB. */
const IDLE_MS = 600_000;
/** An R that ends before it is ready is started again once, then no more until the next run. */
const MAX_FAILURES = 2;

export function createRRunner(options: RRunnerOptions): RRunner {
  const pool = createSpares(options.poolSize);
  const harness = join(options.harnessDir, 'r', 'harness.R');
  const processOptions = (rscript: string, cwd: string): RProcessOptions => ({
    rscript,
    harness,
    cwd,
    env: rEnvironment(
      childEnvironment({
        base: process.env,
        allowlist: options.envAllowlist,
        keepServerNames: options.keepServerNames ?? false,
        python: rscript,
      }),
    ),
  });
  // Not a notebook's folder: a spare there would block its removal or unmounting.
  const spareOptions = (rscript: string) => processOptions(rscript, homedir());
  const starts: RunStarts = {
    warm: ({ interpreter, processEnv }, manifest, onOutput) =>
      processEnv === undefined
        ? (pool.take(spareOptions(interpreter.path))?.run(manifest, onOutput) ?? null)
        : null,
    cold: ({ interpreter, cwd, processEnv }, manifest, onOutput) => {
      const launch = processOptions(interpreter.path, cwd);
      return RProcess.once(manifest, { ...launch, env: { ...launch.env, ...processEnv } }, onOutput);
    },
  };
  const runs = createRunTracker(starts);
  return {
    run: runs.run,
    prepare: (rscript) => pool.prepare(spareOptions(rscript)),
    pids: () => pool.pids(),
    async close() {
      await Promise.all([runs.close(), pool.close()]);
    },
  };
}

/** R prints text outside ASCII as escapes unless its locale is UTF-8. */
export function rEnvironment(env: Record<string, string>): Record<string, string> {
  const locale = env['LC_ALL'] || env['LC_CTYPE'] || env['LANG'] || '';
  if (process.platform === 'win32' || /utf-?8/i.test(locale)) return env;
  const { LC_ALL, ...rest } = env;
  const language = LC_ALL === undefined ? {} : { LANG: LC_ALL };
  return { ...rest, ...language, LC_CTYPE: process.platform === 'darwin' ? 'en_US.UTF-8' : 'C.UTF-8' };
}

/** Single-use R processes that are ready, of one Rscript at a time. */
function createSpares(size: number) {
  const spares = new Set<RProcess>();
  let target: RProcessOptions | null = null;
  let failures = 0;
  let idle: NodeJS.Timeout | null = null;
  let isClosed = false;

  function endAll(): void {
    for (const spare of spares) spare.kill();
    target = null;
  }

  function retarget(options: RProcessOptions): void {
    if (target !== null && target.rscript !== options.rscript) endAll();
    target = options;
    if (idle !== null) clearTimeout(idle);
    idle = setTimeout(endAll, IDLE_MS).unref();
    fill();
  }

  function fill(): void {
    while (!isClosed && target !== null && failures < MAX_FAILURES && spares.size < size) {
      const spare = RProcess.spare(target);
      spares.add(spare);
      void spare.ended.then(() => {
        // A spare that was taken or ended on purpose did not fail.
        if (!spares.delete(spare) || target === null) return;
        failures += 1;
        fill();
      });
    }
  }

  return {
    take(options: RProcessOptions): RProcess | null {
      if (isClosed || size === 0) return null;
      const spare = [...spares].find((candidate) => candidate.ready) ?? null;
      const isSame = target?.rscript === options.rscript;
      if (spare !== null && isSame) spares.delete(spare);
      failures = 0;
      retarget(options);
      return isSame ? spare : null;
    },
    async prepare(options: RProcessOptions): Promise<void> {
      if (isClosed || size === 0) return;
      retarget(options);
      await Promise.all([...spares].map((spare) => spare.settled()));
    },
    pids: (): readonly number[] => [...spares].flatMap((spare) => spare.pid ?? []),
    async close(): Promise<void> {
      isClosed = true;
      if (idle !== null) clearTimeout(idle);
      const ending = [...spares];
      endAll();
      await Promise.all(ending.map((spare) => spare.ended));
    },
  };
}

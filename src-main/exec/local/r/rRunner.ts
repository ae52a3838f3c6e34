import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Executor } from '../../executor.ts';
import { childEnvironment } from '../childEnvironment.ts';
import type { RunStarts } from '../followRun.ts';
import { createRuns } from '../runsUnderWay.ts';
import { RProcess, type RProcessOptions } from './rProcess.ts';

export interface RRunnerOptions {
  /** Holds `r/harness.R`. */
  readonly harnessDir: string;
  /** SVC_NOTEBOOK_HARNESS_ENV_ALLOWLIST; null narrows nothing. */
  readonly envAllowlist: readonly string[] | null;
  /** As of a local executor. */
  readonly keepOurNames?: boolean;
  /** Spares kept; 0: every run starts an R of its own. */
  readonly poolSize: number;
}

/** Runs R cells, each in an R of its own; `interpreter.path` of a request is the Rscript. */
export interface RRunner extends Pick<Executor, 'run'> {
  /** Keeps spares of this Rscript from now on; resolves when they are ready or gone. */
  prepare(rscript: string): Promise<void>;
  pids(): readonly number[];
  /** Ends everything, runs included. */
  close(): Promise<void>;
}

/** Spares without a run for this long are let go: an R holds some 60 MB. */
const IDLE_MS = 600_000;
/** An R that ends before it is ready is tried again once, not for ever. */
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
        keepOurNames: options.keepOurNames ?? false,
        python: rscript,
      }),
    ),
  });
  // Not a notebook's folder: a spare would keep it from being removed or unmounted.
  const spareOptions = (rscript: string) => processOptions(rscript, homedir());
  const starts: RunStarts = {
    warm: ({ interpreter, processEnv }, manifest, onOutput) =>
      processEnv === undefined
        ? (pool.take(spareOptions(interpreter.path))?.run(manifest, onOutput) ?? null)
        : null,
    cold: ({ interpreter, cwd, processEnv }, manifest, onOutput) => {
      const known = processOptions(interpreter.path, cwd);
      return RProcess.once(manifest, { ...known, env: { ...known.env, ...processEnv } }, onOutput);
    },
  };
  const runs = createRuns(starts);
  return {
    run: runs.run,
    prepare: (rscript) => pool.prepare(spareOptions(rscript)),
    pids: () => pool.pids(),
    async close() {
      await Promise.all([runs.close(), pool.close()]);
    },
  };
}

/** R spells text outside ASCII as escapes unless its locale is a UTF-8 one. */
export function rEnvironment(env: Record<string, string>): Record<string, string> {
  const locale = env['LC_ALL'] || env['LC_CTYPE'] || env['LANG'] || '';
  if (process.platform === 'win32' || /utf-?8/i.test(locale)) return env;
  const { LC_ALL, ...rest } = env;
  const kept = LC_ALL === undefined ? {} : { LANG: LC_ALL };
  return { ...rest, ...kept, LC_CTYPE: process.platform === 'darwin' ? 'en_US.UTF-8' : 'C.UTF-8' };
}

/** Single-use Rs kept ready, of one Rscript at a time. */
function createSpares(size: number) {
  const spares = new Set<RProcess>();
  let wanted: RProcessOptions | null = null;
  let failures = 0;
  let idle: NodeJS.Timeout | null = null;
  let isClosed = false;

  function letGo(): void {
    for (const spare of spares) spare.kill();
    wanted = null;
  }

  function want(options: RProcessOptions): void {
    if (wanted !== null && wanted.rscript !== options.rscript) letGo();
    wanted = options;
    if (idle !== null) clearTimeout(idle);
    idle = setTimeout(letGo, IDLE_MS).unref();
    fill();
  }

  function fill(): void {
    while (!isClosed && wanted !== null && failures < MAX_FAILURES && spares.size < size) {
      const spare = RProcess.spare(wanted);
      spares.add(spare);
      void spare.ended.then(() => {
        // One that was taken, or let go, did not fail.
        if (!spares.delete(spare) || wanted === null) return;
        failures += 1;
        fill();
      });
    }
  }

  return {
    take(options: RProcessOptions): RProcess | null {
      if (isClosed || size === 0) return null;
      const spare = [...spares].find((candidate) => candidate.ready) ?? null;
      const isSame = wanted?.rscript === options.rscript;
      if (spare !== null && isSame) spares.delete(spare);
      failures = 0;
      want(options);
      return isSame ? spare : null;
    },
    async prepare(options: RProcessOptions): Promise<void> {
      if (isClosed || size === 0) return;
      want(options);
      await Promise.all([...spares].map((spare) => spare.settled()));
    },
    pids: (): readonly number[] => [...spares].flatMap((spare) => spare.pid ?? []),
    async close(): Promise<void> {
      isClosed = true;
      if (idle !== null) clearTimeout(idle);
      const ending = [...spares];
      letGo();
      await Promise.all(ending.map((spare) => spare.ended));
    },
  };
}

/** The two sources of warm Python processes, behind one interface: a template that forks, and a pool of spares. */

import type { WarmProcess } from '../executor.ts';
import type { OnOutput, RunningCell } from './runningCell.ts';
import type { SingleProcessOptions } from './singleProcess.ts';
import { SparePool } from './sparePool.ts';
import { TemplateProcess } from './templateProcess.ts';

/** Warm processes with one list of imports and one set of variables: a template or a pool of spares. */
export interface WarmSource {
  readonly importsKey: string;
  readonly role: WarmProcess['role'];
  readonly settled: Promise<void>;
  /** False once it cannot serve and a new one should be started. */
  alive(): boolean;
  start(manifest: string, onOutput: OnOutput): RunningCell | null;
  pids(): readonly number[];
  /** Ends it after its active runs. */
  retire(): void;
  /** Resolves when all its processes have ended. */
  readonly gone: Promise<void>;
  /** Ends its active runs too. */
  close(): Promise<void>;
}

interface WarmSourceOptions extends SingleProcessOptions {
  readonly imports: readonly string[];
  /** The variables that the notebook sets for its cells; set before anything is imported, as in a fresh process. */
  readonly variables: Readonly<Record<string, string>>;
}

/** The key of a list of imports. */
export function keyOfImports(imports: readonly string[]): string {
  return imports.join(',');
}

/** A template, which forks a process for each run. */
export function templateSource(options: WarmSourceOptions): WarmSource {
  const template = new TemplateProcess(options);
  return {
    importsKey: keyOfImports(options.imports),
    role: 'template',
    settled: template.ready,
    gone: template.gone,
    alive: () => template.alive,
    start: (manifest, onOutput) => (template.usable ? template.run(manifest, onOutput) : null),
    pids: () => (template.pid === undefined ? [] : [template.pid]),
    retire: () => template.retire(),
    close() {
      template.kill();
      return template.gone;
    },
  };
}

/** A pool of processes that run one cell each, for systems where forking is unsafe. */
export function poolSource(options: WarmSourceOptions, size: number): WarmSource {
  const pool = new SparePool({ ...options, size });
  let alive = true;
  let setGone = () => {};
  const processGone = new Promise<void>((resolve) => {
    setGone = resolve;
  });
  const close = async () => {
    alive = false;
    await pool.close();
    setGone();
  };
  return {
    importsKey: keyOfImports(options.imports),
    role: 'spare',
    settled: pool.settled(),
    gone: processGone,
    alive: () => alive,
    start: (manifest, onOutput) => pool.take()?.run(manifest, onOutput) ?? null,
    pids: () => pool.pids(),
    retire: () => void close(),
    close,
  };
}

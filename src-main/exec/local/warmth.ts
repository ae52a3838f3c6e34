import { readFile } from 'node:fs/promises';
import type { PythonInterpreter, WarmProcess } from '../executor.ts';
import { type CellEnvironment, createSeenEnvironments, keyOfEnvironment } from './cellEnvironment.ts';
import type { OnOutput, RunningCell } from './runningCell.ts';
import type { SingleProcessOptions } from './singleProcess.ts';
import { SparePool } from './sparePool.ts';
import { TemplateProcess } from './templateProcess.ts';

const PAGE_BYTES = 4_096;

export interface WarmthOptions {
  readonly useTemplate: boolean;
  /** 0: nothing is kept warm. */
  readonly poolSize: number;
  readonly processOptions: (interpreter: PythonInterpreter) => SingleProcessOptions;
}

/** A run as a warm process is chosen for it. */
export interface WarmRun {
  readonly interpreter: PythonInterpreter;
  readonly env: CellEnvironment;
  readonly manifest: string;
  readonly onOutput: OnOutput;
}

/** The processes kept ready, per environment: of packages, and of the variables that cells set. */
export interface Warmth {
  /**
   * Starts the run in a warm process; null when none is ready, and then one is brought up for the next. For variables
   * that are seen for the first time none is: they may be of this one cell.
   */
  start(run: WarmRun): RunningCell | null;
  prepare(interpreter: PythonInterpreter, imports: readonly string[]): Promise<void>;
  retire(interpreter: PythonInterpreter): Promise<void>;
  memory(): Promise<readonly WarmProcess[]>;
  close(): Promise<void>;
}

/** One set of imports of one environment, in either form. */
interface Source {
  readonly importsKey: string;
  readonly role: WarmProcess['role'];
  readonly settled: Promise<void>;
  /** False once it is of no more use and a new one should be started. */
  alive(): boolean;
  start(manifest: string, onOutput: OnOutput): RunningCell | null;
  pids(): readonly number[];
  /** Ends it, runs under way excepted. */
  retire(): void;
  /** Resolves when nothing of it is left. */
  readonly gone: Promise<void>;
  /** Ends what is under way, too. */
  close(): Promise<void>;
}

interface Entry {
  readonly interpreter: PythonInterpreter;
  /** Set before anything is imported. */
  readonly env: CellEnvironment;
  imports: readonly string[];
  /** Serves runs. */
  current: Source | null;
  /** Loading, to take over from `current`. */
  next: Source | null;
}

/** Of one interpreter, so many sets of variables have a warm process, beside the one without any. */
const MOST_ENVIRONMENTS = 2;
const MOST_SEEN = 64;

export function createWarmth(options: WarmthOptions): Warmth {
  /** By {@link keyOf}, the one used last at the end. */
  const entries = new Map<string, Entry>();
  const wasSeen = createSeenEnvironments(MOST_SEEN);
  const all = new Set<Source>();
  const enabled = options.poolSize > 0;

  function startSource(entry: Entry): Source {
    const source = options.useTemplate
      ? templateSource(options.processOptions(entry.interpreter), entry)
      : poolSource(options.processOptions(entry.interpreter), entry, options.poolSize);
    all.add(source);
    void source.gone.then(() => all.delete(source));
    return source;
  }

  function bringUp(entry: Entry): Promise<void> {
    const importsKey = keyOfImports(entry.imports);
    for (const source of [entry.next, entry.current]) {
      if (source?.importsKey === importsKey && source.alive()) return source.settled;
    }
    entry.next?.retire();
    const next = startSource(entry);
    entry.next = next;
    const settle = () => {
      if (entry.next !== next) return;
      entry.next = null;
      if (!next.alive()) return;
      entry.current?.retire();
      entry.current = next;
    };
    return next.settled.then(settle, (error: unknown) => {
      settle();
      throw error;
    });
  }

  function drop(entry: Entry): void {
    entries.delete(keyOf(entry));
    entry.next?.retire();
    entry.current?.retire();
    entry.next = null;
    entry.current = null;
  }

  /** The environment behind a path was rebuilt: what the old one had loaded is of no use any more. */
  function dropOlder(interpreter: PythonInterpreter): void {
    for (const entry of [...entries.values()]) {
      const { path, identity } = entry.interpreter;
      if (path === interpreter.path && identity !== interpreter.identity) drop(entry);
    }
  }

  function variantsOf({ identity }: PythonInterpreter): readonly Entry[] {
    return [...entries.values()].filter(
      (entry) => entry.interpreter.identity === identity && keyOfEnvironment(entry.env) !== '',
    );
  }

  function entryOf(interpreter: PythonInterpreter, env: CellEnvironment = {}): Entry {
    dropOlder(interpreter);
    const key = keyOf({ interpreter, env });
    const known = entries.get(key);
    const imports = known?.imports ?? entries.get(keyOf({ interpreter, env: {} }))?.imports ?? [];
    const entry: Entry = known ?? { interpreter, env, imports, current: null, next: null };
    entries.delete(key);
    entries.set(key, entry);
    return entry;
  }

  /** The entry of a run; null for variables seen for the first time. */
  function entryFor({ interpreter, env }: Pick<WarmRun, 'interpreter' | 'env'>): Entry | null {
    const key = keyOf({ interpreter, env });
    const isVariant = keyOfEnvironment(env) !== '';
    if (isVariant && !entries.has(key) && !wasSeen(key)) return null;
    const entry = entryOf(interpreter, env);
    if (isVariant) for (const old of variantsOf(interpreter).slice(0, -MOST_ENVIRONMENTS)) drop(old);
    return entry;
  }

  return {
    start(run) {
      if (!enabled) return null;
      const entry = entryFor(run);
      if (entry === null) return null;
      const cell = entry.current?.start(run.manifest, run.onOutput) ?? null;
      // A failure to come up is told to whoever prepares; a run only goes cold.
      if (cell === null) bringUp(entry).catch(() => {});
      return cell;
    },
    async prepare(interpreter, imports) {
      if (!enabled) return;
      const entry = entryOf(interpreter);
      const all = [entry, ...variantsOf(interpreter)];
      for (const one of all) one.imports = [...new Set(imports)].sort();
      await Promise.all(all.map(bringUp));
    },
    async retire(interpreter) {
      const base = entries.get(keyOf({ interpreter, env: {} }));
      for (const entry of [...(base === undefined ? [] : [base]), ...variantsOf(interpreter)]) drop(entry);
    },
    async memory() {
      const found: WarmProcess[] = [];
      for (const { interpreter, current, next } of entries.values()) {
        for (const source of [current, next]) {
          for (const pid of source?.pids() ?? []) {
            const residentBytes = await residentBytesOf(pid);
            found.push({
              pid,
              identity: interpreter.identity,
              role: source?.role ?? 'template',
              residentBytes,
            });
          }
        }
      }
      return found;
    },
    async close() {
      for (const entry of [...entries.values()]) drop(entry);
      await Promise.all([...all].map((source) => source.close()));
    },
  };
}

function keyOf({ interpreter, env }: Pick<Entry, 'interpreter' | 'env'>): string {
  return `${keyOfEnvironment(env)} ${interpreter.identity}`;
}

function keyOfImports(imports: readonly string[]): string {
  return imports.join(',');
}

type Load = Pick<Entry, 'imports' | 'env'>;

function templateSource(options: SingleProcessOptions, { imports, env }: Load): Source {
  const template = new TemplateProcess({ ...options, load: { imports, env } });
  return {
    importsKey: keyOfImports(imports),
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

function poolSource(options: SingleProcessOptions, { imports, env }: Load, size: number): Source {
  const pool = new SparePool({ ...options, load: { imports, env }, size });
  let alive = true;
  let setGone = () => {};
  const gone = new Promise<void>((resolve) => {
    setGone = resolve;
  });
  const close = async () => {
    alive = false;
    await pool.close();
    setGone();
  };
  return {
    importsKey: keyOfImports(imports),
    role: 'spare',
    settled: pool.settled(),
    gone,
    alive: () => alive,
    start: (manifest, onOutput) => pool.take()?.run(manifest, onOutput) ?? null,
    pids: () => pool.pids(),
    retire: () => void close(),
    close,
  };
}

/** Linux: the second field of statm, in pages. Elsewhere nobody tells without a subprocess. */
async function residentBytesOf(pid: number): Promise<number | null> {
  if (process.platform !== 'linux') return null;
  try {
    return Number((await readFile(`/proc/${pid}/statm`, 'utf8')).split(' ')[1]) * PAGE_BYTES;
  } catch (error) {
    if (error instanceof Error && 'code' in error) return null; // It ended meanwhile.
    throw error;
  }
}

import { readFile } from 'node:fs/promises';
import type { PythonInterpreter, WarmProcess } from '../executor.ts';
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

/** The processes kept ready, per environment. */
export interface Warmth {
  /** Starts the run in a warm process; null when none is ready, and then one is brought up for the next. */
  start(interpreter: PythonInterpreter, manifest: string, onOutput: OnOutput): RunningCell | null;
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
  imports: readonly string[];
  /** Serves runs. */
  current: Source | null;
  /** Loading, to take over from `current`. */
  next: Source | null;
}

export function createWarmth(options: WarmthOptions): Warmth {
  const entries = new Map<string, Entry>();
  const all = new Set<Source>();
  const enabled = options.poolSize > 0;

  function startSource(entry: Entry): Source {
    const source = options.useTemplate
      ? templateSource(options.processOptions(entry.interpreter), entry.imports)
      : poolSource(options.processOptions(entry.interpreter), entry.imports, options.poolSize);
    all.add(source);
    void source.gone.then(() => all.delete(source));
    return source;
  }

  function bringUp(entry: Entry): Promise<void> {
    const importsKey = keyOf(entry.imports);
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
    entries.delete(entry.interpreter.identity);
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

  function entryOf(interpreter: PythonInterpreter): Entry {
    dropOlder(interpreter);
    const known = entries.get(interpreter.identity);
    if (known !== undefined) return known;
    const entry: Entry = { interpreter, imports: [], current: null, next: null };
    entries.set(interpreter.identity, entry);
    return entry;
  }

  return {
    start(interpreter, manifest, onOutput) {
      if (!enabled) return null;
      const entry = entryOf(interpreter);
      const cell = entry.current?.start(manifest, onOutput) ?? null;
      // A failure to come up is told to whoever prepares; a run only goes cold.
      if (cell === null) bringUp(entry).catch(() => {});
      return cell;
    },
    async prepare(interpreter, imports) {
      if (!enabled) return;
      const entry = entryOf(interpreter);
      entry.imports = [...new Set(imports)].sort();
      await bringUp(entry);
    },
    async retire(interpreter) {
      const entry = entries.get(interpreter.identity);
      if (entry !== undefined) drop(entry);
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

function keyOf(imports: readonly string[]): string {
  return imports.join(',');
}

function templateSource(options: SingleProcessOptions, imports: readonly string[]): Source {
  const template = new TemplateProcess({ ...options, imports });
  return {
    importsKey: keyOf(imports),
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

function poolSource(options: SingleProcessOptions, imports: readonly string[], size: number): Source {
  const pool = new SparePool({ ...options, imports, size });
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
    importsKey: keyOf(imports),
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

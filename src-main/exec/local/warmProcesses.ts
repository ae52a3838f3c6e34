/**
 * Keeps warm Python processes for the notebooks of a server, within limits: decides which environments and
 * sets of variables have them, and when one is started, replaced or retired.
 */

import { readFile } from 'node:fs/promises';
import type { WarmProcess } from '../executor.ts';
import type { PythonInterpreter } from '../interpreter.ts';
import { type CellEnvironment, keyOfEnvironment } from './cellEnvironment.ts';
import type { OnOutput, RunningCell } from './runningCell.ts';
import type { SingleProcessOptions } from './singleProcess.ts';
import { keyOfImports, poolSource, templateSource, type WarmSource } from './warmSource.ts';

const PAGE_BYTES = 4_096;

/** How many sets of variables of one environment have warm processes at a time; the least recently used is dropped. */
const MAX_GROUPS = 3;
/** How many sets of variables are remembered after one run: the second run with a set starts a warm process. */
const MAX_SEEN_ONCE = 32;

interface WarmthOptions {
  readonly useTemplate: boolean;
  /** 0: no warm processes. */
  readonly poolSize: number;
  readonly processOptions: (interpreter: PythonInterpreter) => SingleProcessOptions;
}

/** A run for a warm process. */
interface WarmRun {
  readonly variables: CellEnvironment;
  readonly manifest: string;
  readonly onOutput: OnOutput;
}

/**
 * The warm processes, by environment. Modules read variables during import, so a process serves only runs with exactly
 * the variables that it was started with.
 */
interface WarmProcesses {
  /** Starts the run in a warm process; null when none is ready, and then one may be started for a later run. */
  start(interpreter: PythonInterpreter, run: WarmRun): RunningCell | null;
  prepare(
    interpreter: PythonInterpreter,
    imports: readonly string[],
    variables?: CellEnvironment,
  ): Promise<void>;
  retire(interpreter: PythonInterpreter): Promise<void>;
  memory(): Promise<readonly WarmProcess[]>;
  close(): Promise<void>;
}

/** The processes for one set of variables. */
interface WarmGroup {
  readonly variables: CellEnvironment;
  /** The source that serves the runs. */
  current: WarmSource | null;
  /** The source that is loading and will replace `current`. */
  next: WarmSource | null;
}

interface Entry {
  readonly interpreter: PythonInterpreter;
  imports: readonly string[];
  /** The groups by the key of their variables, the most recently used last. */
  readonly groups: Map<string, WarmGroup>;
  /** Keys of sets of variables that had one run. */
  readonly seenOnce: Set<string>;
}

export function createWarmProcesses(options: WarmthOptions): WarmProcesses {
  const entries = new Map<string, Entry>();
  const all = new Set<WarmSource>();
  const enabled = options.poolSize > 0;

  function startSource(entry: Entry, group: WarmGroup): WarmSource {
    const { imports, interpreter } = entry;
    const sourceOptions = {
      ...options.processOptions(interpreter),
      imports,
      variables: group.variables,
    };
    const source = options.useTemplate
      ? templateSource(sourceOptions)
      : poolSource(sourceOptions, options.poolSize);
    all.add(source);
    void source.gone.then(() => all.delete(source));
    return source;
  }

  function bringUp(entry: Entry, group: WarmGroup): Promise<void> {
    const importsKey = keyOfImports(entry.imports);
    for (const source of [group.next, group.current]) {
      if (source?.importsKey === importsKey && source.alive()) return source.settled;
    }
    group.next?.retire();
    const next = startSource(entry, group);
    group.next = next;
    const settle = () => {
      if (group.next !== next) return;
      group.next = null;
      if (!next.alive()) return;
      group.current?.retire();
      group.current = next;
    };
    return next.settled.then(settle, (error: unknown) => {
      settle();
      throw error;
    });
  }

  function drop(entry: Entry): void {
    entries.delete(entry.interpreter.identity);
    for (const group of entry.groups.values()) dropGroup(group);
    entry.groups.clear();
  }

  /** Drops processes of an environment at the same path that was rebuilt since. */
  function dropOlder(interpreter: PythonInterpreter): void {
    for (const entry of [...entries.values()]) {
      const { path, identity } = entry.interpreter;
      if (path === interpreter.path && identity !== interpreter.identity) drop(entry);
    }
  }

  function entryOf(interpreter: PythonInterpreter): Entry {
    dropOlder(interpreter);
    const existing = entries.get(interpreter.identity);
    if (existing !== undefined) return existing;
    const entry: Entry = { interpreter, imports: [], groups: new Map(), seenOnce: new Set() };
    entries.set(interpreter.identity, entry);
    return entry;
  }

  function groupOf(entry: Entry, variables: CellEnvironment): WarmGroup {
    const key = keyOfEnvironment(variables);
    const group = entry.groups.get(key) ?? { variables, current: null, next: null };
    entry.groups.delete(key);
    entry.groups.set(key, group);
    for (const [oldest, other] of entry.groups) {
      if (entry.groups.size <= MAX_GROUPS) break;
      entry.groups.delete(oldest);
      dropGroup(other);
    }
    return group;
  }

  /** Whether to keep a warm process for these variables: a run had them before, or nothing is warm yet. */
  function isWorthWarming(entry: Entry, variables: CellEnvironment): boolean {
    const key = keyOfEnvironment(variables);
    if (entry.groups.size === 0 || entry.groups.has(key) || entry.seenOnce.delete(key)) return true;
    entry.seenOnce.add(key);
    for (const oldest of entry.seenOnce) {
      if (entry.seenOnce.size <= MAX_SEEN_ONCE) break;
      entry.seenOnce.delete(oldest);
    }
    return false;
  }

  return {
    start(interpreter, { variables, manifest, onOutput }) {
      if (!enabled) return null;
      const entry = entryOf(interpreter);
      if (!isWorthWarming(entry, variables)) return null;
      const group = groupOf(entry, variables);
      const cell = group.current?.start(manifest, onOutput) ?? null;
      // A failed start is reported to `prepare`; a run just uses a cold process.
      if (cell === null || group.current?.importsKey !== keyOfImports(entry.imports))
        bringUp(entry, group).catch(() => {});
      return cell;
    },
    async prepare(interpreter, imports, variables = {}) {
      if (!enabled) return;
      const entry = entryOf(interpreter);
      entry.imports = [...new Set(imports)].sort();
      await bringUp(entry, groupOf(entry, variables));
    },
    async retire(interpreter) {
      const entry = entries.get(interpreter.identity);
      if (entry !== undefined) drop(entry);
    },
    async memory() {
      const processes: WarmProcess[] = [];
      for (const { interpreter, groups } of entries.values()) {
        for (const source of Array.from(groups.values(), ({ current, next }) => [current, next]).flat()) {
          for (const pid of source?.pids() ?? []) {
            const residentBytes = await residentBytesOf(pid);
            processes.push({
              pid,
              identity: interpreter.identity,
              role: source?.role ?? 'template',
              residentBytes,
            });
          }
        }
      }
      return processes;
    },
    async close() {
      for (const entry of [...entries.values()]) drop(entry);
      await Promise.all([...all].map((source) => source.close()));
    },
  };
}

function dropGroup(group: WarmGroup): void {
  group.next?.retire();
  group.current?.retire();
  group.next = null;
  group.current = null;
}

/** Linux: the second field of statm, in pages. Elsewhere null: reading it needs a subprocess. */
async function residentBytesOf(pid: number): Promise<number | null> {
  if (process.platform !== 'linux') return null;
  try {
    return Number((await readFile(`/proc/${pid}/statm`, 'utf8')).split(' ')[1]) * PAGE_BYTES;
  } catch (error) {
    if (error instanceof Error && 'code' in error) return null; // The process has ended.
    throw error;
  }
}

/** Measures how much GPU memory each run uses, with `nvidia-smi`. */

import { type ChildProcess, spawn } from 'node:child_process';
import { accessSync, constants, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline';

/** Time between two readings, in ms; a peak that is shorter may be missed. */
const READ_EACH_MS = 250;
/** A reading older than this no longer counts: its process has ended, or freed its memory. */
const STALE_MS = 4 * READ_EACH_MS;
/** How long the reader keeps running after the last run. */
const IDLE_MS = 10_000;
const BYTES_PER_MIB = 1024 * 1024;

/** One run whose GPU memory is followed. */
interface FollowedGpu {
  /**
   * The largest GPU memory of the run's process group in bytes; null if it used none. Stops the measurement.
   */
  end(pid: number | null): number | null;
}

/**
 * GPU memory of cell processes, as `nvidia-smi` reports it. Without a GPU the only cost is one search of
 * PATH.
 */
export interface GpuMemory {
  /** Null where there is no GPU. */
  follow(): FollowedGpu | null;
  close(): void;
}

interface Reading {
  readonly group: number;
  readonly bytes: number;
  readonly atMs: number;
}

export function createGpuMemory({ env }: { readonly env: NodeJS.ProcessEnv }): GpuMemory {
  let program: string | null | undefined;
  let reader: ChildProcess | null = null;
  let idle: NodeJS.Timeout | null = null;
  let runCount = 0;
  /** The newest reading of each process on each GPU. */
  const newest = new Map<string, Reading>();
  const peaks = new Map<number, number>();

  const take = (line: string): void => {
    const [gpu = '', pid = '', mib = ''] = line.split(',').map((part) => part.trim());
    const bytes = Number(mib) * BYTES_PER_MIB;
    // Some drivers do not report the memory of a process: "[N/A]".
    if (!/^\d+$/.test(pid) || !Number.isFinite(bytes)) return;
    const atMs = performance.now();
    const group = groupOf(Number(pid));
    newest.set(`${gpu} ${pid}`, { group, bytes, atMs });
    let sum = 0;
    for (const [key, reading] of newest) {
      if (atMs - reading.atMs > STALE_MS) newest.delete(key);
      else if (reading.group === group) sum += reading.bytes;
    }
    peaks.set(group, Math.max(peaks.get(group) ?? 0, sum));
  };
  const stop = (): void => {
    reader?.kill();
    reader = null;
    newest.clear();
    peaks.clear();
  };
  const start = (path: string): void => {
    const args = ['--query-compute-apps=gpu_uuid,pid,used_gpu_memory', '--format=csv,noheader,nounits'];
    const child = spawn(path, [...args, `--loop-ms=${READ_EACH_MS}`], {
      env,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    reader = child;
    child.unref();
    createInterface({ input: child.stdout }).on('line', take);
    // On a machine with the program but no driver it exits at once, and is not started again.
    const forget = (): void => {
      if (reader !== child) return;
      reader = null;
      program = null;
    };
    child.once('error', forget);
    child.once('exit', forget);
  };
  return {
    follow() {
      if (program === undefined) program = findProgram(env);
      if (program === null) return null;
      if (idle !== null) clearTimeout(idle);
      idle = null;
      runCount += 1;
      if (reader === null) start(program);
      let hasEnded = false;
      return {
        end(pid) {
          const peak = pid === null ? undefined : peaks.get(pid);
          if (hasEnded) return peak ?? null;
          hasEnded = true;
          if (pid !== null) peaks.delete(pid);
          runCount -= 1;
          if (runCount === 0) idle = setTimeout(stop, IDLE_MS).unref();
          return peak ?? null;
        },
      };
    },
    close() {
      if (idle !== null) clearTimeout(idle);
      program = null;
      stop();
    },
  };
}

/** The process group of a process: that of the run it belongs to. Where it cannot be read, the process itself. */
function groupOf(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The fields after the name, which may contain anything: state, parent, group.
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[2]);
  } catch (_gone) {
    return pid;
  }
}

/** The path of `nvidia-smi`; null where PATH has none. */
function findProgram(env: NodeJS.ProcessEnv): string | null {
  const name = process.platform === 'win32' ? 'nvidia-smi.exe' : 'nvidia-smi';
  for (const folder of (env['PATH'] ?? '').split(delimiter)) {
    if (folder === '') continue;
    const path = join(folder, name);
    try {
      accessSync(path, constants.X_OK);
      return path;
    } catch (_absent) {
      // Try the next folder.
    }
  }
  return null;
}

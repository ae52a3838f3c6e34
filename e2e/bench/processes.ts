/** Memory and processor time of processes, as Linux reports them, for benchmarks. */

import { readdirSync, readFileSync } from 'node:fs';
import { errnoOf } from '../../src-main/lib/atomicFile.ts';

/** The unit in which Linux reports processor time to programs. */
const TICKS_A_SECOND = 100;

/** The resident memory of a process, in MiB. */
export function rssMiB(pid: number): number {
  return fieldMiB(`/proc/${pid}/status`, 'VmRSS');
}

/** The resident memory of a process, with shared memory divided among the processes that share it, in MiB. */
export function pssMiB(pid: number): number {
  return fieldMiB(`/proc/${pid}/smaps_rollup`, 'Pss');
}

/** The processor time of a process so far, in ms. */
export function processorMs(pid: number): number {
  const [, , , , , , , , , , , user = '', system = ''] = statOf(pid) ?? [];
  return ((Number(user) + Number(system)) / TICKS_A_SECOND) * 1_000;
}

/** The ids of all descendants of a process. */
export function startedBy(pid: number): number[] {
  const children = new Map<number, number[]>();
  for (const entry of readdirSync('/proc')) {
    const parent = Number(statOf(Number(entry))?.[1] ?? Number.NaN);
    if (!Number.isNaN(parent)) children.set(parent, [...(children.get(parent) ?? []), Number(entry)]);
  }
  const below = (of: number): number[] =>
    (children.get(of) ?? []).flatMap((child) => [child, ...below(child)]);
  return below(pid);
}

/** The fields after the program's name, which may contain anything; null if there is no such process. */
function statOf(pid: number): string[] | null {
  if (Number.isNaN(pid)) return null;
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return text.slice(text.lastIndexOf(')') + 2).split(' ');
  } catch (error) {
    // The process may have ended since the listing.
    if (errnoOf(error) === 'ENOENT' || errnoOf(error) === 'ESRCH') return null;
    throw error;
  }
}

function fieldMiB(file: string, name: string): number {
  const match = new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(readFileSync(file, 'utf8'));
  return Number(match?.[1] ?? Number.NaN) / 1024;
}

import { readdirSync, readFileSync } from 'node:fs';
import { errnoOf } from '../../src-main/lib/atomicFile.ts';

/** What the kernel counts processor time in: every Linux says 100 a second to programs. */
const TICKS_A_SECOND = 100;

/** What a process holds in memory now, in MiB. */
export function rssMiB(pid: number): number {
  return fieldMiB(`/proc/${pid}/status`, 'VmRSS');
}

/** What a process holds in memory now, what it shares with others divided among them, in MiB. */
export function pssMiB(pid: number): number {
  return fieldMiB(`/proc/${pid}/smaps_rollup`, 'Pss');
}

/** Processor time of a process until now, in ms. */
export function processorMs(pid: number): number {
  const [, , , , , , , , , , , user = '', system = ''] = statOf(pid) ?? [];
  return ((Number(user) + Number(system)) / TICKS_A_SECOND) * 1_000;
}

/** Every process that this one started, and those that they started. */
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

/** The fields after the program's name, which may hold anything; null where there is no such process. */
function statOf(pid: number): string[] | null {
  if (Number.isNaN(pid)) return null;
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return text.slice(text.lastIndexOf(')') + 2).split(' ');
  } catch (error) {
    // Between the listing and the look it may have ended.
    if (errnoOf(error) === 'ENOENT' || errnoOf(error) === 'ESRCH') return null;
    throw error;
  }
}

function fieldMiB(file: string, name: string): number {
  const match = new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(readFileSync(file, 'utf8'));
  return Number(match?.[1] ?? Number.NaN) / 1024;
}

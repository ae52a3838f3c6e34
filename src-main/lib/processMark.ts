import { readFile, readlink } from 'node:fs/promises';
import { hostname } from 'node:os';
import { errnoOf } from './atomicFile.ts';

/**
 * Which process something belongs to, so that another one can tell later whether it still runs. A number alone does not
 * say: it is given again, after a restart of a container often to the very program that asks.
 */
export interface ProcessMark {
  readonly pid: number;
  readonly host: string;
  /** When the process started, in kernel ticks since the system did; null where the system does not tell. */
  readonly processStart: string | null;
  /** Which start of the system those ticks count from; null where it does not tell. */
  readonly boot: string | null;
  /** Containers number their processes on their own: which numbers `pid` is one of; null where there is one kind. */
  readonly pidSpace: string | null;
}

/** What is known of the process of a mark; `elsewhere`: it cannot be asked. */
export type Running = 'this process' | 'runs' | 'gone' | 'elsewhere';

/** What the system says of itself stays the same while this process runs. */
let system: Promise<Pick<ProcessMark, 'boot' | 'pidSpace'>> | null = null;

function systemMark(): Promise<Pick<ProcessMark, 'boot' | 'pidSpace'>> {
  system ??= (async () => ({
    boot: await orNull(readFile('/proc/sys/kernel/random/boot_id', 'utf8')),
    pidSpace: await orNull(readlink('/proc/self/ns/pid')),
  }))();
  return system;
}

/** The mark of this process. */
export async function ownMark(): Promise<ProcessMark> {
  const { boot, pidSpace } = await systemMark();
  return {
    pid: process.pid,
    host: hostname(),
    processStart: await processStart(process.pid),
    boot,
    pidSpace,
  };
}

/** Whether the process of a mark still runs. What another machine or container runs cannot be seen from here. */
export async function isSameRunning(mark: ProcessMark): Promise<Running> {
  const here = await systemMark();
  const sameBoot = mark.boot !== null && mark.boot === here.boot;
  // A machine may be given another name while it runs.
  if (mark.host !== hostname() && !(sameBoot && mark.pidSpace === here.pidSpace)) return 'elsewhere';
  // It ended with the system it ran on.
  if (mark.boot !== null && here.boot !== null && !sameBoot) return 'gone';
  const isOurNumber = mark.pid === process.pid;
  const started = mark.processStart;
  if (isOurNumber)
    return started === null || started === (await processStart(process.pid)) ? 'this process' : 'gone';
  if (!isAlive(mark.pid)) return 'gone';
  return started === null || started === (await processStart(mark.pid)) ? 'runs' : 'gone';
}

/** Field 22 of /proc/<pid>/stat, counted after the command name, which may hold anything. */
async function processStart(pid: number): Promise<string | null> {
  const stat = await orNull(readFile(`/proc/${pid}/stat`, 'utf8'));
  return stat === null ? null : (stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? null);
}

/** Whether this machine, or this container, has a process of that number. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Another user's process cannot be signalled, but it is there.
    return errnoOf(error) === 'EPERM';
  }
}

/** Null where the system has no such file. */
async function orNull(asked: Promise<string>): Promise<string | null> {
  try {
    return (await asked).trim();
  } catch (error) {
    if (errnoOf(error) === null) throw error;
    return null;
  }
}

import { readFile, readlink } from 'node:fs/promises';
import { hostname } from 'node:os';
import { errnoOf } from './atomicFile.ts';

/**
 * Identifies a process, so that another process can tell later whether it still runs. A process id alone is
 * not enough: ids are reused, and after a restart of a container often by the very program that asks.
 */
export interface ProcessMark {
  readonly pid: number;
  readonly host: string;
  /** When the process started, in kernel ticks since boot; null if unknown. */
  readonly processStart: string | null;
  /** The boot that those ticks count from; null if unknown. */
  readonly boot: string | null;
  /**
   * The process namespace of `pid`, because containers number their processes separately; null if there is
   * only one.
   */
  readonly pidSpace: string | null;
}

/** The state of a marked process; `elsewhere`: it cannot be checked from here. */
type Running = 'this process' | 'runs' | 'gone' | 'elsewhere';

/** The system's own values do not change while this process runs. */
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

/**
 * Whether the process of a mark still runs. Processes of other machines or containers cannot be seen from
 * here.
 */
export async function isSameRunning(mark: ProcessMark): Promise<Running> {
  const here = await systemMark();
  const sameBoot = mark.boot !== null && mark.boot === here.boot;
  // A machine may be renamed while it runs.
  if (mark.host !== hostname() && !(sameBoot && mark.pidSpace === here.pidSpace)) return 'elsewhere';
  // The system it ran on has been restarted.
  if (mark.boot !== null && here.boot !== null && !sameBoot) return 'gone';
  const isOurNumber = mark.pid === process.pid;
  const started = mark.processStart;
  if (isOurNumber)
    return started === null || started === (await processStart(process.pid)) ? 'this process' : 'gone';
  if (!isAlive(mark.pid)) return 'gone';
  return started === null || started === (await processStart(mark.pid)) ? 'runs' : 'gone';
}

/** When a process started: field 22 of /proc/<pid>/stat, counted after the command name, which may contain anything. */
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

/** The text of a file; null if the system has no such file. */
async function orNull(text: Promise<string>): Promise<string | null> {
  try {
    return (await text).trim();
  } catch (error) {
    if (errnoOf(error) === null) throw error;
    return null;
  }
}

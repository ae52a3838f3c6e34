/**
 * Ends the processes that a cell's run started outside its process group: every process with a mark in its environment.
 * Linux only (it reads /proc); does nothing on other systems.
 */
import { readdir, readFile } from 'node:fs/promises';

/** The result of checking one process. */
export type ProcessCheck =
  /** The process has the mark in its environment. */
  | 'marked'
  /** The process runs, and does not belong to the run. */
  | 'other'
  /** The process was listed and has ended since: a child it forked in the meantime may not have been listed. */
  | 'ended'
  /** The process is executing another program: its environment is briefly unreadable. */
  | 'changing';

/** The machine's processes; tests pass their own. */
export interface Processes {
  readonly list: () => Promise<readonly string[]>;
  readonly look: (pid: string) => Promise<ProcessCheck>;
  readonly kill: (pid: string) => void;
}

/** More passes mean another problem (a process that cannot be killed), which waiting does not solve. */
const MAX_PASSES = 200;

/**
 * SIGKILLs every process whose environment has `NAME=value`, in any group or session. A process may fork
 * during a scan and end before it is checked: a daemon starts with two forks in a row. So the scan repeats
 * for new processes, until a pass killed nothing, saw nothing end and left nothing unclear: then every
 * process from its beginning was checked, and none had the mark.
 */
export async function killMarked(
  name: string,
  value: string,
  processes: Processes | null = process.platform === 'linux' ? processesWith(name, value) : null,
): Promise<void> {
  if (processes === null) return;
  const checked = new Set<string>();
  for (let pass = 0; pass < MAX_PASSES; pass += 1) {
    const fresh = (await processes.list()).filter((pid) => !checked.has(pid));
    const looks = await Promise.all(fresh.map((pid) => processes.look(pid)));
    let settled = true;
    for (const [at, pid] of fresh.entries()) {
      if (looks[at] === 'marked') processes.kill(pid);
      if (looks[at] !== 'changing') checked.add(pid);
      if (looks[at] !== 'other') settled = false;
    }
    if (settled) return;
  }
}

function processesWith(name: string, value: string): Processes {
  const mark = Buffer.from(`${name}=${value}\0`);
  return {
    list: async () => (await readdir('/proc')).filter((entry) => /^\d+$/.test(entry)),
    look: (pid) => look(pid, mark),
    kill(pid) {
      try {
        process.kill(Number(pid), 'SIGKILL');
      } catch (error) {
        if (!isGone(error)) throw error;
      }
    },
  };
}

async function look(pid: string, mark: Buffer): Promise<ProcessCheck> {
  try {
    const environment = await readFile(`/proc/${pid}/environ`);
    if (environment.length > 0) return environment.includes(mark) ? 'marked' : 'other';
    return withoutEnvironment(await readFile(`/proc/${pid}/stat`, 'latin1'));
  } catch (error) {
    if (!isGone(error)) throw error;
    // Another user's process does not belong to the run.
    return isForeign(error) ? 'other' : 'ended';
  }
}

/** Fields of /proc/…/stat after the name, counted from 0 (man 5 proc_pid_stat). */
const STATE = 0;
const FLAGS = 6;
const ENV_START = 47;
const ENV_END = 48;
const PF_KTHREAD = 0x00200000;

/** Interprets the stat of a process with an empty environment. */
export function withoutEnvironment(stat: string): ProcessCheck {
  // The name is in brackets and may contain anything, brackets too.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  if (/^[ZXx]$/.test(fields[STATE] ?? '')) return 'ended';
  if ((Number(fields[FLAGS]) & PF_KTHREAD) !== 0) return 'other';
  const [start, end] = [fields[ENV_START], fields[ENV_END]];
  // No address yet: execve has new memory and has not filled it. An address range: it has just filled it.
  return end === '0' || start !== end ? 'changing' : 'other';
}

function isGone(error: unknown): boolean {
  const code = codeOf(error);
  return code === 'ESRCH' || code === 'ENOENT' || isForeign(error);
}

function isForeign(error: unknown): boolean {
  const code = codeOf(error);
  return code === 'EACCES' || code === 'EPERM';
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : null;
}

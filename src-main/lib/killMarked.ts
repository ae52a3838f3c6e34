/**
 * Ends what a run left outside its process group: every process whose environment holds a mark. Linux only (it
 * reads /proc); elsewhere nothing happens.
 */
import { readdir, readFile } from 'node:fs/promises';

/** What looking at one process says of it. */
export type Look =
  /** Its environment holds the mark. */
  | 'marked'
  /** It runs, and is none of ours. */
  | 'other'
  /** It was listed and has ended since: what it forked meanwhile may not have been listed. */
  | 'ended'
  /** It is turning into another program: for a moment its environment cannot be read. */
  | 'changing';

/** The machine's processes; tests bring their own. */
export interface Processes {
  readonly list: () => Promise<readonly string[]>;
  readonly look: (pid: string) => Promise<Look>;
  readonly kill: (pid: string) => void;
}

/** Beyond this something else is wrong (a process that cannot even end), and waiting would help nobody. */
const MAX_PASSES = 200;

/**
 * SIGKILLs every process whose environment holds `NAME=value`, whatever group or session it moved to.
 *
 * A process may fork while the others are looked for, and be gone before it is looked at itself: a daemon leaves by
 * two forks in a row. So looking goes on, at what is new each time, until a pass killed nothing, saw nothing end and
 * left nothing open: then whatever ran at its beginning has been seen, and nothing of ours was among it.
 */
export async function killMarked(
  name: string,
  value: string,
  processes: Processes | null = process.platform === 'linux' ? processesWith(name, value) : null,
): Promise<void> {
  if (processes === null) return;
  const seen = new Set<string>();
  for (let pass = 0; pass < MAX_PASSES; pass += 1) {
    const fresh = (await processes.list()).filter((pid) => !seen.has(pid));
    const looks = await Promise.all(fresh.map((pid) => processes.look(pid)));
    let settled = true;
    for (const [at, pid] of fresh.entries()) {
      if (looks[at] === 'marked') processes.kill(pid);
      if (looks[at] !== 'changing') seen.add(pid);
      if (looks[at] !== 'other') settled = false;
    }
    if (settled) return;
  }
}

function processesWith(name: string, value: string): Processes {
  const wanted = Buffer.from(`${name}=${value}\0`);
  return {
    list: async () => (await readdir('/proc')).filter((entry) => /^\d+$/.test(entry)),
    look: (pid) => look(pid, wanted),
    kill(pid) {
      try {
        process.kill(Number(pid), 'SIGKILL');
      } catch (error) {
        if (!isGone(error)) throw error;
      }
    },
  };
}

async function look(pid: string, wanted: Buffer): Promise<Look> {
  try {
    const environment = await readFile(`/proc/${pid}/environ`);
    if (environment.length > 0) return environment.includes(wanted) ? 'marked' : 'other';
    return withoutEnvironment(await readFile(`/proc/${pid}/stat`, 'latin1'));
  } catch (error) {
    if (!isGone(error)) throw error;
    // Another user's process is none of ours.
    return isForeign(error) ? 'other' : 'ended';
  }
}

/** Fields of /proc/…/stat after the name, counted from 0 (man 5 proc_pid_stat). */
const STATE = 0;
const FLAGS = 6;
const ENV_START = 47;
const ENV_END = 48;
const PF_KTHREAD = 0x00200000;

/** Why nothing could be read where an environment should be. */
export function withoutEnvironment(stat: string): Look {
  // The name is in brackets and may hold anything, brackets too.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  if (/^[ZXx]$/.test(fields[STATE] ?? '')) return 'ended';
  if ((Number(fields[FLAGS]) & PF_KTHREAD) !== 0) return 'other';
  const [start, end] = [fields[ENV_START], fields[ENV_END]];
  // An address that is not there yet: execve has put in new memory and not filled it. A range: it has just done so.
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

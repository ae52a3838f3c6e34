import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { errnoOf } from '../../lib/atomicFile.ts';

/**
 * When a process started, in a system-specific form that is equal only for the same process: it shows whether a
 * recorded pid is still the worker's. Null: there is no such process.
 */
export async function startOf(pid: number): Promise<string | null> {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
    // The program name is in parentheses and may contain anything; state and start are the 1st and 20th field after it.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z' ? null : `ticks ${fields[19]}`;
  } catch (error) {
    if (errnoOf(error) === 'ESRCH') return null;
    if (errnoOf(error) !== 'ENOENT') throw error;
  }
  return process.platform === 'linux' ? null : startByPs(pid);
}

function startByPs(pid: number): Promise<string | null> {
  return new Promise((resolve) => {
    execFile('ps', ['-o', 'lstart=', '-p', String(pid)], (error, stdout) => {
      const startTime = stdout.trim();
      resolve(error !== null || startTime === '' ? null : startTime);
    });
  });
}

/** Checks that hostile input changed nothing outside: files of a folder, and processes that were started. */

import { createHash } from 'node:crypto';
import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The entries of a folder, one per line: mode, inode, times of change in nanoseconds, and the digest of plain files.
 * The times of folders reveal files that were created and deleted again.
 */
export function treeOf(dir: string): readonly string[] {
  const lines: string[] = [];
  const look = (path: string, name: string): void => {
    const info = lstatSync(path, { bigint: true });
    const base = `${name} ${info.mode.toString(8)} ${info.ino} ${info.mtimeNs} ${info.ctimeNs}`;
    if (info.isSymbolicLink()) lines.push(`${base} -> ${readlinkSync(path)}`);
    else if (info.isDirectory()) {
      lines.push(base);
      for (const child of readdirSync(path).sort()) look(join(path, child), `${name}/${child}`);
    } else if (info.isFile()) {
      lines.push(`${base} ${createHash('sha256').update(readFileSync(path)).digest('hex')}`);
    } else lines.push(base);
  };
  look(dir, '.');
  return lines;
}

/** Only Linux shows which processes a process has started. */
export const SEES_PROCESSES = process.platform === 'linux';

/**
 * The living child processes of a process, and the page faults of those that have ended. Every process causes page
 * faults, so the text differs if a child has started and ended between two calls.
 */
export function processesOf(pid: number): string {
  const tasks = readdirSync(`/proc/${pid}/task`);
  const living = tasks.flatMap((task) =>
    readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' ').filter(Boolean),
  );
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The name in parentheses may contain anything; the ninth field after it is `cminflt` (proc_pid_stat(5)).
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return `living ${living.sort().join(' ')}; page faults of ended ones ${fields[8]}`;
}

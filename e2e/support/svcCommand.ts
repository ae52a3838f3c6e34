/** Runs commands of the built `svc` program for tests. */

import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { COMPILED_HERE, PROJECT_ROOT } from './serverProcess.ts';

export interface CommandEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs one command and waits until it ends. */
export function svc(
  args: readonly string[],
  options: {
    readonly env?: Readonly<Record<string, string>>;
    readonly cwd?: string;
    readonly onStart?: (pid: number) => void;
  } = {},
): Promise<CommandEnd> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [join(PROJECT_ROOT, 'dist/svc.mjs'), ...args], {
      cwd: options.cwd ?? PROJECT_ROOT,
      env: { ...process.env, ...COMPILED_HERE, ...options.env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    if (child.pid !== undefined) options.onStart?.(child.pid);
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text;
    });
    child.once('error', reject);
    child.once('close', (code, signal) => resolve({ code, signal, stdout, stderr }));
  });
}

export interface RunReport {
  readonly success: boolean;
  readonly cells: readonly {
    readonly id: string;
    readonly status: 'ok' | 'error' | 'skipped';
    readonly cache_hit: boolean;
    readonly stdout?: string;
    readonly error?: string;
    readonly reason?: string;
  }[];
}

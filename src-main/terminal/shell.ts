/** Chooses the user's shell and its environment, for the terminals of notebooks. */

import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import { childEnvironment } from '../exec/local/childEnvironment.ts';

interface Shell {
  readonly file: string;
  readonly args: readonly string[];
  /** Its display name: `bash`. */
  readonly name: string;
}

/** The user's shell: SHELL, or the usual one of the platform. */
export function userShell(env: NodeJS.ProcessEnv, platform = process.platform): Shell {
  if (platform === 'win32') return { file: 'powershell.exe', args: ['-NoLogo'], name: 'PowerShell' };
  const named = env['SHELL'];
  const usual = platform === 'darwin' ? '/bin/zsh' : '/bin/bash';
  const file = [named, usual].find((path) => path?.startsWith('/') && existsSync(path)) ?? '/bin/sh';
  return { file, args: [], name: basename(file) };
}

/**
 * The environment of a shell: that of a cell, with the notebook's environment activated, and the usual
 * variables of a terminal. It contains none of the server's keys, and neither the variables nor the secrets
 * of the notebook.
 * @param python the notebook's interpreter, which need not exist yet
 */
export function shellEnvironment(base: NodeJS.ProcessEnv, python: string): Record<string, string> {
  const env = childEnvironment({ base, allowlist: null, python });
  // Programs that rely on them would use the size of the window in which the server was started.
  for (const name of ['COLUMNS', 'LINES', 'TERM_PROGRAM_VERSION', 'PROMPT_COMMAND']) delete env[name];
  return {
    ...env,
    TERM: 'xterm-256color',
    COLORTERM: 'truecolor',
    TERM_PROGRAM: 'cellar',
    LANG: env['LANG'] ?? 'C.UTF-8',
  };
}

/** Builds the environment variables of a cell's process, without the server's own names and secrets. */

import { existsSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { isServerSecret } from '../../../src-shared/shell/serverSecrets.ts';

/** Marks the processes of one run; descendants inherit it. See harness/python/svc_harness/lifeline.py. */
export const RUN_MARKER_VARIABLE = 'SVC_RUN_MARKER';

/** Names that the server's runtime and launcher set for themselves. */
const SERVER_NAMES = /^(SVC_|NODE_|npm_|ELECTRON_|VITEST)|^INIT_CWD$/;

/** Names that change which code a cell runs, or stop Python from writing the .pyc files that make imports fast. */
const STEERS_PYTHON = new Set([
  'PYTHONDONTWRITEBYTECODE',
  'PYTHONHOME',
  'PYTHONINSPECT',
  'PYTHONPATH',
  'PYTHONSTARTUP',
  '__PYVENV_LAUNCHER__',
]);

/** Names that every cell gets, whatever the allowlist says. */
const BASIC = new Set([
  'PATH',
  'HOME',
  'LANG',
  'LOGNAME',
  'USER',
  'SHELL',
  'TMPDIR',
  'TEMP',
  'TMP',
  'PWD',
  'TZ',
]);
const BASIC_PREFIXES = ['UV_', 'LC_', 'PYTHON', 'VIRTUAL_ENV', 'R_', 'RSTUDIO_'];
const LOOKS_SECRET = /TOKEN|SECRET|PASSW|CREDENTIAL|KEY|INDEX|PUBLISH|AUTH/i;
/** Names without which a Windows process does not start or finds no user profile. */
const WINDOWS = new Set([
  'SYSTEMROOT',
  'SYSTEMDRIVE',
  'COMSPEC',
  'PATHEXT',
  'WINDIR',
  'APPDATA',
  'LOCALAPPDATA',
  'PROGRAMDATA',
  'USERPROFILE',
  'USERNAME',
  'NUMBER_OF_PROCESSORS',
]);

interface ChildEnvironmentOptions {
  readonly base: NodeJS.ProcessEnv;
  /** SVC_NOTEBOOK_HARNESS_ENV_ALLOWLIST: exact names, or prefixes that end in `*`; null: no restriction. */
  readonly allowlist: readonly string[] | null;
  readonly python: string;
  /** Keeps the server's own names, except secrets. Default: false. */
  readonly keepServerNames?: boolean;
}

/**
 * The environment of a cell's process.
 *
 * Without an allowlist: the server's environment without SVC_*, NODE_*, npm_*, ELECTRON_*
 * and VITEST* names and INIT_CWD. With one: the basic names and those it lists (SVC_ names only if listed in
 * full). Never: the server's secrets and the PYTHON* names that change what the interpreter runs. A virtual
 * environment is activated as its `activate` script does: VIRTUAL_ENV is set and its folder is first in PATH.
 */
export function childEnvironment(options: ChildEnvironmentOptions): Record<string, string> {
  const { allowlist, keepServerNames = false } = options;
  const env: Record<string, string> = {};
  for (const [name, value] of Object.entries(options.base)) {
    if (value === undefined || isServerSecret(name) || STEERS_PYTHON.has(name)) continue;
    if (
      allowlist === null
        ? keepServerNames || !SERVER_NAMES.test(name)
        : isBasic(name) || isListed(name, allowlist)
    )
      env[name] = value;
  }
  delete env['VIRTUAL_ENV'];
  delete env['VIRTUAL_ENV_PROMPT'];
  const bin = dirname(options.python);
  if (existsSync(join(bin, '..', 'pyvenv.cfg'))) {
    env['VIRTUAL_ENV'] = dirname(bin);
    const path = Object.keys(env).find((name) => name.toUpperCase() === 'PATH') ?? 'PATH';
    env[path] = env[path] === undefined ? bin : `${bin}${delimiter}${env[path]}`;
  }
  return env;
}

function isBasic(name: string): boolean {
  if (BASIC.has(name)) return true;
  if (process.platform === 'win32' && WINDOWS.has(name.toUpperCase())) return true;
  return BASIC_PREFIXES.some((prefix) => name.startsWith(prefix)) && !LOOKS_SECRET.test(name);
}

function isListed(name: string, allowlist: readonly string[]): boolean {
  return allowlist.some((entry) =>
    entry.endsWith('*') ? !name.startsWith('SVC_') && name.startsWith(entry.slice(0, -1)) : entry === name,
  );
}

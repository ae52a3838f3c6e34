import { existsSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { isServerSecret } from '../../../src-shared/shell/serverSecrets.ts';

/** Names the run a process belongs to; descendants inherit it. See harness/python/svc_harness/lifeline.py. */
export const MARKER = 'SVC_RUN_MARKER';

/** What the server's runtime and launcher left in its environment: nothing a cell asked for. */
const OURS = /^(SVC_|NODE_|npm_|ELECTRON_|VITEST)|^INIT_CWD$/;

/** Would change which code a cell runs, or keep Python from writing the .pyc files that make imports quick. */
const STEERS_PYTHON = new Set([
  'PYTHONDONTWRITEBYTECODE',
  'PYTHONHOME',
  'PYTHONINSPECT',
  'PYTHONPATH',
  'PYTHONSTARTUP',
  '__PYVENV_LAUNCHER__',
]);

/** Kept under any allowlist. */
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
/** Without these a Windows process does not start or finds no profile. */
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

export interface ChildEnvironmentOptions {
  readonly base: NodeJS.ProcessEnv;
  /** SVC_NOTEBOOK_HARNESS_ENV_ALLOWLIST: exact names, or prefixes ending in `*`; null narrows nothing. */
  readonly allowlist: readonly string[] | null;
  readonly python: string;
  /** Hides nothing of ours but the secrets. Default: false. */
  readonly keepOurNames?: boolean;
}

/**
 * The environment a cell's process starts with.
 *
 * CONTRACT. Without an allowlist: the server's environment, less every SVC_*, NODE_*, npm_*, ELECTRON_*
 * and VITEST* name and INIT_CWD. With one: the basic names, what it lists (SVC_ names only if listed in
 * full), nothing else. Never: the server's own secrets, and the PYTHON* names that steer the interpreter. A virtual
 * environment is active as its `activate` script would have it: VIRTUAL_ENV set, its folder first in PATH.
 */
export function childEnvironment(options: ChildEnvironmentOptions): Record<string, string> {
  const { allowlist, keepOurNames = false } = options;
  const env: Record<string, string> = {};
  for (const [name, value] of Object.entries(options.base)) {
    if (value === undefined || isServerSecret(name) || STEERS_PYTHON.has(name)) continue;
    if (allowlist === null ? keepOurNames || !OURS.test(name) : isBasic(name) || isListed(name, allowlist))
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

/** Decides whether a run needs a fresh process, because its code could notice imports that a warm one made before. */

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { ExecRequest } from '../executor.ts';

/** Patterns of code that sets environment variables, or gives the environment a second name that could. */
const SETS_VARIABLES = [
  /\benvironb?\s*\[[^\n=]*\]\s*(?:,|[|+]?=(?!=))/,
  /\benvironb?\s*(?:\|=|\.\s*(?:update|setdefault|pop|popitem|clear|__setitem__|__delitem__|__ior__)\b)/,
  /\bdel\s+(?:os\s*\.\s*)?environb?\b/,
  /=\s*(?:os\s*\.\s*)?environb?\b(?!\s*[.[])/,
  /\benvironb?\s+as\b/,
  /\.\s*(?:setitem|delitem|dict)\(\s*(?:os\s*\.\s*)?environb?\b/,
  /\b(?:putenv|unsetenv|setenv|load_dotenv)\b/,
];

/** Files of the working directory that libraries read once, while they are imported. */
const READ_ON_IMPORT = ['matplotlibrc', '.numba_config.yaml'];

/**
 * Whether a run could notice that modules were imported before it began: its code may set variables that they read
 * during import, or its folder has a file that they read then.
 */
export function needsFreshProcess(request: Pick<ExecRequest, 'source' | 'setup' | 'cwd'>): boolean {
  return (
    setsEnvironmentVariables(request.source) ||
    setsEnvironmentVariables(request.setup?.source ?? '') ||
    READ_ON_IMPORT.some((name) => existsSync(join(request.cwd, name)))
  );
}

/** Whether code may set an environment variable of its process. True when in doubt. */
export function setsEnvironmentVariables(code: string): boolean {
  return SETS_VARIABLES.some((pattern) => pattern.test(code));
}

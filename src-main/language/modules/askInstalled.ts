/** Asks a notebook's Python which names a star import of an installed module binds. */

import { captureTool } from '../../environment/uv/runTool.ts';
import type { AskInstalled } from './starNames.ts';

/**
 * The Python program that prints the public names of a module after a marker, since importing the module may print too.
 */
const PROBE = `
import importlib, json, sys
module = importlib.import_module(sys.argv[1])
names = getattr(module, "__all__", None) or list(vars(module))
names = [name for name in names if isinstance(name, str) and not name.startswith("_")]
print("\\n<names>" + json.dumps(names))
`;

const TIMEOUT_MS = 20_000;

/** The Python to ask. `identity` changes whenever the installed packages change. */
interface PythonToAsk {
  readonly path: string;
  readonly identity: string;
}

/**
 * Asks the notebook's Python which names `from m import *` binds, once per module and state of its environment.
 * @param python returns null if there is none yet, or if code of this notebook may not run
 */
export function createAskInstalled(python: () => PythonToAsk | null): AskInstalled {
  const answers = new Map<string, Promise<readonly string[] | null>>();
  return async (module) => {
    const interpreter = python();
    if (interpreter === null) return undefined;
    const key = `${interpreter.identity}\0${module}`;
    const answer = answers.get(key) ?? ask(interpreter.path, module);
    answers.set(key, answer);
    return answer;
  };
}

/** The variables that any program needs, without the server's secrets. */
function plainEnv(): NodeJS.ProcessEnv {
  const allowed = ['PATH', 'HOME', 'LANG', 'TMPDIR', 'TEMP', 'SystemRoot', 'USERPROFILE', 'APPDATA'];
  const env: NodeJS.ProcessEnv = { MPLBACKEND: 'Agg' };
  for (const name of allowed) if (process.env[name] !== undefined) env[name] = process.env[name];
  return env;
}

async function ask(file: string, module: string): Promise<readonly string[] | null> {
  const { end, stdout } = await captureTool({
    file,
    args: ['-I', '-c', PROBE, module],
    env: plainEnv(),
    timeoutMs: TIMEOUT_MS,
  });
  const line = stdout.split('\n').findLast((text) => text.startsWith('<names>'));
  if (end.kind !== 'exited' || end.code !== 0 || line === undefined) return null;
  const names: unknown = JSON.parse(line.slice('<names>'.length));
  return Array.isArray(names) ? names.filter((name) => typeof name === 'string') : null;
}

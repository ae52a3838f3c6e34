import { captureTool } from '../../environment/uv/runTool.ts';
import type { AskInstalled } from './starNames.ts';

/** Prints the public names of a module behind a mark: importing it may print as well. */
const PROBE = `
import importlib, json, sys
module = importlib.import_module(sys.argv[1])
names = getattr(module, "__all__", None) or list(vars(module))
names = [name for name in names if isinstance(name, str) and not name.startswith("_")]
print("\\n<names>" + json.dumps(names))
`;

const PATIENCE_MS = 20_000;

/** The Python to ask. `identity` changes whenever what is installed does. */
export interface AskedPython {
  readonly path: string;
  readonly identity: string;
}

/**
 * Asks the notebook's Python which names a module gives to `from m import *`, once for each state of its environment.
 * @param python null: there is none yet, or nothing of this notebook may be started
 */
export function createAskInstalled(python: () => AskedPython | null): AskInstalled {
  const answers = new Map<string, Promise<readonly string[] | null>>();
  return async (module) => {
    const asked = python();
    if (asked === null) return undefined;
    const key = `${asked.identity}\0${module}`;
    const answer = answers.get(key) ?? ask(asked.path, module);
    answers.set(key, answer);
    return answer;
  };
}

/** What any program needs, and none of the server's secrets. */
function plainEnv(): NodeJS.ProcessEnv {
  const kept = ['PATH', 'HOME', 'LANG', 'TMPDIR', 'TEMP', 'SystemRoot', 'USERPROFILE', 'APPDATA'];
  const env: NodeJS.ProcessEnv = { MPLBACKEND: 'Agg' };
  for (const name of kept) if (process.env[name] !== undefined) env[name] = process.env[name];
  return env;
}

async function ask(file: string, module: string): Promise<readonly string[] | null> {
  const { end, stdout } = await captureTool({
    file,
    args: ['-I', '-c', PROBE, module],
    env: plainEnv(),
    timeoutMs: PATIENCE_MS,
  });
  const line = stdout.split('\n').findLast((text) => text.startsWith('<names>'));
  if (end.kind !== 'exited' || end.code !== 0 || line === undefined) return null;
  const names: unknown = JSON.parse(line.slice('<names>'.length));
  return Array.isArray(names) ? names.filter((name) => typeof name === 'string') : null;
}

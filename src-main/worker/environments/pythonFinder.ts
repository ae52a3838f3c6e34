import { stat } from 'node:fs/promises';
import { captureTool } from '../../environment/runTool.ts';
import { uvBaseEnv } from '../../environment/uvSync.ts';
import { lastLines } from './lastLines.ts';

const PROBE_MS = 60_000;
/** How long an answer holds while its interpreter stays the same file: a Python installed meanwhile is found then. */
const FRESH_MS = 600_000;
/** `cpython-3.13.1 linux-x86_64`, with the abi flags behind the version. */
const PROBE = [
  'import platform, sys, sysconfig',
  "flags = getattr(sys, 'abiflags', '')",
  "print(f'{sys.implementation.name}-{platform.python_version()}{flags} {sysconfig.get_platform()}')",
].join('\n');

export interface FoundPython {
  readonly interpreter: string;
  /** What it says of itself: its build and its platform. */
  readonly probe: string;
}

/** The interpreter of this machine for a version (empty: any). @throws Error with the reason */
export type FindPython = (
  uv: string,
  asked: { readonly python: string; readonly signal: AbortSignal },
) => Promise<FoundPython>;

/** Two programs are started to find one, which would take longer than most cells: an answer is kept for a while. */
export function createPythonFinder(now: () => number = Date.now): FindPython {
  const kept = new Map<string, { found: FoundPython; file: string; untilMs: number }>();
  return async (uv, { python, signal }) => {
    const key = `${uv}\n${python}`;
    const known = kept.get(key);
    if (known !== undefined && now() < known.untilMs) {
      if ((await fileOf(known.found.interpreter)) === known.file) return known.found;
    }
    const found = await find(uv, { python, signal });
    const file = await fileOf(found.interpreter);
    if (file !== null) kept.set(key, { found, file, untilMs: now() + FRESH_MS });
    return found;
  };
}

const find: FindPython = async (uv, { python, signal }) => {
  const env = uvBaseEnv(process.env);
  const found = await captureTool({
    file: uv,
    args: ['python', 'find', '--system', '--no-project', ...(python === '' ? [] : [python])],
    ...{ env, signal, timeoutMs: PROBE_MS },
  });
  const interpreter = found.stdout.trim();
  if (found.end.kind !== 'exited' || found.end.code !== 0 || interpreter === '') {
    throw new Error(`no Python ${python} was found: ${lastLines(found.stderr)}`);
  }
  const probed = await captureTool({
    file: interpreter,
    args: ['-I', '-c', PROBE],
    ...{ env, signal, timeoutMs: PROBE_MS },
  });
  const probe = probed.stdout.trim();
  if (!probe.includes(' ')) {
    throw new Error(`${interpreter} does not say what it is: ${lastLines(probed.stderr)}`);
  }
  return { interpreter, probe };
};

/** What tells one file in a place from the next one there; null where there is none to be seen. */
function fileOf(path: string): Promise<string | null> {
  return stat(path).then(
    ({ dev, ino, size, mtimeMs }) => `${dev} ${ino} ${size} ${mtimeMs}`,
    () => null,
  );
}

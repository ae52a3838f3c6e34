import { pythonFor } from '../../environment/managedPython.ts';
import { fittingPython } from '../../environment/settleEnvironment.ts';
import { probed } from '../../environment/uv/findPythons.ts';
import { captureTool } from '../../environment/uv/runTool.ts';
import { uvBaseEnv } from '../../environment/uv/uvSync.ts';
import { lastLines } from './lastLines.ts';
import { fitsRequest, specifierOf } from './pythonRequest.ts';

const PROBE_MS = 60_000;
const FETCH_MS = 900_000;
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

export interface WantedPython {
  /** What the notebook asks for: `3.13`, `3.13.1`, a specifier, or another request of uv; empty: any. */
  readonly python: string;
  /** SVC_WORKER_PYTHON: taken where it fits; null: unset. */
  readonly preferred: string | null;
  readonly signal: AbortSignal;
  /** Default: the worker's own. */
  readonly env?: NodeJS.ProcessEnv;
}

/**
 * The interpreter for a version: SVC_WORKER_PYTHON where it fits, one that uv finds, another one of this machine, or
 * one that uv downloads unless UV_PYTHON_DOWNLOADS forbids it.
 * @throws Error with the reason
 */
export async function findPython(uv: string, wanted: WantedPython): Promise<FoundPython> {
  const env = uvBaseEnv(wanted.env ?? process.env);
  const interpreter = await interpreterFor(uv, wanted, env);
  const probing = { file: interpreter, args: ['-I', '-c', PROBE], env, signal: wanted.signal };
  const probed = await captureTool({ ...probing, timeoutMs: PROBE_MS });
  const probe = probed.stdout.trim();
  if (!probe.includes(' ')) {
    throw new Error(`${interpreter} does not say what it is: ${lastLines(probed.stderr)}`);
  }
  return { interpreter, probe };
}

async function interpreterFor(
  uv: string,
  { python, preferred, signal }: WantedPython,
  env: NodeJS.ProcessEnv,
): Promise<string> {
  const own = preferred === null ? null : await probed(preferred, env);
  if (own !== null && fitsRequest(own.version, python)) return own.path;
  const asked = await captureTool({
    file: uv,
    args: ['python', 'find', '--system', '--no-project', ...(python === '' ? [] : [python])],
    ...{ env, signal, timeoutMs: PROBE_MS },
  });
  signal.throwIfAborted();
  const found = asked.stdout.trim();
  if (asked.end.kind === 'exited' && asked.end.code === 0 && found !== '') return found;
  const requiresPython = specifierOf(python);
  const none = `no Python ${python} was found on this worker`;
  if (requiresPython === null) throw new Error(`${none}: ${lastLines(asked.stderr)}`);
  if (!mayDownload(env)) {
    // uv sees what is active; pyenv and installers have more.
    const here = await fittingPython(requiresPython, env);
    if (here !== null) return here.path;
    throw new Error(
      `${none}, and UV_PYTHON_DOWNLOADS=${env['UV_PYTHON_DOWNLOADS']} keeps uv from downloading it: install Python ${python} there, or name one in SVC_WORKER_PYTHON`,
    );
  }
  const answer = await pythonFor({
    ...{ requiresPython, env, signal, timeoutMs: FETCH_MS },
    uv: { kind: 'found', path: uv, version: '', source: 'path' },
  });
  if (answer.kind === 'python') return answer.python.path;
  signal.throwIfAborted();
  throw new Error(`${none}: ${answer.error}`);
}

/** Whether uv may download a Python when a cell needs one; `manual` leaves that to a person. */
function mayDownload(env: NodeJS.ProcessEnv): boolean {
  const isOffline = /^(1|true|yes|on)$/i.test(env['UV_OFFLINE'] ?? '');
  return !isOffline && !/^(never|manual|false)$/i.test(env['UV_PYTHON_DOWNLOADS']?.trim() ?? '');
}

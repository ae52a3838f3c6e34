/** Finds or installs the Python interpreter for a locked environment on a worker. */

import { pythonFor } from '../../environment/managedPython.ts';
import { fittingPython } from '../../environment/settleEnvironment.ts';
import { probePython } from '../../environment/uv/findPythons.ts';
import { captureTool } from '../../environment/uv/runTool.ts';
import { uvBaseEnv } from '../../environment/uv/uvSync.ts';
import { lastLines } from './lastLines.ts';
import { fitsRequest, specifierOf } from './pythonRequest.ts';

const PROBE_MS = 60_000;
const FETCH_MS = 900_000;
/** The program that prints `cpython-3.13.1 linux-x86_64`, with the ABI flags after the version. */
const PROBE = [
  'import platform, sys, sysconfig',
  "flags = getattr(sys, 'abiflags', '')",
  "print(f'{sys.implementation.name}-{platform.python_version()}{flags} {sysconfig.get_platform()}')",
].join('\n');

interface PythonMatch {
  readonly interpreter: string;
  /** The interpreter's build and platform, as it prints them. */
  readonly probe: string;
}

interface PythonRequest {
  /** The notebook's request: `3.13`, `3.13.1`, a specifier, or another request of uv; empty: any. */
  readonly python: string;
  /** SVC_WORKER_PYTHON: used if it matches; null: unset. */
  readonly preferred: string | null;
  readonly signal: AbortSignal;
  /** Default: the worker's environment. */
  readonly env?: NodeJS.ProcessEnv;
}

/**
 * The interpreter for a request: SVC_WORKER_PYTHON if it matches, else one that uv finds, else one that uv downloads
 * or, if UV_PYTHON_DOWNLOADS forbids that, another one of this machine.
 * @throws Error with the reason
 */
export async function findPython(uv: string, request: PythonRequest): Promise<PythonMatch> {
  const env = uvBaseEnv(request.env ?? process.env);
  const interpreter = await interpreterFor(uv, request, env);
  const probeOptions = { file: interpreter, args: ['-I', '-c', PROBE], env, signal: request.signal };
  const output = await captureTool({ ...probeOptions, timeoutMs: PROBE_MS });
  const probe = output.stdout.trim();
  if (!probe.includes(' ')) {
    throw new Error(`${interpreter} did not report its version: ${lastLines(output.stderr)}`);
  }
  return { interpreter, probe };
}

async function interpreterFor(
  uv: string,
  { python, preferred, signal }: PythonRequest,
  env: NodeJS.ProcessEnv,
): Promise<string> {
  const own = preferred === null ? null : await probePython(preferred, env);
  if (own !== null && fitsRequest(own.version, python)) return own.path;
  const uvFind = await captureTool({
    file: uv,
    args: ['python', 'find', '--system', '--no-project', ...(python === '' ? [] : [python])],
    env,
    signal,
    timeoutMs: PROBE_MS,
  });
  signal.throwIfAborted();
  const uvPath = uvFind.stdout.trim();
  if (uvFind.end.kind === 'exited' && uvFind.end.code === 0 && uvPath !== '') return uvPath;
  const requiresPython = specifierOf(python);
  const none = `no Python ${python} was found on this worker`;
  if (requiresPython === null) throw new Error(`${none}: ${lastLines(uvFind.stderr)}`);
  if (!mayDownload(env)) {
    // uv finds active interpreters only; pyenv and installers may have more.
    const local = await fittingPython(requiresPython, env);
    if (local !== null) return local.path;
    throw new Error(
      `${none}, and UV_PYTHON_DOWNLOADS=${env['UV_PYTHON_DOWNLOADS']} keeps uv from downloading it: install Python ${python} there, or name one in SVC_WORKER_PYTHON`,
    );
  }
  const answer = await pythonFor({
    requiresPython,
    env,
    signal,
    timeoutMs: FETCH_MS,
    uv: { kind: 'found', path: uv, version: '', source: 'path' },
  });
  if (answer.kind === 'python') return answer.python.path;
  signal.throwIfAborted();
  throw new Error(`${none}: ${answer.error}`);
}

/** Whether uv may download a Python when a cell needs one; with `manual` only a user may. */
function mayDownload(env: NodeJS.ProcessEnv): boolean {
  const isOffline = /^(1|true|yes|on)$/i.test(env['UV_OFFLINE'] ?? '');
  return !isOffline && !/^(never|manual|false)$/i.test(env['UV_PYTHON_DOWNLOADS']?.trim() ?? '');
}

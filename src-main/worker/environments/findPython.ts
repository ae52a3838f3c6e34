import { captureTool } from '../../environment/runTool.ts';
import { uvBaseEnv } from '../../environment/uvSync.ts';
import { lastLines } from './lastLines.ts';

const PROBE_MS = 60_000;
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
export async function findPython(
  uv: string,
  { python, signal }: { readonly python: string; readonly signal: AbortSignal },
): Promise<FoundPython> {
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
}

import { realpath } from 'node:fs/promises';
import { fittingPython } from './settleEnvironment.ts';
import { type Python, probed } from './uv/findPythons.ts';
import type { FoundUv } from './uv/resolveUv.ts';
import { captureTool, runTool, type ToolStream } from './uv/runTool.ts';
import { isUnreachable, reasonIn } from './uv/uvFailure.ts';
import { uvBaseEnv } from './uv/uvSync.ts';

/** What a project is built on: an interpreter of this machine, else one that uv fetches and keeps for all notebooks. */
export type PythonAnswer =
  | { readonly kind: 'python'; readonly python: Python; readonly fetched: boolean }
  /** In words, with what to do. `unreachable`: the network is the reason. */
  | { readonly kind: 'unreachable' | 'failed' | 'cancelled'; readonly error: string };

export interface PythonRequest {
  /** A specifier of pyproject.toml; '': any we can use. */
  readonly requiresPython: string;
  readonly uv: FoundUv;
  readonly env: NodeJS.ProcessEnv;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
  readonly onText?: ((stream: ToolStream, text: string) => void) | undefined;
}

const ANY = '>=3.10';
const FIND_MS = 20_000;
const MAX_KEPT = 16 * 1024;

/**
 * The newest interpreter of this machine that fits; where there is none, uv fetches one (python-build-standalone, or
 * what UV_PYTHON_INSTALL_MIRROR and UV_PYTHON_DOWNLOADS_JSON_URL name). Its progress goes to the log; a fetch that
 * is stopped leaves nothing that would be taken for a Python.
 */
export async function pythonFor(request: PythonRequest): Promise<PythonAnswer> {
  const here = await fittingPython(request.requiresPython, request.env);
  if (here !== null) return { kind: 'python', python: here, fetched: false };
  const { uv, signal } = request;
  if (uv.kind === 'missing') return { kind: 'unreachable', error: uv.message };
  const wanted = request.requiresPython || ANY;
  request.onText?.('stderr', `No Python on this machine matches ${wanted}. Downloading one.\n`);
  const env: NodeJS.ProcessEnv = {
    ...uvBaseEnv(request.env),
    UV_PYTHON_PREFERENCE: 'only-managed',
    // It is for notebooks: no command of the person's becomes another one.
    UV_PYTHON_INSTALL_BIN: '0',
    UV_PYTHON_INSTALL_REGISTRY: '0',
  };
  let stderr = '';
  const end = await runTool({
    ...{ file: uv.path, args: ['python', 'install', wanted], env, timeoutMs: request.timeoutMs },
    onText: (stream, text) => {
      if (stream === 'stderr') stderr = (stderr + text).slice(-MAX_KEPT);
      request.onText?.(stream, text);
    },
    ...(signal ? { signal } : {}),
  });
  if (end.kind === 'cancelled') return { kind: 'cancelled', error: 'cancelled' };
  if (end.kind === 'timeout') {
    return notFetched(wanted, `it took longer than ${Math.round(request.timeoutMs / 1000)} s`, 'failed');
  }
  if (end.kind === 'unstartable') return notFetched(wanted, end.message, 'unreachable');
  if (end.code !== 0) {
    const reason = reasonIn(stderr) || `uv ended with exit code ${end.code}`;
    return notFetched(wanted, reason, isUnreachable(stderr) ? 'unreachable' : 'failed');
  }
  const python = await fetchedPython(uv.path, wanted, env);
  if (python === null) return notFetched(wanted, 'the downloaded Python does not start', 'failed');
  return { kind: 'python', python, fetched: true };
}

async function fetchedPython(uv: string, wanted: string, env: NodeJS.ProcessEnv): Promise<Python | null> {
  const args = ['python', 'find', '--no-project', wanted];
  const { end, stdout } = await captureTool({ file: uv, args, env, timeoutMs: FIND_MS });
  if (end.kind !== 'exited' || end.code !== 0) return null;
  // uv names a link that moves on to newer patches; an environment stays with the one it was made from.
  const path = await realpath(stdout.trim()).catch(() => null);
  return path === null ? null : probed(path, env);
}

function notFetched(wanted: string, reason: string, kind: 'unreachable' | 'failed'): PythonAnswer {
  const minor = /\d+\.\d+/.exec(wanted)?.[0] ?? '3';
  const said = reason.replace(/[.\s]+$/, '');
  return {
    kind,
    error:
      `uv could not download a Python that matches ${wanted}: ${said}. Connect to the network and sync again, ` +
      `set UV_PYTHON_INSTALL_MIRROR to a mirror, or install Python ${minor}.`,
  };
}

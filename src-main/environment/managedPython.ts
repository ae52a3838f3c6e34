/** Chooses the Python of a notebook's new environment, or lets uv download one. */

import { realpath } from 'node:fs/promises';
import { fittingPython } from './settleEnvironment.ts';
import { type Python, probePython } from './uv/findPythons.ts';
import type { FoundUv } from './uv/resolveUv.ts';
import { captureTool, runTool, type ToolStream } from './uv/runTool.ts';
import { isUnreachable, reasonIn } from './uv/uvFailure.ts';
import { uvBaseEnv } from './uv/uvSync.ts';

/** The Python to build an environment with: one of this machine, or one that uv downloads and all notebooks share. */
export type PythonAnswer =
  | { readonly kind: 'python'; readonly python: Python; readonly fetched: boolean }
  /** The message says what to do. `unreachable`: the network is the reason. */
  | { readonly kind: 'unreachable' | 'failed' | 'cancelled'; readonly error: string };

interface PythonRequest {
  /** A specifier of pyproject.toml; '': any supported version. */
  readonly requiresPython: string;
  readonly uv: FoundUv;
  readonly env: NodeJS.ProcessEnv;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
  readonly onText?: ((stream: ToolStream, text: string) => void) | undefined;
}

const ANY = '>=3.10';
const FIND_MS = 20_000;
const MAX_OUTPUT_CHARS = 16 * 1024;

/**
 * The newest matching interpreter of this machine; when there is none, uv downloads one (python-build-standalone, or
 * from UV_PYTHON_INSTALL_MIRROR and UV_PYTHON_DOWNLOADS_JSON_URL). Its progress goes to the log; a stopped download
 * leaves nothing that could be mistaken for a Python.
 */
export async function pythonFor(request: PythonRequest): Promise<PythonAnswer> {
  const local = await fittingPython(request.requiresPython, request.env);
  if (local !== null) return { kind: 'python', python: local, fetched: false };
  const { uv, signal } = request;
  if (uv.kind === 'missing') return { kind: 'unreachable', error: uv.message };
  const required = request.requiresPython || ANY;
  request.onText?.('stderr', `No Python on this machine matches ${required}. Downloading one.\n`);
  const env: NodeJS.ProcessEnv = {
    ...uvBaseEnv(request.env),
    UV_PYTHON_PREFERENCE: 'only-managed',
    // The Python is only for notebooks: uv must not change the user's commands.
    UV_PYTHON_INSTALL_BIN: '0',
    UV_PYTHON_INSTALL_REGISTRY: '0',
  };
  let stderr = '';
  const end = await runTool({
    file: uv.path,
    args: ['python', 'install', required],
    env,
    timeoutMs: request.timeoutMs,
    onText: (stream, text) => {
      if (stream === 'stderr') stderr = (stderr + text).slice(-MAX_OUTPUT_CHARS);
      request.onText?.(stream, text);
    },
    ...(signal ? { signal } : {}),
  });
  if (end.kind === 'cancelled') return { kind: 'cancelled', error: 'cancelled' };
  if (end.kind === 'timeout') {
    return downloadFailed(
      required,
      `it took longer than ${Math.round(request.timeoutMs / 1000)} s`,
      'failed',
    );
  }
  if (end.kind === 'unstartable') return downloadFailed(required, end.message, 'unreachable');
  if (end.code !== 0) {
    const reason = reasonIn(stderr) || `uv ended with exit code ${end.code}`;
    return downloadFailed(required, reason, isUnreachable(stderr) ? 'unreachable' : 'failed');
  }
  const python = await downloadedPython(uv.path, required, env);
  if (python === null) return downloadFailed(required, 'the downloaded Python does not start', 'failed');
  return { kind: 'python', python, fetched: true };
}

async function downloadedPython(
  uv: string,
  required: string,
  env: NodeJS.ProcessEnv,
): Promise<Python | null> {
  const args = ['python', 'find', '--no-project', required];
  const { end, stdout } = await captureTool({ file: uv, args, env, timeoutMs: FIND_MS });
  if (end.kind !== 'exited' || end.code !== 0) return null;
  // uv returns a link that later points to newer patch releases; an environment must keep its exact interpreter.
  const path = await realpath(stdout.trim()).catch(() => null);
  return path === null ? null : probePython(path, env);
}

function downloadFailed(required: string, reason: string, kind: 'unreachable' | 'failed'): PythonAnswer {
  const minor = /\d+\.\d+/.exec(required)?.[0] ?? '3';
  const cause = reason.replace(/[.\s]+$/, '');
  return {
    kind,
    error:
      `uv could not download a Python that matches ${required}: ${cause}. Connect to the network and sync again, ` +
      `set UV_PYTHON_INSTALL_MIRROR to a mirror, or install Python ${minor}.`,
  };
}

/** Builds a notebook's Python environment with uv in a staging folder, which replaceVenv.ts then puts in place. */

import type { NotebookFolder } from '../../notebook/folder/notebookFolder.ts';
import { venvPython } from '../venv/venv.ts';
import { stagedVenv } from '../venv/venvPlaces.ts';
import type { ToolStream } from './runTool.ts';
import { runUv, type UvEnd } from './uvFailure.ts';

/** Variables that would make uv use another project or folder. */
const DROPPED = [
  'VIRTUAL_ENV',
  'UV_PYTHON',
  'UV_PROJECT',
  'UV_FROZEN',
  'UV_LOCKED',
  'UV_NO_SYNC',
  'CONDA_PREFIX',
];

interface UvSync {
  readonly dir: NotebookFolder;
  readonly uv: string;
  /** Part of the name of the staged folder. */
  readonly id: string;
  /** The interpreter to build with. */
  readonly python: { readonly path: string };
  /** True: uv.lock is used unchanged. */
  readonly frozen: boolean;
  readonly env: NodeJS.ProcessEnv;
  readonly signal: AbortSignal | undefined;
  readonly timeoutMs: number;
  readonly onText: (stream: ToolStream, text: string) => void;
}

/**
 * Builds the notebook's environment in `.svc/venv-<id>`: relocatable, because it is put in place by renaming, and
 * filled from the lock. Does not touch `.venv`. @returns the end of the first command that failed, or of the last
 */
export async function buildStaged(sync: UvSync): Promise<UvEnd> {
  const started = performance.now();
  const staged = stagedVenv(sync.dir, sync.id);
  const tool = {
    file: sync.uv,
    cwd: sync.dir,
    env: uvEnv(sync, staged),
    onText: sync.onText,
    ...(sync.signal ? { signal: sync.signal } : {}),
  };
  const created = await runUv({
    ...tool,
    args: ['venv', '--quiet', '--relocatable', '--no-project', '--python', sync.python.path, staged],
    timeoutMs: sync.timeoutMs,
  });
  if (created.end.kind !== 'exited' || created.end.code !== 0) return created;
  return runUv({
    ...tool,
    args: [
      ...['sync', '--no-install-project', '--python', venvPython(staged)],
      ...(sync.frozen ? ['--frozen'] : []),
    ],
    timeoutMs: Math.max(1, sync.timeoutMs - (performance.now() - started)),
  });
}

function uvEnv(sync: UvSync, staged: string): NodeJS.ProcessEnv {
  return {
    ...uvBaseEnv(sync.env),
    UV_PROJECT_ENVIRONMENT: staged,
    UV_PYTHON_DOWNLOADS: 'never',
  };
}

/** The variables for every uv command on a notebook. */
export function uvBaseEnv(base: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const env: NodeJS.ProcessEnv = {
    ...base,
    UV_NO_PROGRESS: '1',
    NO_COLOR: '1',
    // Companies install their certificates in the system's store.
    UV_SYSTEM_CERTS: base['UV_SYSTEM_CERTS'] ?? '1',
    // The name of the same setting in older versions of uv, which the machine may have.
    UV_NATIVE_TLS: base['UV_NATIVE_TLS'] ?? '1',
  };
  for (const name of DROPPED) delete env[name];
  return env;
}

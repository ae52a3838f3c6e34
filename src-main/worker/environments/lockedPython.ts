/** Builds the locked Python environment of a notebook on a worker, for the run of a cell. */

import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import {
  type PythonEnvironmentBlock,
  pythonEnvironmentBlock,
} from '../../../src-shared/wire/worker/environmentBlock.ts';
import { requiresPython } from '../../environment/lock/lockDigest.ts';
import { lockKey } from '../../environment/lock/lockKey.ts';
import { runTool } from '../../environment/uv/runTool.ts';
import { uvBaseEnv } from '../../environment/uv/uvSync.ts';
import {
  environmentIdentity,
  hasInterpreter,
  sitePackages,
  venvPython,
} from '../../environment/venv/venv.ts';
import type { PythonInterpreter } from '../../exec/interpreter.ts';
import { nullIfMissing } from '../../lib/atomicFile.ts';
import { COMPLETE_MARKER, environmentFolder } from './environmentFolder.ts';
import { type EnvironmentMemory, printOf } from './environmentMemory.ts';
import { findPython } from './findPython.ts';
import { lastLines } from './lastLines.ts';
import { fetchPrebuilt } from './registry.ts';

const SYNC_MS = 900_000;

interface LockedPythonOptions {
  readonly envRoot: string;
  readonly registryUrl: string | null;
  readonly uv: string | null;
  /** Why environments cannot be made here; null or absent: no reason, except that uv may be missing. */
  readonly problem?: string | null;
  /** SVC_WORKER_PYTHON: the base of environments that it matches; null: unset. */
  readonly python: string | null;
  readonly memory: EnvironmentMemory<PythonInterpreter>;
  readonly signal: AbortSignal;
}

/** The interpreter of a locked environment, which is built if it does not exist. @throws Error with the reason */
export async function lockedPython(block: unknown, options: LockedPythonOptions): Promise<PythonInterpreter> {
  const environment = blockOf(block);
  const { key, python, lockfile } = environment;
  const { uv, memory } = options;
  if (lockKey(lockfile) !== key) throw new Error('its key is not the key of its lock');
  if (uv === null) throw new Error(options.problem ?? 'uv is not installed on this worker');
  return memory(`${key}\n${python}`, async () => {
    const dir = await folderOf(environment, { ...options, uv });
    const path = venvPython(dir);
    const files = [join(dir, COMPLETE_MARKER), path, ...(await sitePackages(dir))];
    const print = printOf(files);
    return { value: { path, identity: await environmentIdentity(path, dir) }, files, print };
  });
}

/** The folder of the complete environment. */
async function folderOf(
  { key, python, lockfile, pyproject }: PythonEnvironmentBlock,
  { uv, signal, registryUrl, envRoot, python: preferred }: LockedPythonOptions & { readonly uv: string },
): Promise<string> {
  const env = uvBaseEnv(process.env);
  // Without a .python-version, the lock says which Pythons it supports.
  const request = python.trim() || requiresPython(lockfile);
  const { interpreter, probe } = await findPython(uv, { python: request, preferred, signal });
  const [build = '', platform = ''] = probe.split(' ');
  return environmentFolder({
    root: envRoot,
    key,
    probe,
    signal,
    fetch:
      registryUrl === null
        ? null
        : (into) =>
            fetchInto(`${registryUrl}/${key}/${build}/${platform}`, { dir: into, interpreter, signal }),
    build: (into) => sync(into, { uv, interpreter, lockfile, pyproject, env, signal }),
    whyBroken: async (folder) => ((await hasInterpreter(folder)) ? null : 'it has no interpreter'),
  });
}

function blockOf(block: unknown): PythonEnvironmentBlock {
  const parsed = pythonEnvironmentBlock.safeParse(block);
  if (parsed.success) return parsed.data;
  throw new Error(`its ${parsed.error.issues[0]?.path.join('.') || 'block'} is not valid`);
}

/** Fetches an environment that was built elsewhere, and links it to this machine's interpreter. */
async function fetchInto(
  url: string,
  {
    dir,
    interpreter,
    signal,
  }: { readonly dir: string; readonly interpreter: string; readonly signal: AbortSignal },
): Promise<boolean> {
  const isInterpreter = /(?:^|\/)bin\/python[\d.]*$/;
  const relink = (name: string) => (isInterpreter.test(name) ? interpreter : null);
  if (!(await fetchPrebuilt(url, { dir, relink, signal }))) return false;
  await liftOnlyFolder(dir);
  const config = join(dir, 'pyvenv.cfg');
  const text = await readFile(config, 'utf8').catch(nullIfMissing);
  if (text === null)
    throw new Error("the registry's archive is not a Python environment: it has no pyvenv.cfg");
  await writeFile(config, text.replace(/^home\s*=.*$/m, `home = ${dirname(interpreter)}`));
  return true;
}

/** If the archive contains only the environment's folder, moves its contents up. */
async function liftOnlyFolder(dir: string): Promise<void> {
  const names = await readdir(dir);
  const [only = ''] = names;
  if (names.length !== 1 || !(await stat(join(dir, only))).isDirectory()) return;
  const lifted = `${dir}-lifted`;
  await rename(join(dir, only), lifted);
  await rm(dir, { recursive: true });
  await rename(lifted, dir);
}

interface Sync {
  readonly uv: string;
  readonly interpreter: string;
  readonly lockfile: string;
  readonly pyproject: string;
  readonly env: NodeJS.ProcessEnv;
  readonly signal: AbortSignal;
}

async function sync(dir: string, { uv, interpreter, lockfile, pyproject, env, signal }: Sync): Promise<void> {
  const project = `${dir}.project`;
  await rm(project, { recursive: true, force: true });
  await mkdir(project, { recursive: true });
  try {
    await writeFile(join(project, 'pyproject.toml'), pyproject);
    await writeFile(join(project, 'uv.lock'), lockfile);
    let output = '';
    const end = await runTool({
      file: uv,
      args: ['sync', '--frozen', '--no-install-project', '--python', interpreter],
      cwd: project,
      env: { ...env, UV_PROJECT_ENVIRONMENT: dir },
      timeoutMs: SYNC_MS,
      signal,
      onText: (_stream, text) => {
        output = (output + text).slice(-8_000);
      },
    });
    if (end.kind === 'exited' && end.code === 0) return;
    await rm(dir, { recursive: true, force: true });
    if (end.kind === 'timeout') throw new Error(`uv sync did not finish within ${SYNC_MS / 1000} s`);
    if (end.kind === 'unstartable') throw new Error(`uv cannot be started: ${end.message}`);
    throw new Error(end.kind === 'cancelled' ? 'it was cancelled' : `uv sync failed: ${lastLines(output)}`);
  } finally {
    await rm(project, { recursive: true, force: true });
  }
}

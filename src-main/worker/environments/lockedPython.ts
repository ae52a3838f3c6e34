import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import {
  type PythonEnvironmentBlock,
  pythonEnvironmentBlock,
} from '../../../src-shared/wire/worker/environmentBlock.ts';
import { lockedPython as pythonsOfLock } from '../../environment/lock/lockDigest.ts';
import { lockKey } from '../../environment/lock/lockKey.ts';
import { runTool } from '../../environment/uv/runTool.ts';
import { uvBaseEnv } from '../../environment/uv/uvSync.ts';
import {
  environmentIdentity,
  hasInterpreter,
  sitePackages,
  venvPython,
} from '../../environment/venv/venv.ts';
import type { PythonInterpreter } from '../../exec/executor.ts';
import { nullIfMissing } from '../../lib/atomicFile.ts';
import { type EnvironmentMemory, printOf } from './environmentMemory.ts';
import { findPython } from './findPython.ts';
import { keptFolder, MARKER } from './keptFolder.ts';
import { lastLines } from './lastLines.ts';
import { fetchPrebuilt } from './registry.ts';

const SYNC_MS = 900_000;

export interface LockedPythonOptions {
  readonly envRoot: string;
  readonly registryUrl: string | null;
  readonly uv: string | null;
  /** Why environments cannot be made here; null or absent: nothing but uv may be missing. */
  readonly problem?: string | null;
  /** SVC_WORKER_PYTHON: what environments are made from where it fits; null: unset. */
  readonly python: string | null;
  readonly memory: EnvironmentMemory<PythonInterpreter>;
  readonly signal: AbortSignal;
}

/** The interpreter of a locked environment, made if need be. @throws Error with the reason */
export async function lockedPython(block: unknown, options: LockedPythonOptions): Promise<PythonInterpreter> {
  const read = blockOf(block);
  const { key, python, lockfile } = read;
  const { uv, memory } = options;
  if (lockKey(lockfile) !== key) throw new Error('its key is not the key of its lock');
  if (uv === null) throw new Error(options.problem ?? 'uv is not installed on this worker');
  return memory(`${key}\n${python}`, async () => {
    const dir = await folderOf(read, { ...options, uv });
    const path = venvPython(dir);
    const files = [join(dir, MARKER), path, ...(await sitePackages(dir))];
    const print = printOf(files);
    return { found: { path, identity: await environmentIdentity(path, dir) }, files, print };
  });
}

/** The environment's own folder, whole. */
async function folderOf(
  { key, python, lockfile, pyproject }: PythonEnvironmentBlock,
  { uv, signal, registryUrl, envRoot, python: preferred }: LockedPythonOptions & { readonly uv: string },
): Promise<string> {
  const env = uvBaseEnv(process.env);
  // Without a .python-version the lock says which Pythons it is for.
  const wanted = python.trim() || pythonsOfLock(lockfile);
  const { interpreter, probe } = await findPython(uv, { python: wanted, preferred, signal });
  const [build = '', platform = ''] = probe.split(' ');
  return keptFolder({
    ...{ root: envRoot, key, probe, signal },
    fetch:
      registryUrl === null
        ? null
        : (into) =>
            fetchInto(`${registryUrl}/${key}/${build}/${platform}`, { dir: into, interpreter, signal }),
    build: (into) => sync(into, { uv, interpreter, lockfile, pyproject, env, signal }),
    whyBroken: async (made) => ((await hasInterpreter(made)) ? null : 'it has no interpreter'),
  });
}

function blockOf(block: unknown): PythonEnvironmentBlock {
  const read = pythonEnvironmentBlock.safeParse(block);
  if (read.success) return read.data;
  throw new Error(`its ${read.error.issues[0]?.path.join('.') || 'block'} is not what it should be`);
}

/** An environment of elsewhere, its interpreter being this machine's. */
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
  if (text === null) throw new Error("the registry's archive is no Python environment: it has no pyvenv.cfg");
  await writeFile(config, text.replace(/^home\s*=.*$/m, `home = ${dirname(interpreter)}`));
  return true;
}

/** An archive may hold the folder itself, or what is in it. */
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
    let said = '';
    const end = await runTool({
      file: uv,
      args: ['sync', '--frozen', '--no-install-project', '--python', interpreter],
      cwd: project,
      env: { ...env, UV_PROJECT_ENVIRONMENT: dir },
      timeoutMs: SYNC_MS,
      signal,
      onText: (_stream, text) => {
        said = (said + text).slice(-8_000);
      },
    });
    if (end.kind === 'exited' && end.code === 0) return;
    await rm(dir, { recursive: true, force: true });
    if (end.kind === 'timeout') throw new Error(`uv sync did not finish within ${SYNC_MS / 1000} s`);
    if (end.kind === 'unstartable') throw new Error(`uv cannot be started: ${end.message}`);
    throw new Error(end.kind === 'cancelled' ? 'it was cancelled' : `uv sync failed: ${lastLines(said)}`);
  } finally {
    await rm(project, { recursive: true, force: true });
  }
}

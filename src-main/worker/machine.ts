/** Finds the programs on a worker's machine that cells and their environments need: Python, R, uv. */

import { constants } from 'node:fs';
import { access, mkdir } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import type { WorkerHardware } from '../../src-shared/wire/worker/health.ts';
import { findRscript } from '../environment/findRscript.ts';
import { findPythons, probePython } from '../environment/uv/findPythons.ts';
import { captureTool } from '../environment/uv/runTool.ts';
import { environmentIdentity } from '../environment/venv/venv.ts';
import type { PythonInterpreter } from '../exec/interpreter.ts';
import { lastLines } from './environments/lastLines.ts';
import { canRestore } from './environments/lockedR.ts';
import { readHardware } from './hardware.ts';
import type { WorkerSettings } from './settings.ts';

/** The programs and hardware for cells on this machine; determined once, when the worker starts. */
export interface Machine {
  /** The Python of cells without an environment; null: there is no Python 3.10 or newer. */
  readonly python: PythonInterpreter | null;
  /** The version of that Python; null if unknown. */
  readonly pythonVersion: string | null;
  readonly rscript: string | null;
  /** The path of uv; null: locked Python environments cannot be made here. */
  readonly uv: string | null;
  /** Why locked Python environments cannot be made here, and what to do; null: they can. */
  readonly environmentsProblem: string | null;
  /** Whether R locks can be restored here. Starts an R process, so the first health response waits for it. */
  readonly restoresR: Promise<boolean>;
  readonly hardware: Promise<WorkerHardware>;
}

export async function readMachine(
  settings: Pick<WorkerSettings, 'python' | 'rscript' | 'uv' | 'envRoot'>,
): Promise<Machine> {
  const rscript = await findRscript(settings.rscript);
  const python = await pythonOf(settings.python);
  const uv = await uvOf(settings.uv);
  const environmentsProblem = (await whyNoUv(uv, settings.uv)) ?? (await whyNotWritable(settings.envRoot));
  return {
    python,
    pythonVersion: python === null ? null : ((await probePython(python.path, process.env))?.version ?? null),
    rscript,
    uv: environmentsProblem === null ? uv : null,
    environmentsProblem,
    restoresR: rscript === null ? Promise.resolve(false) : canRestore(rscript),
    hardware: readHardware(),
  };
}

async function pythonOf(setting: string | null): Promise<PythonInterpreter | null> {
  // The Python that a shell would start, so that an activated environment has priority.
  const path = setting ?? (await onPath(['python3', 'python'])) ?? (await findPythons())[0]?.path ?? null;
  return path === null ? null : { path, identity: await environmentIdentity(path, null).catch(() => path) };
}

async function uvOf(setting: string | null): Promise<string | null> {
  return setting !== null ? ((await isProgram(setting)) ? setting : null) : onPath(['uv']);
}

const UV_MS = 20_000;

async function whyNoUv(uv: string | null, setting: string | null): Promise<string | null> {
  if (uv === null) {
    return setting === null
      ? 'uv is not installed on this worker; install it or name it in SVC_UV, then start the worker again'
      : `SVC_UV of this worker names ${setting}, which is not a program`;
  }
  const { end, stderr } = await captureTool({
    file: uv,
    args: ['--version'],
    env: process.env,
    timeoutMs: UV_MS,
  });
  if (end.kind === 'exited' && end.code === 0) return null;
  return `${uv} does not start on this worker: ${lastLines(stderr) || ('message' in end ? end.message : end.kind)}`;
}

async function whyNotWritable(envRoot: string): Promise<string | null> {
  try {
    await mkdir(envRoot, { recursive: true, mode: 0o700 });
    await access(envRoot, constants.W_OK | constants.X_OK);
    return null;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return `environments cannot be kept in ${envRoot} (SVC_WORKER_ENV_ROOT): ${message}`;
  }
}

async function onPath(names: readonly string[]): Promise<string | null> {
  const extension = process.platform === 'win32' ? '.exe' : '';
  for (const name of names) {
    for (const folder of (process.env['PATH'] ?? '').split(delimiter)) {
      const file = join(folder, name + extension);
      if (folder !== '' && (await isProgram(file))) return file;
    }
  }
  return null;
}

function isProgram(file: string): Promise<boolean> {
  return access(file, constants.X_OK).then(
    () => true,
    () => false,
  );
}

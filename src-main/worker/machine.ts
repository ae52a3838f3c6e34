import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import type { WorkerHardware } from '../../src-shared/wire/worker/health.ts';
import { findPythons } from '../environment/findPythons.ts';
import { findRscript } from '../environment/findRscript.ts';
import { environmentIdentity } from '../environment/venv.ts';
import type { PythonInterpreter } from '../exec/executor.ts';
import { canRestore } from './environments/lockedR.ts';
import { readHardware } from './hardware.ts';
import type { WorkerSettings } from './settings.ts';

/** What this machine has for cells; looked for once, when the worker starts. */
export interface Machine {
  /** Null: there is no Python 3.10 or newer. */
  readonly python: PythonInterpreter | null;
  readonly rscript: string | null;
  /** Null: locked Python environments cannot be made here. */
  readonly uv: string | null;
  /** Whether R locks can be restored here: asking takes an R of its own, so the first health waits for it. */
  readonly restoresR: Promise<boolean>;
  readonly hardware: Promise<WorkerHardware>;
}

export async function lookAtMachine(
  settings: Pick<WorkerSettings, 'python' | 'rscript' | 'uv'>,
): Promise<Machine> {
  const rscript = await findRscript(settings.rscript);
  return {
    python: await pythonOf(settings.python),
    rscript,
    uv: await uvOf(settings.uv),
    restoresR: rscript === null ? Promise.resolve(false) : canRestore(rscript),
    hardware: readHardware(),
  };
}

async function pythonOf(named: string | null): Promise<PythonInterpreter | null> {
  // The one a shell would start, an activated environment's before the machine's own.
  const path = named ?? (await onPath(['python3', 'python'])) ?? (await findPythons())[0]?.path ?? null;
  return path === null ? null : { path, identity: await environmentIdentity(path, null).catch(() => path) };
}

async function uvOf(named: string | null): Promise<string | null> {
  return named !== null ? ((await isProgram(named)) ? named : null) : onPath(['uv']);
}

async function onPath(names: readonly string[]): Promise<string | null> {
  const end = process.platform === 'win32' ? '.exe' : '';
  for (const name of names) {
    for (const folder of (process.env['PATH'] ?? '').split(delimiter)) {
      const file = join(folder, name + end);
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

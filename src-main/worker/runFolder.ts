import { mkdirSync, mkdtempSync } from 'node:fs';
import { chmod, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { errnoOf } from '../lib/atomicFile.ts';

/** The folder of one run on a worker, with its inputs and results; removed after the response. */
export interface RunFolder {
  readonly path: string;
  /** The folder with the inputs: parts of the form, or downloads. */
  readonly inputs: string;
  /** The folder to which the harness writes its results. */
  readonly output: string;
  /** The cell's working directory. */
  readonly work: string;
  remove(): Promise<void>;
}

export function makeRunFolder(): RunFolder {
  const path = mkdtempSync(join(tmpdir(), 'svc-worker-'));
  const folder = {
    path,
    inputs: join(path, 'inputs'),
    output: join(path, 'output'),
    work: join(path, 'work'),
  };
  for (const dir of [folder.inputs, folder.output, folder.work]) mkdirSync(dir);
  return { ...folder, remove: () => removeTree(path) };
}

/** Removes a folder with everything in it, also folders that a cell made read-only. */
async function removeTree(path: string): Promise<void> {
  try {
    await rm(path, { recursive: true, force: true, maxRetries: 3 });
  } catch (error) {
    if (errnoOf(error) !== 'EACCES' && errnoOf(error) !== 'EPERM') throw error;
    await permit(path);
    await rm(path, { recursive: true, force: true, maxRetries: 3 });
  }
}

async function permit(dir: string): Promise<void> {
  await chmod(dir, 0o700);
  for (const entry of await readdir(dir, { withFileTypes: true })) {
    if (entry.isDirectory()) await permit(join(dir, entry.name));
  }
}

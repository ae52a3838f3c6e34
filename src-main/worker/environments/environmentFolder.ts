/** Provides the folder of a locked environment on a worker: an existing one, a fetched one, or a new one. */

import { createHash, randomBytes } from 'node:crypto';
import { mkdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { nullIfMissing } from '../../lib/atomicFile.ts';
import { underFileLock } from './fileLock.ts';

/** A file in every complete environment. */
export const COMPLETE_MARKER = '.svc-env-complete';
const LOCK_WAIT_MS = 900_000;

interface EnvironmentFolder {
  readonly root: string;
  readonly key: string;
  /** The output of the interpreter's probe. */
  readonly probe: string;
  readonly signal: AbortSignal;
  /** Fetches the environment into a folder, which is then renamed; false if there is none to fetch. */
  readonly fetch: ((dir: string) => Promise<boolean>) | null;
  /** Builds the environment in its final folder, because its files may contain that path. */
  readonly build: (dir: string) => Promise<void>;
  /** Why a folder with the marker cannot be used; null: it can. */
  readonly whyBroken: (dir: string) => Promise<string | null>;
}

/**
 * The folder of the environment for a key and an interpreter, which is built once and reused
 * (docs/spec/worker-process.md, 6.1).
 * @returns the folder
 */
export async function environmentFolder(options: EnvironmentFolder): Promise<string> {
  const name = createHash('sha256').update(`${options.key}\n${options.probe}`).digest('hex').slice(0, 32);
  const dir = join(options.root, name);
  if (await isComplete(dir, options)) return dir;
  await mkdir(options.root, { recursive: true, mode: 0o700 });
  return underFileLock(`${dir}.lock`, { waitMs: LOCK_WAIT_MS, signal: options.signal }, async () => {
    // Another worker may have built it meanwhile.
    if (await isComplete(dir, options)) return dir;
    await rm(dir, { recursive: true, force: true });
    if (!(await fetchEnvironment(dir, options))) await options.build(dir);
    const problem = await options.whyBroken(dir);
    if (problem !== null) {
      await rm(dir, { recursive: true, force: true });
      throw new Error(problem);
    }
    await writeFile(join(dir, COMPLETE_MARKER), '');
    return dir;
  });
}

async function isComplete(dir: string, { whyBroken }: EnvironmentFolder): Promise<boolean> {
  return (
    (await stat(join(dir, COMPLETE_MARKER)).catch(nullIfMissing)) !== null && (await whyBroken(dir)) === null
  );
}

async function fetchEnvironment(dir: string, { fetch }: EnvironmentFolder): Promise<boolean> {
  if (fetch === null) return false;
  const draft = join(dirname(dir), `.fetch-${randomBytes(6).toString('hex')}`);
  await mkdir(draft, { recursive: true });
  try {
    if (!(await fetch(draft))) return false;
    await rename(draft, dir);
    return true;
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

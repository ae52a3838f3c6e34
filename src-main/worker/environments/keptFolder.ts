import { createHash, randomBytes } from 'node:crypto';
import { mkdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { nullIfMissing } from '../../lib/atomicFile.ts';
import { underFileLock } from './fileLock.ts';

/** Left inside an environment that is whole. */
export const MARKER = '.svc-env-complete';
const LOCK_WAIT_MS = 900_000;

export interface KeptFolder {
  readonly root: string;
  readonly key: string;
  /** What the probe of the interpreter printed. */
  readonly probe: string;
  readonly signal: AbortSignal;
  /** Fetches it into the folder; false where there is none to fetch. The folder is renamed afterwards. */
  readonly fetch: ((dir: string) => Promise<boolean>) | null;
  /** Builds it where it stays: what it holds may name its own place. */
  readonly build: (dir: string) => Promise<void>;
  /** Why a folder with the marker is not to be used all the same; null: it is. */
  readonly whyBroken: (dir: string) => Promise<string | null>;
}

/** One environment per key and interpreter, made once and reused (worker-process 6.1). @returns its folder */
export async function keptFolder(asked: KeptFolder): Promise<string> {
  const name = createHash('sha256').update(`${asked.key}\n${asked.probe}`).digest('hex').slice(0, 32);
  const dir = join(asked.root, name);
  if (await isWhole(dir, asked)) return dir;
  await mkdir(asked.root, { recursive: true, mode: 0o700 });
  return underFileLock(`${dir}.lock`, { waitMs: LOCK_WAIT_MS, signal: asked.signal }, async () => {
    // Another worker may have made it meanwhile.
    if (await isWhole(dir, asked)) return dir;
    await rm(dir, { recursive: true, force: true });
    if (!(await fetched(dir, asked))) await asked.build(dir);
    const broken = await asked.whyBroken(dir);
    if (broken !== null) {
      await rm(dir, { recursive: true, force: true });
      throw new Error(broken);
    }
    await writeFile(join(dir, MARKER), '');
    return dir;
  });
}

async function isWhole(dir: string, { whyBroken }: KeptFolder): Promise<boolean> {
  return (await stat(join(dir, MARKER)).catch(nullIfMissing)) !== null && (await whyBroken(dir)) === null;
}

async function fetched(dir: string, { fetch }: KeptFolder): Promise<boolean> {
  if (fetch === null) return false;
  const beside = join(dirname(dir), `.fetch-${randomBytes(6).toString('hex')}`);
  await mkdir(beside, { recursive: true });
  try {
    if (!(await fetch(beside))) return false;
    await rename(beside, dir);
    return true;
  } finally {
    await rm(beside, { recursive: true, force: true });
  }
}

import { randomBytes } from 'node:crypto';
import { lstat, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { nullIfMissing } from '../../lib/atomicFile.ts';
import { takeLock } from '../../lib/lockFile.ts';
import { type EnvironmentUses, touchUsed, usedFile } from './environmentUses.ts';
import { MARKER } from './keptFolder.ts';

export interface EnvironmentLimits {
  readonly bytes: number;
  readonly ageMs: number;
}

/** An environment on the disk. */
export interface EnvironmentOnDisk {
  readonly dir: string;
  readonly bytes: number;
  readonly usedAtMs: number;
}

const NAME = /^[0-9a-f]{32}$/;
/** What an interrupted build or fetch, or an interrupted removal, leaves. */
const LEFT_OVER = /^(?:\.fetch-[0-9a-f]+(?:-lifted)?|\.gone-[0-9a-f]+|[0-9a-f]{32}\.project)$/;
/** By then no build is under way any more. */
const LEFT_OVER_MS = 24 * 60 * 60 * 1000;

/** Those that are too old, then the least recently used until the others fit. */
export function tooMany(
  found: readonly EnvironmentOnDisk[],
  { bytes, ageMs }: EnvironmentLimits,
  nowMs: number,
): readonly string[] {
  let sum = 0;
  return found
    .toSorted((a, b) => b.usedAtMs - a.usedAtMs)
    .filter((one) => {
      if (nowMs - one.usedAtMs >= ageMs || sum + one.bytes > bytes) return true;
      sum += one.bytes;
      return false;
    })
    .map(({ dir }) => dir)
    .reverse();
}

/**
 * Removes environments below a folder that are too old or too many, the least recently used first. One that a worker
 * uses stays, and so does one that is being made. @returns the folders that went
 */
export async function collectEnvironments(
  root: string,
  {
    limits,
    uses,
    nowMs = Date.now(),
  }: {
    readonly limits: EnvironmentLimits;
    readonly uses: Pick<EnvironmentUses, 'isUsed'>;
    readonly nowMs?: number;
  },
): Promise<readonly string[]> {
  const names = (await readdir(root).catch(nullIfMissing)) ?? [];
  const found: EnvironmentOnDisk[] = [];
  for (const name of names) {
    const dir = join(root, name);
    if (LEFT_OVER.test(name)) await removeOld(dir, nowMs);
    if (!NAME.test(name)) continue;
    const one = await onDisk(dir, nowMs);
    if (one !== null) found.push(one);
  }
  const gone: string[] = [];
  for (const dir of tooMany(found, limits, nowMs)) {
    if (await removeUnused(dir, { root, uses })) gone.push(dir);
  }
  return gone;
}

/** Null where it is gone, or is being made. */
async function onDisk(dir: string, nowMs: number): Promise<EnvironmentOnDisk | null> {
  const marker = await stat(join(dir, MARKER)).catch(nullIfMissing);
  if (marker === null) {
    // Without its marker it is of no use to anybody: a broken build, or one under way.
    const info = await stat(dir).catch(nullIfMissing);
    return info === null || nowMs - info.mtimeMs < LEFT_OVER_MS ? null : { dir, bytes: 0, usedAtMs: 0 };
  }
  const used = await stat(usedFile(dir)).catch(nullIfMissing);
  const usedAtMs = Math.max(marker.mtimeMs, used?.mtimeMs ?? 0);
  return { dir, bytes: await bytesOf(dir, usedAtMs), usedAtMs };
}

/** What it takes on the disk; counted once, as nothing is added later. */
async function bytesOf(dir: string, usedAtMs: number): Promise<number> {
  const known = await readFile(usedFile(dir), 'utf8').catch(nullIfMissing);
  if (known !== null && /^\d+$/.test(known)) return Number(known);
  const bytes = await countBytes(dir);
  await writeFile(usedFile(dir), String(bytes), { mode: 0o600 });
  // The time of the file says when it was used, and counting is no use.
  await touchUsed(dir, usedAtMs);
  return bytes;
}

async function countBytes(dir: string): Promise<number> {
  let sum = 0;
  for (const entry of (await readdir(dir, { withFileTypes: true }).catch(nullIfMissing)) ?? []) {
    const path = join(dir, entry.name);
    if (entry.isDirectory()) sum += await countBytes(path);
    else sum += ((await lstat(path).catch(nullIfMissing))?.blocks ?? 0) * 512;
  }
  return sum;
}

async function removeOld(path: string, nowMs: number): Promise<void> {
  const info = await stat(path).catch(nullIfMissing);
  if (info !== null && nowMs - info.mtimeMs >= LEFT_OVER_MS) await rm(path, { recursive: true, force: true });
}

async function removeUnused(
  dir: string,
  { root, uses }: { readonly root: string; readonly uses: Pick<EnvironmentUses, 'isUsed'> },
): Promise<boolean> {
  if (await uses.isUsed(dir)) return false;
  const lock = await takeLock(`${dir}.lock`);
  // It is being made.
  if (lock.kind === 'busy') return false;
  try {
    const marker = join(dir, MARKER);
    const wasWhole = (await stat(marker).catch(nullIfMissing)) !== null;
    await rm(marker, { force: true });
    if (await uses.isUsed(dir)) {
      if (wasWhole) await writeFile(marker, '');
      return false;
    }
    const away = join(root, `.gone-${randomBytes(6).toString('hex')}`);
    await rename(dir, away);
    await rm(usedFile(dir), { force: true });
    await rm(away, { recursive: true, force: true });
    return true;
  } finally {
    await lock.release();
  }
}

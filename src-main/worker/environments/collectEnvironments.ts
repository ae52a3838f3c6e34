/** Removes old and unused environments from a worker's disk. */

import { randomBytes } from 'node:crypto';
import { lstat, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { nullIfMissing } from '../../lib/atomicFile.ts';
import { takeLock } from '../../lib/lockFile.ts';
import { COMPLETE_MARKER } from './environmentFolder.ts';
import { type EnvironmentUses, lastUseFile, recordLastUse } from './environmentUses.ts';

export interface EnvironmentLimits {
  readonly bytes: number;
  readonly ageMs: number;
}

/** An environment on the disk. */
interface EnvironmentOnDisk {
  readonly dir: string;
  readonly bytes: number;
  readonly usedAtMs: number;
}

const NAME = /^[0-9a-f]{32}$/;
/** Leftovers of an interrupted build, fetch or removal. */
const LEFTOVER = /^(?:\.fetch-[0-9a-f]+(?:-lifted)?|\.gone-[0-9a-f]+|[0-9a-f]{32}\.project)$/;
/** The age at which leftovers are removed; no build takes longer. */
const LEFTOVER_MS = 24 * 60 * 60 * 1000;

/** The environments to remove: those that are too old, and the least recently used until the others fit. */
export function environmentsToRemove(
  environments: readonly EnvironmentOnDisk[],
  { bytes, ageMs }: EnvironmentLimits,
  nowMs: number,
): readonly string[] {
  let sum = 0;
  return environments
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
 * Removes environments below a folder that are too old or too large in total, the least recently used first. Keeps
 * those that a worker uses and those that are being built. @returns the removed folders
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
  const environments: EnvironmentOnDisk[] = [];
  for (const name of names) {
    const dir = join(root, name);
    if (LEFTOVER.test(name)) await removeOld(dir, nowMs);
    if (!NAME.test(name)) continue;
    const environment = await onDisk(dir, nowMs);
    if (environment !== null) environments.push(environment);
  }
  const removed: string[] = [];
  for (const dir of environmentsToRemove(environments, limits, nowMs)) {
    if (await removeUnused(dir, { root, uses })) removed.push(dir);
  }
  return removed;
}

/** An environment on the disk; null if it no longer exists or is being built. */
async function onDisk(dir: string, nowMs: number): Promise<EnvironmentOnDisk | null> {
  const marker = await stat(join(dir, COMPLETE_MARKER)).catch(nullIfMissing);
  if (marker === null) {
    // Without its marker it is a failed build, or one in progress.
    const info = await stat(dir).catch(nullIfMissing);
    return info === null || nowMs - info.mtimeMs < LEFTOVER_MS ? null : { dir, bytes: 0, usedAtMs: 0 };
  }
  const lastUse = await stat(lastUseFile(dir)).catch(nullIfMissing);
  const usedAtMs = Math.max(marker.mtimeMs, lastUse?.mtimeMs ?? 0);
  return { dir, bytes: await bytesOf(dir, usedAtMs), usedAtMs };
}

/** The size on disk; measured once, because nothing is added later. */
async function bytesOf(dir: string, usedAtMs: number): Promise<number> {
  const recorded = await readFile(lastUseFile(dir), 'utf8').catch(nullIfMissing);
  if (recorded !== null && /^\d+$/.test(recorded)) return Number(recorded);
  const bytes = await countBytes(dir);
  await writeFile(lastUseFile(dir), String(bytes), { mode: 0o600 });
  // The file's modification time is the time of the last use, and measuring is not a use.
  await recordLastUse(dir, usedAtMs);
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
  if (info !== null && nowMs - info.mtimeMs >= LEFTOVER_MS) await rm(path, { recursive: true, force: true });
}

async function removeUnused(
  dir: string,
  { root, uses }: { readonly root: string; readonly uses: Pick<EnvironmentUses, 'isUsed'> },
): Promise<boolean> {
  if (await uses.isUsed(dir)) return false;
  const lock = await takeLock(`${dir}.lock`);
  // It is being built.
  if (lock.kind === 'busy') return false;
  try {
    const marker = join(dir, COMPLETE_MARKER);
    const wasWhole = (await stat(marker).catch(nullIfMissing)) !== null;
    await rm(marker, { force: true });
    if (await uses.isUsed(dir)) {
      if (wasWhole) await writeFile(marker, '');
      return false;
    }
    const trash = join(root, `.gone-${randomBytes(6).toString('hex')}`);
    await rename(dir, trash);
    await rm(lastUseFile(dir), { force: true });
    await rm(trash, { recursive: true, force: true });
    return true;
  } finally {
    await lock.release();
  }
}

/** Mounts a small file system, for tests of a full disk. */

import { execFileSync } from 'node:child_process';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A separate file system of a given size. */
export interface SmallDisk {
  /** Fills the disk to the last byte; the returned function makes room again. */
  fill(): Promise<() => Promise<void>>;
  readOnly(): void;
  remove(): void;
}

/** Mounts a small disk; null if this machine cannot: only root can, and not in every container. */
export function smallDisk(dir: string, size: string): SmallDisk | null {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', dir], { stdio: 'ignore' });
  } catch {
    return null;
  }
  const filler = join(dir, 'filler');
  return {
    async fill() {
      for (const size of [1024 * 1024, 4096]) await append(filler, Buffer.alloc(size));
      return () => rm(filler);
    },
    readOnly: () => void execFileSync('mount', ['-o', 'remount,ro', dir]),
    remove: () => void execFileSync('umount', ['-l', dir]),
  };
}

async function append(path: string, block: Buffer): Promise<void> {
  for (;;) {
    try {
      await writeFile(path, block, { flag: 'a' });
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOSPC') return;
      throw error;
    }
  }
}

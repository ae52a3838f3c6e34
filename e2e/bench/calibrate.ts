import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';

/**
 * How fast this machine is right now: hash 256 MiB, then start 200 processes one after another.
 * Every budget is a multiple of this time, measured in the same run, so that a slow hour slows both sides.
 */
export async function calibrate(): Promise<number> {
  const startedAt = performance.now();
  const block = Buffer.alloc(1024 * 1024, 7);
  const hash = createHash('sha256');
  for (let i = 0; i < 256; i++) hash.update(block);
  hash.digest();
  for (let i = 0; i < 200; i++) {
    await new Promise<void>((resolve, reject) => {
      spawn('/bin/true', { stdio: 'ignore' })
        .once('exit', () => resolve())
        .once('error', reject);
    });
  }
  return performance.now() - startedAt;
}

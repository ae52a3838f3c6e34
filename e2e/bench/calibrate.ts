/** Measures the current speed of the machine, by which every benchmark result is scaled. */

import { execFile, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

/** The calibration of the machine on which the targets were set, where Python starts in 7 ms. */
export const REFERENCE_CALIBRATION_MS = 540;
const SELF = fileURLToPath(import.meta.url);

/**
 * The current speed of this machine, as the ms to hash 256 MiB and to start 200 processes one after another. Every
 * budget is a multiple of this time, measured in the same run, so that a slow machine slows both. Measured in a
 * separate process, because starting processes takes longer for a process with much memory, such as the benchmark.
 */
export async function calibrate(): Promise<number> {
  const { stdout } = await promisify(execFile)(process.execPath, [SELF]);
  return Number(stdout);
}

async function measure(): Promise<number> {
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

if (process.argv[1] === SELF) process.stdout.write(String(await measure()));

import { execFile, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

/** Of a machine that starts Python in 7 ms, the floor beside which the targets were set. */
export const REFERENCE_CALIBRATION_MS = 540;
const SELF = fileURLToPath(import.meta.url);

/**
 * How fast this machine is right now, in ms: hash 256 MiB, then start 200 processes one after another.
 * Every budget is a multiple of this time, measured in the same run, so that a slow hour slows both sides.
 * In a process of its own: starting others costs more the more memory the starter has, and the bench has much.
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

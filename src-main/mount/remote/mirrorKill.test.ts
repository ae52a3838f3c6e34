/**
 * Local copies of mounted buckets under `kill -9`: a child process is killed while it copies, and the next
 * copy must be exact. The bucket is a folder.
 */

import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { pick, seeded } from '../../../e2e/support/seeded.ts';

const CHILD = fileURLToPath(new URL('./testing/mirrorChild.ts', import.meta.url));
const KILLS = process.env['LONG'] === '1' ? 300 : 4;
const SEED = Number(process.env['SEED'] ?? 20_261_122);
/** About the number of pieces of three changed files: some kills come after all copies, most during them. */
const PIECES = 150;
const NAMES = ['a', 'b', 'sub/a', 'sub/b', 'x', 'x/inner', 'deep/er/file'];

/** Runs the mirror, killed after this many pieces (0: never). Returns the path it printed, if it did. */
function mirrored(bucket: string, cache: string, pieces: number): Promise<string | null> {
  const args = [CHILD, bucket, cache, String(pieces)];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  let stdout = '';
  let stderr = '';
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  child.stdout.on('data', (chunk) => {
    stdout += chunk;
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => {
      if (code !== 0 && signal === null) reject(new Error(stderr));
      else resolve(/done (.*)\n/.exec(stdout)?.[1] ?? null);
    });
  });
}

/** Enough to distinguish two contents, and half a file from a complete one. */
function brief(text: string): string {
  return `${text.slice(0, 20)}… ${text.length} characters`;
}

async function filesBelow(folder: string): Promise<Record<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const read = files
    .sort()
    .map(async (file) => [relative(folder, file), brief(await readFile(file, 'utf8'))]);
  return Object.fromEntries(await Promise.all(read)) as Record<string, string>;
}

test(`[MT-14] ${KILLS} kills during copying leave no file that is mistaken for another (seed ${SEED})`, {
  // A limit for hangs; a busy machine takes several times as long as an idle one.
  timeout: 60_000 + KILLS * 30_000,
}, async () => {
  const random = seeded(SEED);
  const dir = await mkdtemp(join(tmpdir(), 'mirror-kill-'));
  const [bucket, cache] = [join(dir, 'bucket'), join(dir, 'cache')];
  await mkdir(bucket);
  const objects: Record<string, string> = {};
  let killed = 0;
  for (let kill = 0; kill < KILLS; kill += 1) {
    for (let change = 0; change < 3; change += 1) {
      const name = pick(random, NAMES);
      const asKey = join(bucket, encodeURIComponent(`d/${name}`));
      // A name is an object or a folder of others, never both.
      const clashes = Object.keys(objects).some(
        (other) => other.startsWith(`${name}/`) || name.startsWith(`${other}/`),
      );
      if (objects[name] !== undefined && random() < 0.3) {
        delete objects[name];
        await rm(asKey);
      } else if (!clashes) {
        // Few contents, so that a file may return to an earlier one; equal sizes, so that only the bytes
        // differ.
        objects[name] = `${name} ${pick(random, ['one', 'two', 'six'])} `.repeat(4_000);
        await writeFile(asKey, objects[name]);
      }
    }
    if (Object.keys(objects).length === 0) continue;
    if ((await mirrored(bucket, cache, 1 + Math.floor(random() * PIECES))) === null) killed += 1;
    if (random() < 0.5) continue;
    const path = await mirrored(bucket, cache, 0);
    expect(path).not.toBeNull();
    expect(await filesBelow(path ?? '')).toEqual(
      Object.fromEntries(Object.entries(objects).map(([name, text]) => [name, brief(text)])),
    );
  }
  expect(killed).toBeGreaterThan(KILLS / 5);
  await rm(dir, { recursive: true, force: true });
});

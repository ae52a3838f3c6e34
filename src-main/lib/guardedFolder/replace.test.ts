import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { sweepTemps } from './names.ts';
import { placeIn } from './place.ts';
import { removeIfUnchanged, replaceFile } from './replace.ts';

let dir = '';
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'svc-replace-'));
});
afterEach(() => rm(dir, { recursive: true, force: true }));

test.each([
  ['the bytes that were read', 'old', 'old', true],
  ['other bytes of the same length', 'new', 'old', false],
  ['no file', null, null, true],
  ['a file where none was', 'old', null, false],
  ['no file where one was', null, 'old', false],
])('[NF-52] compare-and-swap over %s', async (_name, existing, expected, done) => {
  const path = join(dir, 'a');
  if (existing !== null) await writeFile(path, existing);
  const bytes = expected === null ? null : Buffer.from(expected);
  expect(await replaceFile(placeIn(dir, 'a'), 'mine', { expected: bytes })).toBe(done);
  expect(await readFile(path, 'utf8').catch(() => null)).toBe(done ? 'mine' : existing);
  expect((await readdir(dir)).filter((name) => name !== 'a')).toEqual([]);
  if (bytes === null) return;
  await writeFile(path, existing ?? 'else');
  expect(await removeIfUnchanged(placeIn(dir, 'a'), bytes)).toBe(done);
  expect(await readdir(dir)).toEqual(done ? [] : ['a']);
});

test('[NF-52] a pipe in the place of a file does not block, and is not replaced', async () => {
  const path = join(dir, 'pipe');
  spawnSync('mkfifo', [path]);
  expect(await replaceFile(placeIn(dir, 'pipe'), 'mine', { expected: Buffer.from('old') })).toBe(false);
  expect((await stat(path)).isFIFO()).toBe(true);
});

test('the sweep only removes old temporary files', async () => {
  for (const name of ['.svc-tmp-1-old', '.svc-tmp-1-new', 'mine']) await writeFile(join(dir, name), 'x');
  const now = Date.now();
  await utimes(join(dir, '.svc-tmp-1-old'), (now - 120_000) / 1000, (now - 120_000) / 1000);
  await utimes(join(dir, 'mine'), 0, 0);
  expect(sweepTemps(placeIn(dir), { nowMs: now })).toEqual(['.svc-tmp-1-old']);
  expect((await readdir(dir)).toSorted()).toEqual(['.svc-tmp-1-new', 'mine']);
  expect(sweepTemps(placeIn(dir, 'missing'))).toEqual([]);
});

test('[SG-45] the sweep removes temporary files of dead processes immediately', async () => {
  const names = [`.svc-tmp-${process.pid}-0123`, '.svc-tmp-4194303-0123', '.svc-tmp-x-0123'];
  for (const name of names) await writeFile(join(dir, name), 'x');
  expect(sweepTemps(placeIn(dir), { isDead: (pid) => pid !== process.pid })).toEqual([
    '.svc-tmp-4194303-0123',
  ]);
});

const WRITER = `
  const { replaceFile } = await import(${JSON.stringify(join(import.meta.dirname, 'replace.ts'))});
  process.stdout.write('ready');
  for (let n = 0; ; n += 1) await replaceFile(process.argv[1], String.fromCharCode(97 + (n % 26)).repeat(200_000));
`;

test('[NF-11] kill -9 at any moment leaves one complete version', async () => {
  const path = join(dir, 'victim');
  await writeFile(path, 'a'.repeat(200_000));
  for (let round = 0; round < 12; round += 1) {
    const child = spawn(process.execPath, ['--input-type=module', '-e', WRITER, path], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await started(child);
    await writesSeen(path, round % 4);
    for (let wait = 0; wait < round * 5; wait += 1) await stat(path);
    child.kill('SIGKILL');
    await new Promise((resolve) => child.once('exit', resolve));
    const text = await readFile(path, 'utf8');
    expect(text).toBe((text[0] ?? '').repeat(200_000));
  }
});

function started(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => child.stdout?.once('data', () => resolve()));
}

/** Waits until the file has been replaced `count` times, so that kills land at different steps of a write. */
async function writesSeen(path: string, count: number): Promise<void> {
  let inode = (await stat(path)).ino;
  for (let writes = 0; writes < count; ) {
    const next = (await stat(path)).ino;
    if (next !== inode) writes += 1;
    inode = next;
  }
}

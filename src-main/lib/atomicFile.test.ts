import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import {
  chmod,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  rm,
  stat,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { removeFileHolding, sweepTempFiles, writeFileAtomic } from './atomicFile.ts';

let dir = '';
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'svc-atomic-'));
});
afterEach(() => rm(dir, { recursive: true, force: true }));

test('a new file appears, an old one is replaced with its permissions', async () => {
  const path = join(dir, 'a');
  await writeFileAtomic(path, 'one');
  await chmod(path, 0o640);
  await writeFileAtomic(path, new Uint8Array([116, 119, 111]));
  expect(await readFile(path, 'utf8')).toBe('two');
  expect((await stat(path)).mode & 0o777).toBe(0o640);
  await writeFileAtomic(path, 'three', { mode: 0o600 });
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect(await readdir(dir)).toEqual(['a']);
});

test('a link stays a link: the file it names is written, also when that is missing', async () => {
  await writeFile(join(dir, 'real'), 'old');
  await symlink('real', join(dir, 'link'));
  await symlink('link', join(dir, 'chain'));
  await symlink('nothing-yet', join(dir, 'dangling'));
  await writeFileAtomic(join(dir, 'chain'), 'new');
  await writeFileAtomic(join(dir, 'dangling'), 'made');
  expect(await readFile(join(dir, 'real'), 'utf8')).toBe('new');
  expect(await readlink(join(dir, 'chain'))).toBe('link');
  expect(await readFile(join(dir, 'nothing-yet'), 'utf8')).toBe('made');
  expect((await readdir(dir)).toSorted()).toEqual(['chain', 'dangling', 'link', 'nothing-yet', 'real']);
});

test('[NF-11] a failed write surfaces its cause and leaves no temporary file', async () => {
  await expect(writeFileAtomic(join(dir, 'no', 'such'), 'x')).rejects.toMatchObject({ code: 'ENOENT' });
  await expect(writeFileAtomic(dir, 'x')).rejects.toMatchObject({
    code: expect.stringMatching(/EISDIR|EEXIST|ENOTEMPTY|EBUSY/),
  });
  expect(await readdir(dir)).toEqual([]);
  expect(
    (await readdir(join(dir, '..'))).filter((name) => name.startsWith(`.svc-tmp-${process.pid}-`)),
  ).toEqual([]);
});

test.each([
  ['the bytes that were read', 'old', 'old', true],
  ['other bytes of the same length', 'new', 'old', false],
  ['no file', null, null, true],
  ['a file where none was', 'old', null, false],
  ['no file where one was', null, 'old', false],
])('[NF-52] compare-and-swap over %s', async (_name, there, expected, done) => {
  const path = join(dir, 'a');
  if (there !== null) await writeFile(path, there);
  const bytes = expected === null ? null : Buffer.from(expected);
  expect(await writeFileAtomic(path, 'mine', { expected: bytes })).toBe(done);
  expect(await readFile(path, 'utf8').catch(() => null)).toBe(done ? 'mine' : there);
  expect((await readdir(dir)).filter((name) => name !== 'a')).toEqual([]);
  if (bytes === null) return;
  await writeFile(path, there ?? 'else');
  expect(await removeFileHolding(path, bytes)).toBe(done);
  expect(await readdir(dir)).toEqual(done ? [] : ['a']);
});

test('[NF-52] a pipe in the place of a file is not waited for, and not replaced', async () => {
  const path = join(dir, 'pipe');
  spawnSync('mkfifo', [path]);
  expect(await writeFileAtomic(path, 'mine', { expected: Buffer.from('old') })).toBe(false);
  expect((await stat(path)).isFIFO()).toBe(true);
});

test('[SG-45] the sweep takes temporary files of the dead at once', async () => {
  const names = [`.svc-tmp-${process.pid}-0123`, '.svc-tmp-4194303-0123', '.svc-tmp-x-0123'];
  for (const name of names) await writeFile(join(dir, name), 'x');
  expect(await sweepTempFiles(dir, { isDead: (pid) => pid !== process.pid })).toEqual([
    '.svc-tmp-4194303-0123',
  ]);
});

test('the sweep takes old temporary files only', async () => {
  for (const name of ['.svc-tmp-1-old', '.svc-tmp-1-new', 'mine']) await writeFile(join(dir, name), 'x');
  const now = Date.now();
  await utimes(join(dir, '.svc-tmp-1-old'), (now - 120_000) / 1000, (now - 120_000) / 1000);
  await utimes(join(dir, 'mine'), 0, 0);
  expect(await sweepTempFiles(dir, { nowMs: now })).toEqual(['.svc-tmp-1-old']);
  expect((await readdir(dir)).toSorted()).toEqual(['.svc-tmp-1-new', 'mine']);
  expect(await sweepTempFiles(join(dir, 'missing'))).toEqual([]);
});

const WRITER = `
  const { writeFileAtomic } = await import(${JSON.stringify(join(import.meta.dirname, 'atomicFile.ts'))});
  process.stdout.write('ready');
  for (let n = 0; ; n += 1) await writeFileAtomic(process.argv[1], String.fromCharCode(97 + (n % 26)).repeat(200_000));
`;

test('[NF-11] kill -9 at any moment leaves one whole version', async () => {
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
  for (let seen = 0; seen < count; ) {
    const next = (await stat(path)).ino;
    if (next !== inode) seen += 1;
    inode = next;
  }
}

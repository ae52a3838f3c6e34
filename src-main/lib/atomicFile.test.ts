import { chmod, mkdtemp, readdir, readFile, readlink, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { writeFileAtomic } from './atomicFile.ts';

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

test('a link stays a link: its target is written, also if it is missing', async () => {
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

test('[NF-11] a failed write reports its cause and leaves no temporary file', async () => {
  await expect(writeFileAtomic(join(dir, 'no', 'such'), 'x')).rejects.toMatchObject({ code: 'ENOENT' });
  await expect(writeFileAtomic(dir, 'x')).rejects.toMatchObject({
    code: expect.stringMatching(/EISDIR|EEXIST|ENOTEMPTY|EBUSY/),
  });
  expect(await readdir(dir)).toEqual([]);
  expect(
    (await readdir(join(dir, '..'))).filter((name) => name.startsWith(`.svc-tmp-${process.pid}-`)),
  ).toEqual([]);
});

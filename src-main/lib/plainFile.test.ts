import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { NOT_PLAIN, readPlainFile } from './plainFile.ts';

let dir = '';
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'plain-'));
  await writeFile(join(dir, 'file'), 'text');
  await symlink('file', join(dir, 'link'));
  if (process.platform !== 'win32') execFileSync('mkfifo', [join(dir, 'pipe')]);
});
afterAll(() => rm(dir, { recursive: true, force: true }));

test.each(['file', 'link'])('a %s is read', async (name) => {
  expect(String(await readPlainFile(join(dir, name)))).toBe('text');
});

const refused: readonly (readonly [name: string, path: () => string, code: string])[] = [
  ['nothing', () => join(dir, 'none'), 'ENOENT'],
  ['a pipe without a writer', () => join(dir, 'pipe'), NOT_PLAIN],
  ['a folder', () => dir, NOT_PLAIN],
  ['a device that never ends', () => '/dev/zero', NOT_PLAIN],
];
test.skipIf(process.platform === 'win32').each(refused)('%s does not block', async (_name, path, code) => {
  await expect(readPlainFile(path())).rejects.toMatchObject({ code });
});

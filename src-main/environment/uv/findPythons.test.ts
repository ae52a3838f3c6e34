import { chmod, mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { findPythons, minorNumber, namedMinors } from './findPythons.ts';

let root: string;
beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'svc-pythons-')));
});
afterEach(() => rm(root, { recursive: true, force: true }));

it('[EN-4] returns real files, one per minor version ≥ 3.10, newest first', async () => {
  const pythons = await findPythons();
  expect(
    pythons.every(({ version, minor }) => version.startsWith(`${minor}.`) && minorNumber(minor) >= 10),
  ).toBe(true);
  expect(pythons.map(({ minor }) => minor)).toEqual(
    [...new Set(pythons.map(({ minor }) => minor))].sort((a, b) => minorNumber(b) - minorNumber(a)),
  );
  expect(await Promise.all(pythons.map(({ path }) => realpath(path)))).toEqual(
    pythons.map(({ path }) => path),
  );
});

it('ignores shims, broken links and other programs; the first on the PATH is used for its minor version', async () => {
  const [python] = await findPythons();
  if (python === undefined) return;
  const folders = ['shims', 'links'].map((name) => join(root, name));
  const [shims = '', links = ''] = folders;
  await Promise.all(folders.map((folder) => mkdir(folder)));
  await writeFile(join(shims, 'python3'), '#!/bin/sh\necho cpython final 3 12 0\n');
  await chmod(join(shims, 'python3'), 0o755);
  await symlink(join(root, 'gone'), join(links, 'python3'));
  await symlink(python.path, join(links, 'python3.12'));
  await symlink('/bin/true', join(links, 'python3.14'));
  const pythons = await findPythons({ PATH: `${shims}:${links}`, PYENV_ROOT: join(root, 'no-pyenv') });
  expect(pythons.find(({ minor }) => minor === python.minor)).toEqual(python);
  expect(pythons.some(({ path }) => path.startsWith(root))).toBe(false);
});

it('[SG-21] lists minor versions by file names, newest first, without starting a Python', async () => {
  // Not programs, so they could not be started.
  for (const name of ['python3.19', 'python3.9', 'python3']) await writeFile(join(root, name), 'no program');
  const minors = await namedMinors({ PATH: root, PYENV_ROOT: join(root, 'no-pyenv') });
  expect(minors[0]).toBe('3.19');
  expect(minors).not.toContain('3.9');
  expect(minors).toEqual([...new Set(minors)].sort((a, b) => minorNumber(b) - minorNumber(a)));
});

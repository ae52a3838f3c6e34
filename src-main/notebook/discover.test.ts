import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { discoverNotebooks, isNotebookFolder } from './discover.ts';
import { resolveInside } from './resolveInside.ts';

let root = '';
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'svc-discover-'));
});
afterEach(() => rm(root, { recursive: true, force: true }));

async function notebook(path: string, toml = `notebook_id = "${path}"\nname = "N"\n`): Promise<void> {
  await mkdir(join(root, path), { recursive: true });
  await writeFile(join(root, path, 'notebook.toml'), toml);
}

test('the scan finds notebooks to depth 4, does not search inside them, skips hidden and build folders and links', async () => {
  const skipped = ['.git/n', 'node_modules/n', '__pycache__/n', 'venv/n', 'dist/n', 'build/n', 'target/n'];
  for (const path of ['b', 'a/x', 'b/inner', '1/2/3/4', '1/2/3/deep/5', ...skipped]) await notebook(path);
  await notebook('broken', 'name = ');
  await mkdir(join(root, 'nothing', 'notebook.toml'), { recursive: true });
  await symlink(join(root, 'b'), join(root, 'link'));
  const notebooks = await discoverNotebooks(root);
  expect(notebooks.map(({ path, notebookId }) => [relative(root, path), notebookId])).toEqual([
    ['b', 'b'],
    ['broken', null],
    ['a/x', 'a/x'],
    ['1/2/3/4', '1/2/3/4'],
  ]);
  expect(await discoverNotebooks(join(root, 'missing'))).toEqual([]);
  expect(
    await Promise.all(['b', 'nothing', 'missing'].map((path) => isNotebookFolder(join(root, path)))),
  ).toEqual([true, false, false]);
});

test('at most 500 are listed', async () => {
  await Promise.all(Array.from({ length: 510 }, (_, index) => notebook(`n${index}`)));
  expect(await discoverNotebooks(root)).toHaveLength(500);
});

test('a path is confined to the roots, after links are resolved', async () => {
  await mkdir(join(root, 'in/..ok'), { recursive: true });
  await mkdir(join(root, 'out'));
  await writeFile(join(root, 'in/file'), '');
  await symlink(join(root, 'out'), join(root, 'in/escape'));
  await symlink(join(root, 'in'), join(root, 'alias'));
  await symlink('loop', join(root, 'in/loop'));
  const inside = join(root, 'in');
  const cases: readonly (readonly [path: string, gives: string | null])[] = [
    ['', ''],
    ['new/deeper', 'new/deeper'],
    ['..ok', '..ok'],
    [inside, ''],
    [join(root, 'alias', 'x'), 'x'],
    ['file/x', 'file/x'],
    // Any client may send it: the work must not grow with its length.
    [`${'deep/'.repeat(5000)}x`, `${'deep/'.repeat(5000)}x`],
    ['..', null],
    ['a/../b', null],
    ['a\\..\\b', null],
    ['escape', null],
    ['escape/new', null],
    ['loop', null],
    ['a\0', null],
    [root, null],
    [`${inside}2`, null],
    ['/etc', null],
  ];
  for (const [path, gives] of cases) {
    const resolved = await resolveInside([inside], path);
    expect([path, resolved.kind === 'inside' ? relative(inside, resolved.path) : null]).toEqual([
      path,
      gives,
    ]);
  }
  expect((await resolveInside([inside, join(root, 'out')], join(root, 'in/escape'))).kind).toBe('inside');
  expect((await resolveInside([], 'x')).kind).toBe('outside');
});

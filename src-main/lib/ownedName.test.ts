import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ownedName, sweepOwned } from './ownedName.ts';

let dir = '';
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'svc-owned-'));
});
afterEach(() => rm(dir, { recursive: true, force: true }));

/** A name created by a process that has ended since. */
function ofTheDead(prefix: string): string {
  const module = JSON.stringify(join(import.meta.dirname, 'ownedName.ts'));
  const script = `const { ownedName } = await import(${module}); process.stdout.write(await ownedName(${JSON.stringify(prefix)}));`;
  return spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' }).stdout;
}

test('[SG-45] leftovers of a dead process are removed, files of a living one stay', async () => {
  const dead = [ofTheDead('.svc-upload-'), ofTheDead('.svc-new-')];
  const mine = [await ownedName('.svc-upload-'), await ownedName('.svc-new-')];
  // The same process id with another start time: the id was reused.
  const again = (mine[0] ?? '').replace(/-(\d*)-/, '-1$1-');
  const elsewhere = '.svc-new-1-1-0123456789ab-other_host-0123456789ab';
  const young = '.svc-new-0123456789ab';
  const old = '.svc-upload-012345678901234567';
  const places = ['.', 'work/2026'];
  for (const place of places) {
    for (const name of [...dead, ...mine, again, elsewhere, young, old, 'notes'])
      await makePrivateFolder(join(dir, place, name));
    await utimes(join(dir, place, old), 0, 0);
  }
  await makePrivateFolder(join(dir, 'a notebook', dead[0] ?? ''));
  await writeFile(join(dir, 'a notebook/notebook.toml'), '');
  await makePrivateFolder(join(dir, 'a notebook/cells', dead[0] ?? ''));
  await symlink(
    join(dir, 'work'),
    join(dir, dead[0]?.replace(/.$/, (last) => (last === '0' ? '1' : '0')) ?? ''),
  );

  await sweepOwned([dir, join(dir, 'nowhere')], ['.svc-upload-', '.svc-new-']);

  const expected = [...mine, elsewhere, young, 'notes'].toSorted();
  for (const place of places) {
    const entries = await readdir(join(dir, place), { withFileTypes: true });
    const names = entries.filter((entry) => !entry.isSymbolicLink()).map(({ name }) => name);
    expect(names.filter((name) => !['work', 'a notebook'].includes(name)).toSorted()).toEqual(expected);
  }
  // A notebook is swept when it is opened, under its lock.
  expect(await readdir(join(dir, 'a notebook/cells'))).toEqual([dead[0]]);
});

async function makePrivateFolder(path: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await mkdir(path);
  await writeFile(join(path, 'x'), 'x');
}

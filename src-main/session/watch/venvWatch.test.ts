import { mkdir, mkdtemp, rename, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { environmentIdentity, venvDir, venvPython, writeMarker } from '../../environment/venv/venv.ts';
import { notebookFolder } from '../../notebook/folder/notebookFolder.ts';
import { createVenvWatch } from './venvWatch.ts';

const root = await mkdtemp(join(tmpdir(), 'cellar-watch-'));
afterAll(() => rm(root, { recursive: true, force: true }));

async function environment(venv: string, id: string): Promise<void> {
  const packages = join(venv, 'lib/python3.13/site-packages');
  await mkdir(join(packages, 'apple-1.0.dist-info'), { recursive: true });
  await mkdir(dirname(venvPython(venv)), { recursive: true });
  await symlink(process.execPath, venvPython(venv));
  // The same time, as on a disk that stores whole seconds.
  await utimes(join(packages, 'apple-1.0.dist-info'), 1, 1);
  await writeMarker(venv, {
    id,
    pyprojectSha256: '',
    lockSha256: null,
    lockDigest: null,
    pythonVersion: '3.13.0',
    installed: '',
    syncedAt: 0,
    durationMs: 0,
    notice: null,
  });
}

/** Changes of a notebook's environment, and whether it is still the one for its cells. */
const ROWS: readonly (readonly [
  name: string,
  change: (venv: string) => Promise<unknown>,
  isStill: boolean,
])[] = [
  ['nothing', async () => undefined, true],
  [
    'bytecode is written to it',
    (venv) => mkdir(join(venv, 'lib/python3.13/site-packages/__pycache__')),
    true,
  ],
  ['it is deleted', (venv) => rm(venv, { recursive: true }), false],
  ['its interpreter is deleted', (venv) => rm(venvPython(venv)), false],
  [
    'only folders are left of it',
    (venv) => rename(venv, `${venv}-away`).then(() => mkdir(join(venv, 'lib'), { recursive: true })),
    false,
  ],
  ['it is a file', (venv) => rename(venv, `${venv}-away`).then(() => writeFile(venv, '')), false],
  [
    'a package is installed',
    (venv) => mkdir(join(venv, 'lib/python3.13/site-packages/pear-1.0.dist-info')),
    false,
  ],
  [
    'a package is removed',
    (venv) => rm(join(venv, 'lib/python3.13/site-packages/apple-1.0.dist-info'), { recursive: true }),
    false,
  ],
  [
    'another environment is put in its place',
    (venv) => rename(venv, `${venv}-away`).then(() => environment(venv, 'two')),
    false,
  ],
];

test.each(ROWS.map(([name, change, isStill]) => ({ name, change, isStill })))(
  "[SO-232] $name: still the cells' environment: $isStill",
  async ({ name, change, isStill }) => {
    const dir = notebookFolder(join(root, name.replaceAll(' ', '-')));
    const venv = venvDir(dir);
    await environment(venv, 'one');
    const interpreter = {
      path: venvPython(venv),
      identity: await environmentIdentity(venvPython(venv), venv),
    };
    const watch = createVenvWatch(dir);
    expect(await watch.isStill(interpreter)).toBe(true);
    await change(venv);
    expect([await watch.isStill(interpreter), await watch.isStill(interpreter)]).toEqual([isStill, isStill]);
  },
);

test('[SO-232] a Python outside of the folder is not checked', async () => {
  const watch = createVenvWatch(notebookFolder(join(root, 'nowhere')));
  expect(await watch.isStill({ path: '/usr/bin/python3', identity: 'p' })).toBe(true);
});

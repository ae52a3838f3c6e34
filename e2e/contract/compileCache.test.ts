/** Tests where the `svc` program caches its compiled code, and that it also runs without a writable folder. */

import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { startServerProcess } from '../support/serverProcess.ts';
import { svc } from '../support/svcCommand.ts';

let root = '';
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'cellar-compiled-'));
});
afterEach(() => rm(root, { recursive: true, force: true }));

/** Node treats an empty value as unset. */
const UNSET = { NODE_COMPILE_CACHE: '' };

interface Row {
  readonly name: string;
  readonly env: (root: string) => Readonly<Record<string, string>>;
  readonly left: readonly string[];
}
const rows: readonly Row[] = [
  { name: 'in the cache folder', env: (dir) => ({ SVC_CACHE_DIR: dir }), left: ['compile'] },
  { name: 'in the home folder', env: (dir) => ({ HOME: dir, SVC_CACHE_DIR: '' }), left: ['.svc'] },
  {
    name: 'in the directory of NODE_COMPILE_CACHE',
    env: (dir) => ({ SVC_CACHE_DIR: dir, NODE_COMPILE_CACHE: join(dir, 'chosen') }),
    left: ['chosen'],
  },
  {
    name: 'nowhere when Node’s cache is disabled',
    env: (dir) => ({ SVC_CACHE_DIR: dir, NODE_DISABLE_COMPILE_CACHE: '1' }),
    left: [],
  },
];

it.each(rows)('[CL-13] the program’s compiled code is cached $name', async ({ env, left }) => {
  const end = await svc(['validate', join(root, 'none')], { env: { ...UNSET, ...env(root) } });
  expect(end.code).not.toBe(0); // the notebook does not exist, but all code of the command was loaded
  expect(await readdir(root)).toEqual(left);
});

it('[CL-13] the program runs without a cache when the directory cannot be written', async () => {
  const file = join(root, 'file');
  await writeFile(file, '');
  const end = await svc(['--version'], { env: { ...UNSET, SVC_CACHE_DIR: join(file, 'below') } });
  expect(end).toMatchObject({ code: 0, stderr: '' });
});

it('[CL-13] `svc run` uses the code that `svc serve` has compiled', async () => {
  const cache = { NODE_COMPILE_CACHE: join(root, 'compiled') };
  const server = await startServerProcess({ env: cache });
  // The process writes its compiled code when it ends by itself.
  await server.dispose();
  expect(server.exitCode(), server.stderr()).toBe(0);
  const end = await svc(['run', '/nowhere/at/all'], {
    env: { ...cache, NODE_DEBUG_NATIVE: 'COMPILE_CACHE' },
  });
  const said = `${end.stdout}${end.stderr}`;
  expect(said.match(/was accepted/g)?.length).toBeGreaterThan(50);
  expect(said).not.toContain('was rejected');
});

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { PROJECT_ROOT } from '../support/serverProcess.ts';
import { svc } from '../support/svcCommand.ts';

/** A module that makes the program print, when it exits, which of Node's built-in modules it loaded. */
const PRINTS_LOADED = `data:text/javascript,process.on('exit',()=>console.error(process.moduleLoadList.join()))`;
const FETCH = 'NativeModule internal/deps/undici/undici';

it.each([
  { name: 'a command that starts its own server', args: ['run', '/nowhere/at/all'] },
  { name: 'a server that cannot bind its address', args: ['serve', '--host', '192.0.2.1'] },
])('[CL-14] $name does not load Node’s `fetch` before it is used', async ({ args }) => {
  const { stderr } = await svc(args, { env: { NODE_OPTIONS: `--import "${PRINTS_LOADED}"` } });
  expect(stderr).toContain('NativeModule http');
  expect(stderr).not.toContain(FETCH);
});

it('[CL-50] the program checks the version of Node before it loads anything but Node’s own modules', async () => {
  const text = await readFile(join(PROJECT_ROOT, 'dist/svc.mjs'), 'utf8');
  const loaded = [...text.matchAll(/^(?:import|export)\b[^\n]*?["']([^"']+)["'];?$/gm)].map(
    ([, name]) => name,
  );
  expect(loaded.filter((name) => !name?.startsWith('node:'))).toEqual([]);
  expect(loaded).not.toEqual([]);
  expect(text).toMatch(/process\.versions\.node/);
});

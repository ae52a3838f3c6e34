import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { PROJECT_ROOT } from '../support/serverProcess.ts';
import { svc } from '../support/svcCommand.ts';

/** At its end the program says which of Node's own parts it loaded. */
const SAYS_PARTS = `data:text/javascript,process.on('exit',()=>console.error(process.moduleLoadList.join()))`;
const FETCH = 'NativeModule internal/deps/undici/undici';

it.each([
  { name: 'a verb with a server of its own', args: ['run', '/nowhere/at/all'] },
  { name: 'a server that may not start', args: ['serve', '--host', '192.0.2.1'] },
])('[CL-14] $name loads Node’s `fetch` only where it is used', async ({ args }) => {
  const { stderr } = await svc(args, { env: { NODE_OPTIONS: `--import "${SAYS_PARTS}"` } });
  expect(stderr).toContain('NativeModule http');
  expect(stderr).not.toContain(FETCH);
});

it('[CL-50] the program loads nothing before it has checked the version of Node', async () => {
  const text = await readFile(join(PROJECT_ROOT, 'dist/svc.mjs'), 'utf8');
  const loaded = [...text.matchAll(/^(?:import|export)\b[^\n]*?["']([^"']+)["'];?$/gm)].map(
    ([, name]) => name,
  );
  expect(loaded.filter((name) => !name?.startsWith('node:'))).toEqual([]);
  expect(loaded).not.toEqual([]);
  expect(text).toMatch(/process\.versions\.node/);
});

import { expect, it } from 'vitest';
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

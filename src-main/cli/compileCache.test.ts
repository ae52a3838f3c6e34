import { expect, it } from 'vitest';
import { compiledCodeDir } from './compileCache.ts';

it.each([
  { env: { HOME: '/home/ada' }, dir: '/home/ada/.svc/cache/compile' },
  { env: { HOME: '/home/ada', SVC_CACHE_DIR: '/var/cache/svc' }, dir: '/var/cache/svc/compile' },
  { env: { HOME: '/home/ada', SVC_CACHE_DIR: '~/elsewhere' }, dir: '/home/ada/.svc/cache/compile' },
  { env: { HOME: '', USERPROFILE: '/users/ada' }, dir: '/users/ada/.svc/cache/compile' },
  { env: { HOME: '.' }, dir: null },
  { env: {}, dir: null },
])("[CL-13] Node's compile cache is in $dir of $env", ({ env, dir }) => {
  expect(compiledCodeDir(env)).toBe(dir);
});

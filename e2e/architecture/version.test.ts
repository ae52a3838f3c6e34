/** Checks that package.json, the lock file, the program and the changelog have the same version. */

import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '../..');
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

it('[AR-16] the program, its package and the changelog name one version', () => {
  const { version } = JSON.parse(read('package.json'));
  const [, newest] = /^## \[(\d+\.\d+\.\d+)\] - \d{4}-\d{2}-\d{2}$/m.exec(read('CHANGELOG.md')) ?? [];
  expect({
    server: /export const VERSION = '(.*)';/.exec(read('src-main/cli/composeApp.ts'))?.[1],
    program: /\['SVC_VERSION'\] \?\? '(.*)'/.exec(read('src-main/cli/main.ts'))?.[1],
    lock: JSON.parse(read('package-lock.json')).version,
    changelog: newest,
  }).toEqual({ server: version, program: version, lock: version, changelog: version });
});

/** Copies the built project and its examples into a folder, like a fresh clone, for tests of the command line. */

import { cp, mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { PROJECT_ROOT } from './serverProcess.ts';

/** Files that runs and builds leave in an example, which are not part of a clone. */
const LEFT_BY_RUNS = /[\\/](\.svc|\.venv|uv\.lock|__pycache__)([\\/]|$)/;

/**
 * Makes a clone of the built project with the parts needed to start it. Examples are opened in the clone, which leaves
 * this checkout unchanged.
 * @returns the program to start
 */
export async function makeClone(root: string): Promise<string> {
  await mkdir(join(root, 'src-main'), { recursive: true });
  await symlink(join(PROJECT_ROOT, 'node_modules'), join(root, 'node_modules'));
  await cp(join(PROJECT_ROOT, 'examples'), join(root, 'examples'), {
    recursive: true,
    filter: (source) => !LEFT_BY_RUNS.test(source),
  });
  // The packaged app, which is not needed, is in the build folder too.
  const packaged = join(PROJECT_ROOT, 'dist/desktop');
  await cp(join(PROJECT_ROOT, 'dist'), join(root, 'dist'), {
    recursive: true,
    filter: (source) => source !== packaged,
  });
  return join(root, 'dist/svc.mjs');
}

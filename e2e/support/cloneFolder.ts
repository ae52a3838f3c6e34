import { cp, mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { PROJECT_ROOT } from './serverProcess.ts';

/** What runs and builds leave in an example; none of it is part of a clone. */
const LEFT_BY_RUNS = /[\\/](\.svc|\.venv|uv\.lock|__pycache__)([\\/]|$)/;

/**
 * A built clone of the project, as far as needed to start it: examples are opened in place there, which leaves this
 * checkout unchanged.
 * @returns the program to start
 */
export async function makeClone(root: string): Promise<string> {
  await mkdir(join(root, 'src-main'), { recursive: true });
  await symlink(join(PROJECT_ROOT, 'node_modules'), join(root, 'node_modules'));
  await cp(join(PROJECT_ROOT, 'examples'), join(root, 'examples'), {
    recursive: true,
    filter: (source) => !LEFT_BY_RUNS.test(source),
  });
  // The packaged app is below the build folder too.
  const packaged = join(PROJECT_ROOT, 'dist/desktop');
  await cp(join(PROJECT_ROOT, 'dist'), join(root, 'dist'), {
    recursive: true,
    filter: (source) => source !== packaged,
  });
  return join(root, 'dist/svc.mjs');
}

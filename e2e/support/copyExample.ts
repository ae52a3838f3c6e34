import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { PROJECT_ROOT } from './serverProcess.ts';

/**
 * Copies a folder of `examples/` as in a clone, without files that a run left in it.
 * @param into an existing folder; @returns the copy's path
 */
export async function copyExample(name: string, into: string): Promise<string> {
  const dir = join(into, name);
  await cp(join(PROJECT_ROOT, 'examples', name), dir, {
    recursive: true,
    filter: (path) => !/[/\\](\.svc|\.venv|uv\.lock|made|notes\.db[^/\\]*)$/.test(path),
  });
  return dir;
}

import { mkdtemp, rename, rmdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';

/**
 * Replaces a file of an open notebook in one step, like another program. `writeFile` empties a file before it writes,
 * so that on a busy machine the server may read the empty file and report it as a change.
 */
export async function replaceFile(path: string, text: string): Promise<void> {
  const made = join(await mkdtemp(join(tmpdir(), 'cellar-replace-')), basename(path));
  await writeFile(made, text);
  await rename(made, path);
  await rmdir(dirname(made));
}

import { mkdtemp, rename, rmdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';

/**
 * Writes a file of an open notebook as another program, in one step. `writeFile` empties a file before it writes: on a
 * busy machine the server may read it in between, and takes the empty text for a change of its own.
 */
export async function replaceFile(path: string, text: string): Promise<void> {
  const made = join(await mkdtemp(join(tmpdir(), 'cellar-replace-')), basename(path));
  await writeFile(made, text);
  await rename(made, path);
  await rmdir(dirname(made));
}

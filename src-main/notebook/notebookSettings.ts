import { lstat, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { errnoOf, nullIfMissing, writeFileAtomic } from '../lib/atomicFile.ts';
import { NOT_PLAIN, readPlainFile } from '../lib/plainFile.ts';

/**
 * `.svc/settings.json`: what a person set for this notebook on this machine. The format of notebook.toml has no place
 * for it, and how many processes may work at once is a matter of the machine.
 */
const settings = z.object({
  /** How many cells of one run may work at the same time; null: as the server says. */
  parallel_cells: z.number().int().min(1).max(64).nullable().default(null),
});
export type NotebookSettings = Readonly<z.infer<typeof settings>>;

const NONE: NotebookSettings = { parallel_cells: null };

function pathOf(dir: string): string {
  return join(dir, '.svc', 'settings.json');
}

/** The settings; with `repairs` a damaged file is set aside as `settings.json.bad`, and nothing is set then. */
export async function loadNotebookSettings(
  dir: string,
  { repairs = true }: { readonly repairs?: boolean } = {},
): Promise<NotebookSettings> {
  const path = pathOf(dir);
  try {
    return settings.parse(JSON.parse((await readPlainFile(path)).toString('utf8')));
  } catch (error) {
    const code = errnoOf(error);
    if (code === 'ENOENT') return NONE;
    const isDamaged = error instanceof SyntaxError || error instanceof z.ZodError;
    if (!isDamaged && code !== NOT_PLAIN && code !== 'ELOOP') throw error;
    if (!repairs) return NONE;
    await rm(`${path}.bad`, { recursive: true, force: true });
    await rename(path, `${path}.bad`);
    return NONE;
  }
}

/** @throws the disk's error */
export async function saveNotebookSettings(dir: string, wanted: NotebookSettings): Promise<void> {
  const path = pathOf(dir);
  const found = await lstat(path).catch(nullIfMissing);
  // A link in its place would lead out of the notebook.
  if (found?.isSymbolicLink() === true) await rm(path);
  await writeFileAtomic(path, JSON.stringify(wanted));
}

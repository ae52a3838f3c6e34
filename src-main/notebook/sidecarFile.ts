import { lstat, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type * as z from 'zod';
import { errnoOf, writeFileAtomic } from '../lib/atomicFile.ts';
import { jsonOf } from '../lib/jsonOf.ts';
import { NOT_PLAIN, readPlainFile } from '../lib/plainFile.ts';

/**
 * A JSON file in `.svc` that windows keep something in. It may be lost without harm to the notebook: a damaged one, or
 * what stands in its place, is set aside as `<name>.bad`, and the file begins anew.
 */

function pathOf(dir: string, name: string): string {
  return join(dir, '.svc', name);
}

/** What the file holds; null where there is none, or a damaged one, which is set aside (`isDamaged`). */
export async function loadSidecar<T>(
  dir: string,
  name: string,
  schema: z.ZodType<T>,
): Promise<{ readonly value: T | null; readonly isDamaged: boolean }> {
  const path = pathOf(dir, name);
  let text: string;
  try {
    text = (await readPlainFile(path)).toString('utf8');
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return { value: null, isDamaged: false };
    if (errnoOf(error) !== NOT_PLAIN && errnoOf(error) !== 'ELOOP') throw error;
    text = '';
  }
  const parsed = schema.safeParse(jsonOf(text));
  if (parsed.success) return { value: parsed.data, isDamaged: false };
  await rm(`${path}.bad`, { recursive: true, force: true });
  await rename(path, `${path}.bad`);
  return { value: null, isDamaged: true };
}

/** Writes it whole or not at all. @throws NodeJS.ErrnoException with ENOENT where the notebook's folder is gone */
export async function saveSidecar(dir: string, name: string, value: unknown): Promise<void> {
  const path = pathOf(dir, name);
  const found = await lstat(path).catch((error: unknown) => {
    if (errnoOf(error) === 'ENOENT') return null;
    throw error;
  });
  // A link in its place would lead out of the notebook.
  if (found?.isSymbolicLink()) await rm(path);
  await writeFileAtomic(path, JSON.stringify(value), { mode: 0o600 });
}

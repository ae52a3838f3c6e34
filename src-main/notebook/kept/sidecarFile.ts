import type * as z from 'zod';
import { errnoOf } from '../../lib/atomicFile.ts';
import { READ_LIMITS } from '../../lib/guardedFolder/limits.ts';
import { removeDurably, setAside } from '../../lib/guardedFolder/names.ts';
import { type Place, placeIn } from '../../lib/guardedFolder/place.ts';
import { readFileAt } from '../../lib/guardedFolder/read.ts';
import { PlaceRefusal } from '../../lib/guardedFolder/refusal.ts';
import { replaceFile } from '../../lib/guardedFolder/replace.ts';
import { jsonOf } from '../../lib/jsonOf.ts';

/**
 * A JSON file in `.svc` with data of the windows. Losing it does not harm the notebook: a damaged one, or
 * anything else in its place, is set aside as `<name>.bad`, and the file starts empty.
 */

function placeOf(dir: string, name: string): Place {
  return placeIn(dir, '.svc', name);
}

/** The content of the file; null if there is none, or a damaged one, which is set aside (`isDamaged`). */
export async function loadSidecar<T>(
  dir: string,
  name: string,
  schema: z.ZodType<T>,
): Promise<{ readonly value: T | null; readonly isDamaged: boolean }> {
  const place = placeOf(dir, name);
  let text: string;
  try {
    text = (await readFileAt(place, { maxBytes: READ_LIMITS.record })).toString('utf8');
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return { value: null, isDamaged: false };
    if (!(error instanceof PlaceRefusal)) throw error;
    text = '';
  }
  const parsed = schema.safeParse(jsonOf(text));
  if (parsed.success) return { value: parsed.data, isDamaged: false };
  await setAside(place);
  return { value: null, isDamaged: true };
}

/**
 * Writes the complete file or nothing. @throws NodeJS.ErrnoException with ENOENT if the notebook's folder is
 * missing
 */
export async function saveSidecar(dir: string, name: string, value: unknown): Promise<void> {
  await replaceFile(placeOf(dir, name), JSON.stringify(value), { mode: 0o600 });
}

/** Removes the file; a missing one is no error. */
export async function removeSidecar(dir: string, name: string): Promise<void> {
  try {
    await removeDurably(placeOf(dir, name));
  } catch (error) {
    if (errnoOf(error) !== 'ENOENT') throw error;
  }
}

/** Loads and saves the small JSON files in a notebook's `.svc` folder, and sets damaged ones aside. */

import type * as z from 'zod';
import { errnoOf, nullIfMissing } from '../../lib/atomicFile.ts';
import { READ_LIMITS } from '../../lib/guardedFolder/limits.ts';
import { makeFolderAt, removeDurably, setAside } from '../../lib/guardedFolder/names.ts';
import type { Place } from '../../lib/guardedFolder/place.ts';
import { readFileAt } from '../../lib/guardedFolder/read.ts';
import { PlaceRefusal } from '../../lib/guardedFolder/refusal.ts';
import { replaceFile } from '../../lib/guardedFolder/replace.ts';
import { tryParseJson } from '../../lib/tryParseJson.ts';

/**
 * A JSON file in `.svc`. It counts as missing when it cannot be read: when it is damaged, or when a link, a
 * folder or anything else is in its place. What was there is never deleted: `loadRecord` renames it to
 * `<name>.bad`, so that the next save does not replace it.
 */
interface LoadedRecord<T> {
  /** The content; null if there is no file, or a damaged one. */
  readonly value: T | null;
  readonly isDamaged: boolean;
}

export interface LoadOptions {
  /** False: a damaged file stays, because the folder is not trusted or the file is never written again. */
  readonly repairs?: boolean;
  /** A larger file counts as damaged. */
  readonly maxBytes?: number;
}

/** Reads a record. @throws the system's error, other than for a missing file */
export async function loadRecord<T>(
  place: Place,
  schema: z.ZodType<T>,
  { repairs = true, maxBytes = READ_LIMITS.record }: LoadOptions = {},
): Promise<LoadedRecord<T>> {
  let text: string;
  try {
    text = (await readFileAt(place, { maxBytes })).toString('utf8');
  } catch (error) {
    if (!(error instanceof PlaceRefusal) || error.kind === 'not a folder') {
      return { value: nullIfMissing(error), isDamaged: false };
    }
    text = '';
  }
  const parsed = schema.safeParse(tryParseJson(text));
  if (parsed.success) return { value: parsed.data, isDamaged: false };
  if (repairs) await setAside(place);
  return { value: null, isDamaged: true };
}

/**
 * How a record is written. `line`: on one line, with a line break at its end; `pretty`: indented, for people who open
 * the file.
 */
export type RecordForm = 'bare' | 'line' | 'pretty';

export function recordText(value: unknown, form: RecordForm): string {
  if (form === 'bare') return JSON.stringify(value);
  return `${form === 'line' ? JSON.stringify(value) : JSON.stringify(value, null, 2)}\n`;
}

interface SaveOptions {
  readonly form?: RecordForm;
  readonly flush?: boolean;
  /** False: fails without the folder of the record. True: creates it, but never the notebook's own folder. */
  readonly makesFolder?: boolean;
}

/**
 * Writes the complete file or nothing, for its owner only. @throws the system's error, with ENOENT if the
 * folder is missing
 */
export async function saveRecord(
  place: Place,
  value: unknown,
  { form = 'bare', flush = true, makesFolder = false }: SaveOptions = {},
): Promise<void> {
  if (makesFolder) makeFolderAt({ ...place, names: place.names.slice(0, -1) });
  await replaceFile(place, recordText(value, form), { mode: 0o600, flush });
}

/** Removes the file; a missing one is no error. */
export async function removeRecord(place: Place): Promise<void> {
  try {
    await removeDurably(place);
  } catch (error) {
    if (errnoOf(error) !== 'ENOENT') throw error;
  }
}

import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { errnoOf } from '../../lib/atomicFile.ts';
import { makeFolderAt } from '../../lib/guardedFolder/names.ts';
import { OWN_FOLDER, placeIn } from '../../lib/guardedFolder/place.ts';
import { replaceFile } from '../../lib/guardedFolder/replace.ts';
import { jsonOf } from '../../lib/jsonOf.ts';
import { readPlainFile } from '../../lib/plainFile.ts';

/**
 * `.svc/import.json`: this notebook was imported, and may not build packages or fetch them from elsewhere than the
 * configured index before the person allows it. The record only ever takes something away: a damaged one counts as an
 * import that allows nothing.
 */
const record = z.object({
  kind: z.enum(['jupyter', 'snapshot']),
  /** True once the person has allowed what waited. */
  builds: z.boolean(),
  /** Requirements that are left out of pyproject.toml until then, as PEP 508 spells them. */
  waiting: z.array(z.string()),
});
export type ImportRecord = Readonly<z.infer<typeof record>>;

export const IMPORT_RECORD = '.svc/import.json';

const MAX_BYTES = 1024 * 1024;
const UNREADABLE: ImportRecord = { kind: 'snapshot', builds: false, waiting: [] };

/** A record as it is written. */
export function importRecordText(imported: ImportRecord): string {
  return `${JSON.stringify(imported, null, 2)}\n`;
}

/** What is recorded of a notebook's import; null for one that was not imported. */
export async function readImportRecord(dir: string): Promise<ImportRecord | null> {
  try {
    const bytes = await readPlainFile(join(dir, IMPORT_RECORD), { maxBytes: MAX_BYTES });
    const parsed = record.safeParse(jsonOf(bytes.toString('utf8')));
    return parsed.success ? parsed.data : UNREADABLE;
  } catch (error) {
    return errnoOf(error) === 'ENOENT' || errnoOf(error) === 'ENOTDIR' ? null : UNREADABLE;
  }
}

export async function writeImportRecord(dir: string, imported: ImportRecord): Promise<void> {
  makeFolderAt(placeIn(dir, OWN_FOLDER));
  await replaceFile(placeIn(dir, IMPORT_RECORD), importRecordText(imported));
}

/** Whether something stands where an import is recorded. */
export function isImported(dir: string): boolean {
  try {
    return lstatSync(join(dir, IMPORT_RECORD), { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    // No folder: nothing was imported there. Whatever cannot be looked at is not believed.
    return errnoOf(error) !== 'ENOTDIR';
  }
}

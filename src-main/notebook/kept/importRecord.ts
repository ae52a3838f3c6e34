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
 * `.svc/import.json`: this notebook was imported, and may not build packages, or fetch them from another
 * index than the configured one, before the user allows it. The record can only restrict: a damaged one
 * counts as an import without any permission.
 */
const record = z.object({
  kind: z.enum(['jupyter', 'snapshot']),
  /** True once the user has allowed the waiting requirements. */
  builds: z.boolean(),
  /** Requirements that are omitted from pyproject.toml until then, in PEP 508 form. */
  waiting: z.array(z.string()),
});
export type ImportRecord = Readonly<z.infer<typeof record>>;

export const IMPORT_RECORD = '.svc/import.json';

const MAX_BYTES = 1024 * 1024;
const UNREADABLE: ImportRecord = { kind: 'snapshot', builds: false, waiting: [] };

/** The text of a record's file. */
export function importRecordText(imported: ImportRecord): string {
  return `${JSON.stringify(imported, null, 2)}\n`;
}

/** The record of a notebook's import; null for a notebook that was not imported. */
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

/** Whether there is anything at the path of an import record. */
export function isImported(dir: string): boolean {
  try {
    return lstatSync(join(dir, IMPORT_RECORD), { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    // No folder: nothing was imported. Any other failed check counts as an import.
    return errnoOf(error) !== 'ENOTDIR';
  }
}

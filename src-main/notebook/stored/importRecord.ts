/** Records in `.svc/import.json` that a notebook was imported, and which packages wait for the user's permission. */

import { lstatSync } from 'node:fs';
import * as z from 'zod';
import { errnoOf } from '../../lib/atomicFile.ts';
import type { NotebookFolder } from '../folder/notebookFolder.ts';
import { ownName, ownPath, ownPlace } from '../folder/ownPlaces.ts';
import { loadRecord, recordText, saveRecord } from '../folder/record.ts';

/**
 * An imported notebook may not build packages, or fetch them from another index than the configured one, before the
 * user allows it. The record can only restrict: a damaged one counts as an import without any permission.
 */
const record = z.object({
  kind: z.enum(['jupyter', 'snapshot']),
  /** True once the user has allowed the waiting requirements. */
  builds: z.boolean(),
  /** Requirements that are omitted from pyproject.toml until then, in PEP 508 form. */
  waiting: z.array(z.string()),
});
export type ImportRecord = Readonly<z.infer<typeof record>>;

export const IMPORT_RECORD = ownName('importRecord');

const MAX_BYTES = 1024 * 1024;
const UNREADABLE: ImportRecord = { kind: 'snapshot', builds: false, waiting: [] };

/** The text of a record's file. */
export function importRecordText(imported: ImportRecord): string {
  return recordText(imported, 'pretty');
}

/** The record of a notebook's import; null for a notebook that was not imported. */
export async function readImportRecord(dir: NotebookFolder): Promise<ImportRecord | null> {
  try {
    // It stays where it is: without it, the notebook would count as the user's own.
    const options = { repairs: false, maxBytes: MAX_BYTES };
    const { value, isDamaged } = await loadRecord(ownPlace(dir, 'importRecord'), record, options);
    return isDamaged ? UNREADABLE : value;
  } catch {
    return UNREADABLE;
  }
}

export async function writeImportRecord(dir: NotebookFolder, imported: ImportRecord): Promise<void> {
  await saveRecord(ownPlace(dir, 'importRecord'), imported, { form: 'pretty', makesFolder: true });
}

/** Whether there is anything at the path of an import record. */
export function isImported(dir: NotebookFolder): boolean {
  try {
    return lstatSync(ownPath(dir, 'importRecord'), { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    // No folder: nothing was imported. Any other failed check counts as an import.
    return errnoOf(error) !== 'ENOTDIR';
  }
}

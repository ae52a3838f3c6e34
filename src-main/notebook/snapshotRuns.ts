/**
 * Stores the runs that a snapshot of another program recorded, until the notebook is first opened
 * (`.svc/snapshot.json`).
 */

import { createHash } from 'node:crypto';
import * as z from 'zod';
import { errnoOf } from '../lib/atomicFile.ts';
import type { NotebookFolder } from './folder/notebookFolder.ts';
import { ownPlace } from './folder/ownPlaces.ts';
import { loadRecord, saveRecord } from './folder/record.ts';

/**
 * The last run of a cell according to such a snapshot. The other program's keys differ from ours, so a session that
 * opens the notebook adopts the results by this file. A damaged file counts as missing.
 */
const snapshotRun = z.object({
  /** Digest of the cell's text in the snapshot. */
  text: z.string(),
  /** `ready`, `error` … in that program. */
  status: z.string(),
  /** The provenance hash of the last run, as computed by that program. */
  provenanceHash: z.string().nullable(),
  /** Whether that run, or its error, belongs to the text in the snapshot. */
  isOfText: z.boolean(),
});
const snapshotRuns = z.object({ cells: z.record(z.string(), snapshotRun) });

export type SnapshotRun = Readonly<z.infer<typeof snapshotRun>>;

const MAX_BYTES = 16 * 1024 * 1024;
const NONE: ReadonlyMap<string, SnapshotRun> = new Map();

/** The digest for comparing texts: it ignores the kind of line breaks and white space at the end. */
export function snapshotTextDigest(text: string): string {
  const plain = text
    .replace(/^\ufeff/, '')
    .replaceAll('\r\n', '\n')
    .trimEnd();
  return createHash('sha256').update(plain).digest('hex');
}

export async function writeSnapshotRuns(
  dir: NotebookFolder,
  cells: Readonly<Record<string, SnapshotRun>>,
): Promise<void> {
  await saveRecord(ownPlace(dir, 'snapshotRuns'), { cells }, { form: 'pretty', makesFolder: true });
}

/** The runs by cell; empty for a notebook that did not come from such a snapshot. */
export async function readSnapshotRuns(dir: NotebookFolder): Promise<ReadonlyMap<string, SnapshotRun>> {
  try {
    const options = { repairs: false, maxBytes: MAX_BYTES };
    const { value } = await loadRecord(ownPlace(dir, 'snapshotRuns'), snapshotRuns, options);
    return value === null ? NONE : new Map(Object.entries(value.cells));
  } catch (error) {
    if (errnoOf(error) === null) throw error;
    return NONE;
  }
}

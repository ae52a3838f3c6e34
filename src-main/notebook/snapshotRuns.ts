import { createHash } from 'node:crypto';
import { join } from 'node:path';
import * as z from 'zod';
import { errnoOf } from '../lib/atomicFile.ts';
import { makeFolderAt } from '../lib/guardedFolder/names.ts';
import { OWN_FOLDER, placeIn } from '../lib/guardedFolder/place.ts';
import { replaceFile } from '../lib/guardedFolder/replace.ts';
import { jsonOf } from '../lib/jsonOf.ts';
import { readPlainFile } from '../lib/plainFile.ts';

/**
 * `.svc/snapshot.json`: what a snapshot that another program wrote said of the last run of each cell. Its keys are not
 * ours, so a session that opens the notebook takes the results over from here. A damaged file counts as none.
 */
const snapshotRun = z.object({
  /** Digest of the text the cell had in the snapshot. */
  text: z.string(),
  /** `ready`, `error` … as that program saw it. */
  status: z.string(),
  /** Of the last run, in that program's hashes. */
  provenanceHash: z.string().nullable(),
  /** Whether that run, or its error, is of the text in the snapshot. */
  isOfText: z.boolean(),
});
const snapshotRuns = z.object({ cells: z.record(z.string(), snapshotRun) });

export type SnapshotRun = Readonly<z.infer<typeof snapshotRun>>;

const FILE = `${OWN_FOLDER}/snapshot.json`;
const MAX_BYTES = 16 * 1024 * 1024;
const NONE: ReadonlyMap<string, SnapshotRun> = new Map();

/** By what a text is told from another: not by its line breaks, nor by what a saved file ends with. */
export function snapshotTextDigest(text: string): string {
  const plain = text
    .replace(/^\ufeff/, '')
    .replaceAll('\r\n', '\n')
    .trimEnd();
  return createHash('sha256').update(plain).digest('hex');
}

export async function writeSnapshotRuns(
  dir: string,
  cells: Readonly<Record<string, SnapshotRun>>,
): Promise<void> {
  makeFolderAt(placeIn(dir, OWN_FOLDER));
  await replaceFile(placeIn(dir, FILE), `${JSON.stringify({ cells }, null, 2)}\n`);
}

/** By cell; none for a notebook that came from no such snapshot. */
export async function readSnapshotRuns(dir: string): Promise<ReadonlyMap<string, SnapshotRun>> {
  try {
    const bytes = await readPlainFile(join(dir, FILE), { maxBytes: MAX_BYTES });
    const parsed = snapshotRuns.safeParse(jsonOf(bytes.toString('utf8')));
    return parsed.success ? new Map(Object.entries(parsed.data.cells)) : NONE;
  } catch (error) {
    if (errnoOf(error) === null) throw error;
    return NONE;
  }
}

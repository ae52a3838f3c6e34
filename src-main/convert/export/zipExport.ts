/** Writes a notebook's committed files as a zip (`fmt=zip`). */

import { placeIn } from '../../lib/guardedFolder/place.ts';
import { readFileAt } from '../../lib/guardedFolder/read.ts';
import { HIDDEN, type Redactor } from '../../lib/redactor.ts';
import { exportedNotebookText } from '../../notebook/exportedText.ts';
import { bundledFiles, openBundled } from '../bundledFiles.ts';
import type { ExportView } from '../exportView.ts';
import { jsonBytes, provenanceRecord } from './provenanceRecord.ts';
import { type ZipMember, zipPieces } from './zipPieces.ts';

/** The zip export: the committed files and the provenance record, in pieces. */
export function zipExport(view: ExportView): AsyncGenerator<Uint8Array> {
  return zipPieces(committedMembers(view));
}

/** The members of the zip, sorted by name: the committed files and `provenance.json`. */
export async function* committedMembers(view: ExportView): AsyncGenerator<ZipMember> {
  const files = await bundledFiles(view.dir);
  for (const path of files) {
    if (path === 'notebook.toml') {
      yield { path, bytes: withoutSecrets(await readFileAt(placeIn(view.dir, path)), view.redactor) };
      continue;
    }
    const handle = await openBundled(view.dir, path);
    if (handle !== null) yield { path, handle, compress: true };
  }
  yield { path: 'provenance.json', bytes: provenanceRecord(view) };
}

/**
 * notebook.toml without the credentials of mounts, and with a blank for each literal secret (`api_key`): it
 * is safe to publish.
 */
function withoutSecrets(bytes: Buffer, redactor: Redactor): Buffer {
  const text = bytes.toString('utf8');
  const hiddenText = redactor.text(exportedNotebookText(text));
  return hiddenText === text ? bytes : Buffer.from(hiddenText.replaceAll(HIDDEN, ''));
}

/** Readable JSON without secret values. */
export function readableJson(value: unknown, redactor: Redactor): Buffer {
  const bytes = jsonBytes(value);
  return redactor.isIdle ? bytes : Buffer.from(redactor.text(bytes.toString('utf8')));
}

import { placeIn } from '../../lib/guardedFolder/place.ts';
import { readFileAt } from '../../lib/guardedFolder/read.ts';
import { HIDDEN, type Redactor } from '../../lib/redactor.ts';
import { exportedNotebookText } from '../../notebook/exportedText.ts';
import { bundledFiles, openBundled } from '../bundledFiles.ts';
import type { ExportView } from '../exportView.ts';
import { jsonBytes, provenanceRecord } from './provenanceRecord.ts';
import { type ZipMember, zipPieces } from './zipPieces.ts';

/** fmt=zip: the committed files and what was computed from what. */
export function zipExport(view: ExportView): AsyncGenerator<Uint8Array> {
  return zipPieces(committedMembers(view));
}

/** The bundled set and `provenance.json`, in the order of their names. */
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

/** notebook.toml without the credentials of mounts, and with a blank where a secret is text (`api_key`): it may be sent to anybody. */
function withoutSecrets(bytes: Buffer, redactor: Redactor): Buffer {
  const text = bytes.toString('utf8');
  const shown = redactor.text(exportedNotebookText(text));
  return shown === text ? bytes : Buffer.from(shown.replaceAll(HIDDEN, ''));
}

/** JSON of what is to be read, without hidden values. */
export function readableJson(value: unknown, redactor: Redactor): Buffer {
  const bytes = jsonBytes(value);
  return redactor.isIdle ? bytes : Buffer.from(redactor.text(bytes.toString('utf8')));
}

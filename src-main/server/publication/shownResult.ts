/** Reads the part of a published result that its page shows: the first rows, the image or the beginning of the text. */

import { createReadStream } from 'node:fs';
import { readFileAt } from '../../lib/guardedFolder/read.ts';
import type { TableService } from '../../table/service/tableService.ts';
import type { ShownResult } from './page.ts';
import type { PublicationView } from './publicationView.ts';

const ROWS_SHOWN = 100;
const MAX_IMAGE_BYTES = 4 * 1024 * 1024;
const MAX_TEXT_BYTES = 256 * 1024;

/** What the page of a publication shows of its result. */
export async function shownResult(
  { path, row }: PublicationView,
  tables: Pick<TableService, 'page'>,
): Promise<ShownResult> {
  const size = row.byteSize ?? 0;
  if (row.contentType === 'arrow/ipc' && row.contentSha256 !== null) {
    const page = await tables.page({ path, sha256: row.contentSha256, offset: 0, limit: ROWS_SHOWN });
    if (page.pageable) return { kind: 'table', page };
    return { kind: 'file', why: `The table cannot be shown here: ${page.reason}. Download it instead.` };
  }
  if (row.contentType === 'image/png' && size <= MAX_IMAGE_BYTES) {
    const bytes = await readFileAt(path, { maxBytes: MAX_IMAGE_BYTES });
    return { kind: 'image', dataUrl: `data:image/png;base64,${bytes.toString('base64')}` };
  }
  if (row.contentType === 'json/object' || row.contentType.startsWith('text/')) {
    let text = '';
    for await (const piece of createReadStream(path, { encoding: 'utf8', end: MAX_TEXT_BYTES - 1 }))
      text += piece;
    return { kind: 'text', text, isCut: size > MAX_TEXT_BYTES };
  }
  return { kind: 'file', why: `This result is a file of type ${row.contentType}. Download it to use it.` };
}

/** Handler of the route that sends the bytes of one display output of a cell. */

import { AppError } from '../../../src-shared/wire/errors.ts';
import type { StoredBytes } from '../storedBytes.ts';
import { storedFile } from './cellPage.ts';
import type { HandlerContext } from './notebooks.ts';
import { cellOf, knownCellId, sessionOf } from './sessionOf.ts';

/** The bytes of one display output; a negative index counts from the end (docs/spec/rest-notebooks.md, 5.3). */
export async function cellBlob(
  { sessions }: Pick<HandlerContext, 'sessions'>,
  params: { readonly sid: string; readonly cell_id: string; readonly index: number },
): Promise<StoredBytes> {
  const session = sessionOf(sessions, params.sid);
  const cell = cellOf(session, knownCellId(params.cell_id));
  const index = params.index < 0 ? cell.display_outputs.length + params.index : params.index;
  const output = cell.display_outputs[index];
  if (output === undefined || output.artifact_uri === null) {
    throw new AppError('not_found', `Cell ${cell.id} has no stored output ${params.index}.`);
  }
  const { path, sha256 } = await storedFile(session, output.artifact_uri);
  return {
    path,
    sha256,
    contentType: output.content_type,
    fileName: `${cell.id}-${index}.bin`,
    headers: { 'X-Svc-Output-Index': String(index) },
  };
}

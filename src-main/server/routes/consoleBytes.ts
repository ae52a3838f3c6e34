/** Serves a cell's whole console as plain text: it can contain anything, so it is never served as another type. */

import { createReadStream } from 'node:fs';
import { AppError } from '../../../src-shared/wire/errors.ts';
import type { ConsoleLog } from '../../session/view/consoleLogOf.ts';
import type { StreamedBytes } from '../streamedBytes.ts';

const NOT_WHOLE = '[… the beginning of this log was discarded …]\n';

/** The answer with a cell's whole console. @throws AppError not_found for null */
export function consoleBytes(log: ConsoleLog | null): StreamedBytes {
  if (log === null) throw new AppError('not_found', 'Cell not found');
  return { pieces: piecesOf(log), contentType: 'text/plain; charset=utf-8', fileName: null };
}

/** Opens each file when its first piece is read, so that no unread file stays open. */
async function* piecesOf(log: ConsoleLog): AsyncGenerator<Uint8Array> {
  if (log.kind === 'file') yield* createReadStream(log.path);
  else yield Buffer.from(log.whole ? log.text : `${NOT_WHOLE}${log.text}`);
}

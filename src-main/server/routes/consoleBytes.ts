import { createReadStream } from 'node:fs';
import { AppError } from '../../../src-shared/wire/errors.ts';
import type { Session } from '../../session/api.ts';
import type { StreamedBytes } from '../streamedBytes.ts';

type ConsoleLog = NonNullable<Awaited<ReturnType<Session['consoleLog']>>>;

const NOT_WHOLE = '[… the beginning of this log is no longer kept …]\n';

/** A cell's whole console as plain text: it may hold anything, so nothing of it is ever anything else. */
export function consoleBytes(log: ConsoleLog | null): StreamedBytes {
  if (log === null) throw new AppError('not_found', 'Cell not found');
  return { pieces: piecesOf(log), contentType: 'text/plain; charset=utf-8', fileName: null };
}

/** A file is opened when the first piece is asked for, so that one nobody reads is never open. */
async function* piecesOf(log: ConsoleLog): AsyncGenerator<Uint8Array> {
  if (log.kind === 'file') yield* createReadStream(log.path);
  else yield Buffer.from(log.whole ? log.text : `${NOT_WHOLE}${log.text}`);
}

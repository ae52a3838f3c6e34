/** Replaces the notebook's secrets by `[hidden]` in stored bytes that are text, while they are sent. */

import { StringDecoder } from 'node:string_decoder';
import { CUT_MARK, HIDDEN, type Redactor, type StreamRedactor } from '../lib/redactor.ts';
import type { StoredBytes } from './storedBytes.ts';
import type { StreamedBytes } from './streamedBytes.ts';

/** Content types that are UTF-8 text; other types are data and sent unchanged. */
const TEXT = /^(text\/|json\/|application\/(json|xml)|image\/svg)/;

/** The bytes to send, text without hidden values. The stored bytes and their digest stay unchanged. */
export function hideInBytes(
  bytes: StoredBytes | StreamedBytes,
  redactor: Redactor,
): StoredBytes | StreamedBytes {
  if (redactor.isIdle || !TEXT.test(bytes.contentType)) return bytes;
  if ('pieces' in bytes) return { ...bytes, pieces: hidden(bytes.pieces, redactor) };
  const hiddenFile = { id: redactor.id, of: (file: AsyncIterable<Uint8Array>) => hidden(file, redactor) };
  return { ...bytes, shown: hiddenFile };
}

/** The same text without hidden values, wherever the pieces split them. */
async function* hidden(pieces: AsyncIterable<Uint8Array>, redactor: Redactor): AsyncGenerator<Uint8Array> {
  const decoder = new StringDecoder('utf8');
  const stream = redactor.stream();
  let isFirst = true;
  for await (const piece of pieces) {
    const text = decoder.write(Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength));
    if (text === '') continue;
    const visible = isFirst ? firstPiece(text, { redactor, stream }) : stream.push(text);
    isFirst = false;
    if (visible !== '') yield Buffer.from(visible);
  }
  const last = stream.push(decoder.end()) + stream.end();
  if (last !== '') yield Buffer.from(last);
}

/** The first piece. If it says that text before it was dropped, it may begin in the middle of a secret. */
function firstPiece(
  text: string,
  { redactor, stream }: { readonly redactor: Redactor; readonly stream: StreamRedactor },
): string {
  const mark = CUT_MARK.exec(text)?.[0];
  if (mark === undefined) return stream.push(text);
  const rest = redactor.restLength(text.slice(mark.length));
  return mark + (rest === 0 ? '' : HIDDEN) + stream.push(text.slice(mark.length + rest));
}

import { StringDecoder } from 'node:string_decoder';
import { CUT_MARK, HIDDEN, type Redactor, type StreamRedactor } from '../lib/redactor.ts';
import type { StoredBytes } from './storedBytes.ts';
import type { StreamedBytes } from './streamedBytes.ts';

/** Text in UTF-8; anything else is data, which leaves as it is. */
const TEXT = /^(text\/|json\/|application\/(json|xml)|image\/svg)/;

/** Bytes to be sent, text without hidden values. What is stored stays as it is, and so does its digest. */
export function hideInBytes(
  bytes: StoredBytes | StreamedBytes,
  redactor: Redactor,
): StoredBytes | StreamedBytes {
  if (redactor.isIdle || !TEXT.test(bytes.contentType)) return bytes;
  if ('pieces' in bytes) return { ...bytes, pieces: hidden(bytes.pieces, redactor) };
  const shown = { id: redactor.id, of: (file: AsyncIterable<Uint8Array>) => hidden(file, redactor) };
  return { ...bytes, shown };
}

/** The same text, without hidden values wherever the pieces part them. */
async function* hidden(pieces: AsyncIterable<Uint8Array>, redactor: Redactor): AsyncGenerator<Uint8Array> {
  const decoder = new StringDecoder('utf8');
  const stream = redactor.stream();
  let isFirst = true;
  for await (const piece of pieces) {
    const text = decoder.write(Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength));
    if (text === '') continue;
    const shown = isFirst ? begun(text, { redactor, stream }) : stream.push(text);
    isFirst = false;
    if (shown !== '') yield Buffer.from(shown);
  }
  const last = stream.push(decoder.end()) + stream.end();
  if (last !== '') yield Buffer.from(last);
}

/** The first piece: where it says that something is missing before it, that may be half of a value. */
function begun(
  text: string,
  { redactor, stream }: { readonly redactor: Redactor; readonly stream: StreamRedactor },
): string {
  const mark = CUT_MARK.exec(text)?.[0];
  if (mark === undefined) return stream.push(text);
  const rest = redactor.restLength(text.slice(mark.length));
  return mark + (rest === 0 ? '' : HIDDEN) + stream.push(text.slice(mark.length + rest));
}

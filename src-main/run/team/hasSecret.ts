/** Checks whether a text or file contains a secret of the notebook, before it is sent to the team's cache. */

import { createReadStream } from 'node:fs';
import type { Redactor } from '../../lib/redactor.ts';

/**
 * Whether a text or the bytes of a file contain a secret, as it is or in one of the encodings of the redactor. Bytes
 * are read as UTF-8, without NULs, so that texts of two and four bytes a character are seen, too.
 */
export async function hasSecret(
  redactor: Redactor,
  { text, file }: { readonly text: string; readonly file: string },
): Promise<boolean> {
  if (redactor.isIdle) return false;
  if (redactor.text(text) !== text) return true;
  const decoder = new TextDecoder();
  const stream = redactor.stream();
  // The text that the redactor has not returned yet; its output must be the beginning of it.
  let waiting = '';
  const isChanged = (piece: string, output: string): boolean => {
    waiting += piece;
    if (!waiting.startsWith(output)) return true;
    waiting = waiting.slice(output.length);
    return false;
  };
  for await (const chunk of createReadStream(file, { highWaterMark: 1024 * 1024 })) {
    const piece = decoder.decode(chunk as Buffer, { stream: true }).replaceAll('\0', ''); // no encoding was set
    if (isChanged(piece, stream.push(piece))) return true;
  }
  const last = decoder.decode().replaceAll('\0', '');
  return isChanged(last, stream.push(last) + stream.end());
}

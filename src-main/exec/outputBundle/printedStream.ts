/** Cuts the printed output of a run to the limit of an output bundle. */

import { type FilePiece, type MadePiece, streamOf } from '../../lib/pieces.ts';
import { omittedText } from '../tailBuffer.ts';

/** The output of a run on one stream: a file when it is long, else its text. */
export type PrintedStream = FilePiece | string;

/** How the text is encoded: unchanged, or as the inside of a JSON string. */
type Encode = (text: string) => string;

export const encodePlain: Encode = (text) => text;
export const encodeInJson: Encode = (text) => JSON.stringify(text).slice(1, -1);

/** An upper bound for the length of the line that says what is missing, in either encoding. */
const NOTICE_BYTES = 96;

/** The encoded length of the whole output. */
export async function encodedBytes(printed: PrintedStream, encode: Encode): Promise<number> {
  let bytes = 0;
  for await (const text of textsOf(printed)) bytes += Buffer.byteLength(encode(text));
  return bytes;
}

/**
 * The whole output when it is within the limit, else its end, after a line that says how much is missing.
 * @param total the result of {@link encodedBytes}
 */
export async function endWithin(
  printed: PrintedStream,
  { encode, total, most }: { readonly encode: Encode; readonly total: number; readonly most: number },
): Promise<MadePiece> {
  if (total <= most) return pieceFrom(printed, { encode, from: 0, bytes: total, notice: '' });
  const cut = await cutAt(printed, { encode, total, most: Math.max(0, most - NOTICE_BYTES) });
  const notice = most < NOTICE_BYTES ? '' : encode(omittedText(cut.dropped));
  const bytes = Buffer.byteLength(notice) + cut.left;
  return pieceFrom(printed, { encode, from: cut.from, bytes, notice });
}

function pieceFrom(
  printed: PrintedStream,
  {
    encode,
    from,
    bytes,
    notice,
  }: {
    readonly encode: Encode;
    /** In UTF-16 units of the text. */
    readonly from: number;
    readonly bytes: number;
    readonly notice: string;
  },
): MadePiece {
  return {
    bytes,
    async *make() {
      if (notice !== '') yield Buffer.from(notice);
      let at = 0;
      for await (const text of textsOf(printed)) {
        const part = text.slice(Math.max(0, from - at));
        at += text.length;
        if (part !== '') yield Buffer.from(encode(part));
      }
    },
  };
}

interface Cut {
  readonly from: number;
  /** UTF-8 bytes before the cut. */
  readonly dropped: number;
  /** Encoded bytes after the cut. */
  readonly left: number;
}

/** The position of the first character from which the rest fits. */
async function cutAt(
  printed: PrintedStream,
  { encode, total, most }: { readonly encode: Encode; readonly total: number; readonly most: number },
): Promise<Cut> {
  let from = 0;
  let droppedBytes = 0;
  let remaining = total;
  for await (const text of textsOf(printed)) {
    const bytes = Buffer.byteLength(encode(text));
    if (remaining - bytes >= most) {
      from += text.length;
      droppedBytes += Buffer.byteLength(text);
      remaining -= bytes;
      continue;
    }
    for (const character of text) {
      if (remaining <= most) break;
      from += character.length;
      droppedBytes += Buffer.byteLength(character);
      remaining -= Buffer.byteLength(encode(character));
    }
    break;
  }
  return { from, dropped: droppedBytes, left: remaining };
}

/** The text in parts that end at whole characters; invalid UTF-8 becomes U+FFFD. */
async function* textsOf(printed: PrintedStream): AsyncGenerator<string> {
  if (typeof printed === 'string') {
    yield printed;
    return;
  }
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  for await (const chunk of streamOf([printed])) yield decoder.decode(chunk as Uint8Array, { stream: true });
  yield decoder.decode();
}

import { type FilePiece, type MadePiece, streamOf } from '../../lib/pieces.ts';
import { leftOut } from '../tailBuffer.ts';

/** What a run printed to one stream: the whole in a file where it is long, else its text. */
export type Printed = FilePiece | string;

/** How the text is written: as it is, or as the inside of a JSON string. */
export type Encode = (text: string) => string;

export const PLAIN: Encode = (text) => text;
export const IN_JSON: Encode = (text) => JSON.stringify(text).slice(1, -1);

/** The line that says what is missing is at most so long, in either way of writing. */
const NOTICE_BYTES = 96;

/** How long the whole is. */
export async function encodedBytes(printed: Printed, encode: Encode): Promise<number> {
  let bytes = 0;
  for await (const text of textsOf(printed)) bytes += Buffer.byteLength(encode(text));
  return bytes;
}

/**
 * The whole where it is within the limit, else the end of it, led by a line that says how much is missing.
 * @param total what {@link encodedBytes} gave
 */
export async function endWithin(
  printed: Printed,
  { encode, total, most }: { readonly encode: Encode; readonly total: number; readonly most: number },
): Promise<MadePiece> {
  if (total <= most) return made(printed, { encode, from: 0, bytes: total, notice: '' });
  const cut = await cutAt(printed, { encode, total, most: Math.max(0, most - NOTICE_BYTES) });
  const notice = most < NOTICE_BYTES ? '' : encode(leftOut(cut.dropped));
  const bytes = Buffer.byteLength(notice) + cut.left;
  return made(printed, { encode, from: cut.from, bytes, notice });
}

function made(
  printed: Printed,
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
        const kept = text.slice(Math.max(0, from - at));
        at += text.length;
        if (kept !== '') yield Buffer.from(encode(kept));
      }
    },
  };
}

interface Cut {
  readonly from: number;
  /** Bytes of UTF-8 before it. */
  readonly dropped: number;
  /** Encoded bytes behind it. */
  readonly left: number;
}

/** The first character from which on the rest fits. */
async function cutAt(
  printed: Printed,
  { encode, total, most }: { readonly encode: Encode; readonly total: number; readonly most: number },
): Promise<Cut> {
  let from = 0;
  let dropped = 0;
  let left = total;
  for await (const text of textsOf(printed)) {
    const bytes = Buffer.byteLength(encode(text));
    if (left - bytes >= most) {
      from += text.length;
      dropped += Buffer.byteLength(text);
      left -= bytes;
      continue;
    }
    for (const character of text) {
      if (left <= most) break;
      from += character.length;
      dropped += Buffer.byteLength(character);
      left -= Buffer.byteLength(encode(character));
    }
    break;
  }
  return { from, dropped, left };
}

/** Whole characters alone, wherever a read ends; what is no UTF-8 becomes U+FFFD. */
async function* textsOf(printed: Printed): AsyncGenerator<string> {
  if (typeof printed === 'string') {
    yield printed;
    return;
  }
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  for await (const chunk of streamOf([printed])) yield decoder.decode(chunk as Uint8Array, { stream: true });
  yield decoder.decode();
}

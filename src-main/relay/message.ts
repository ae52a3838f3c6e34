/** Converts the messages between relay and worker to and from bytes. */

import { type RelayFrame, relayFrame } from '../../src-shared/wire/worker/relay.ts';

/** One parsed message of the socket. */
type RelayMessage =
  | { readonly kind: 'frame'; readonly frame: RelayFrame }
  | { readonly kind: 'chunk'; readonly id: number; readonly bytes: Buffer };

/** The length of the stream's id, which precedes the bytes of a chunk. */
export const ID_BYTES = 4;

/**
 * Parses one message; null for anything outside this protocol, which both ends ignore (docs/spec/relay.md, 1, 2, 5).
 */
export function readMessage(data: Buffer, isBinary: boolean): RelayMessage | null {
  if (isBinary) {
    if (data.length < ID_BYTES) return null;
    const id = data.readUInt32BE(0);
    return id === 0 ? null : { kind: 'chunk', id, bytes: data.subarray(ID_BYTES) };
  }
  const parsed = relayFrame.safeParse(jsonOf(data));
  return parsed.success ? { kind: 'frame', frame: parsed.data } : null;
}

function jsonOf(data: Buffer): unknown {
  try {
    return JSON.parse(data.toString());
  } catch {
    return undefined;
  }
}

export function textOf(frame: RelayFrame): string {
  return JSON.stringify(frame);
}

/**
 * Makes a binary message with the next bytes of a body: at most `most` bytes of `pieces`, in order.
 * @param take returns the buffer to write to
 */
export function chunkOf(
  id: number,
  pieces: readonly Buffer[],
  most: number,
  take: (length: number) => Buffer = Buffer.allocUnsafe,
): Buffer {
  const length = Math.min(
    most,
    pieces.reduce((sum, piece) => sum + piece.length, 0),
  );
  const message = take(ID_BYTES + length);
  message.writeUInt32BE(id, 0);
  let at = ID_BYTES;
  for (const piece of pieces) {
    if (at === message.length) break;
    at += piece.copy(message, at);
  }
  return message;
}

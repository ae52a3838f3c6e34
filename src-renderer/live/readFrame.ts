/** Parses and validates the live frames, the WebSocket messages that the server sends about a notebook. */

import type { ReceivedFrame, ServerFrameType } from '../../src-shared/wire/frames/server.ts';
import { SERVER_FRAMES } from '../../src-shared/wire/frames/server.ts';

type ReadFrame =
  | { readonly kind: 'frame'; readonly frame: ReceivedFrame }
  /** A frame type of a newer server: it is ignored. */
  | { readonly kind: 'unknown'; readonly type: string }
  | { readonly kind: 'unreadable'; readonly where: string };

/** Parses and validates one message of the live protocol; later code trusts its result. */
export function readFrame(text: string): ReadFrame {
  let message: unknown;
  try {
    message = JSON.parse(text);
  } catch (_notJson) {
    return { kind: 'unreadable', where: 'not JSON' };
  }
  if (typeof message !== 'object' || message === null || !('type' in message)) {
    return { kind: 'unreadable', where: 'no type' };
  }
  const type = String(message.type);
  const seq = 'seq' in message && typeof message.seq === 'number' ? message.seq : null;
  const prev = 'prev' in message && typeof message.prev === 'number' ? { prev: message.prev } : {};
  const ts = 'ts' in message && typeof message.ts === 'string' ? message.ts : null;
  if (seq === null || ts === null) return { kind: 'unreadable', where: `${type}: envelope` };
  if (!isServerFrameType(type)) return { kind: 'unknown', type };
  const payload = SERVER_FRAMES[type].payload.safeParse('payload' in message ? message.payload : {});
  if (payload.success) {
    return { kind: 'frame', frame: { type, seq, ...prev, ts, payload: payload.data } as ReceivedFrame }; // parsed by `type`
  }
  const path = payload.error.issues[0]?.path.join('.') ?? '';
  return { kind: 'unreadable', where: `${type}: ${path}` };
}

function isServerFrameType(type: string): type is ServerFrameType {
  return Object.hasOwn(SERVER_FRAMES, type);
}

/** The outer form of a frame that a client sends over the live WebSocket. */

import * as z from 'zod';

/** What a client may send: seq and ts are set by the server (docs/spec/live-protocol.md, 1). */
export const clientEnvelope = z.looseObject({
  type: z.string(),
  payload: z.record(z.string(), z.unknown()).default({}),
});

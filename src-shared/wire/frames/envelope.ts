import * as z from 'zod';

/** What a client may send: seq and ts are set by the server (live-protocol 1). */
export const clientEnvelope = z.looseObject({
  type: z.string(),
  payload: z.record(z.string(), z.unknown()).default({}),
});

/** What the server sends: `seq` counts the session's frames, `ts` is ISO 8601 UTC. */
export interface ServerEnvelope<T extends string = string, P = unknown> {
  readonly type: T;
  readonly seq: number;
  readonly ts: string;
  readonly payload: P;
}

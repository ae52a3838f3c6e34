/**
 * The messages between a relay and a connected worker over one WebSocket (docs/spec/relay.md, 1, 2, 5): JSON text
 * frames, and binary chunks of bodies, each after its stream's id. `read` is an extension, used only if both ends sent
 * RELAY_FLOW_HEADER in the handshake (docs/extensions.md): the number of chunks of a request's body that the worker's
 * app has read since the last such message.
 */
import * as z from 'zod';

export const RELAY_SUBPROTOCOL = 'svc-worker-connect.v1';
/** Lower case; its value is `1`, in the handshake's request and in its reply. */
export const RELAY_FLOW_HEADER = 'x-svc-relay-flow';

/**
 * On a relay's own 502, lower case: `1` if the worker was lost after the request had been forwarded to it.
 */
export const RELAY_LOST_HEADER = 'x-svc-relay-lost';

/** Maximum bytes of a body in one binary message, after its id of 4 bytes. */
export const MAX_CHUNK_BYTES = 1024 * 1024;
/** A longer message, also of text, ends the connection with close code 1009. */
export const MAX_MESSAGE_BYTES = MAX_CHUNK_BYTES + 4;
/** Unread chunks of one request's body, beyond which a worker stops reading its socket. */
export const MAX_UNREAD_CHUNKS = 16;
/** Unread chunks a relay sends if `read` is used: then the socket never needs to be paused. */
export const FLOW_WINDOW_CHUNKS = 12;

const id = z
  .int()
  .min(1)
  .max(2 ** 32 - 1);
const headers = z.array(z.tuple([z.string(), z.string()]));

export const relayFrame = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('request'),
    id,
    method: z.string().default('GET'),
    /** Percent-encoded, without the query. */
    path: z.string().default('/'),
    /** Without its question mark. */
    query: z.string().default(''),
    headers: headers.default([]),
  }),
  z.object({ type: z.literal('end'), id }),
  z.object({ type: z.literal('abort'), id }),
  z.object({
    type: z.literal('response'),
    id,
    status: z.int().min(200).max(599),
    headers: headers.default([]),
  }),
  z.object({ type: z.literal('read'), id, chunks: z.int().min(1).max(MAX_UNREAD_CHUNKS) }),
]);

export type RelayFrame = z.infer<typeof relayFrame>;
/** Names in lower case as sent by a worker; a name may be repeated. */
export type RelayHeaders = readonly (readonly [string, string])[];

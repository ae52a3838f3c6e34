import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';

const heads = new WeakSet<IncomingMessage>();

/**
 * Lets a HEAD find the route of its GET: one tree of routes in place of two. That its answer has no body Node knew
 * before anybody looked at the request.
 */
export function routeHeadAsGet(request: IncomingMessage): void {
  if (request.method !== 'HEAD') return;
  heads.add(request);
  request.method = 'GET';
}

/** From here on it is the HEAD it was: limits, logs and handlers see what was asked. */
export function headAgain(request: IncomingMessage): void {
  if (heads.has(request)) request.method = 'HEAD';
}

/** What is sent of the answer to a HEAD: how long it would be, where that is known, and nothing. */
export function withoutBody(reply: FastifyReply, payload: unknown): null {
  if (typeof payload === 'string' || Buffer.isBuffer(payload)) {
    reply.header('content-length', Buffer.byteLength(payload));
  } else if (payload instanceof Readable) {
    payload.on('error', (err) => reply.log.error({ err }, 'what a HEAD leaves unread did not close'));
    payload.destroy();
  }
  return null;
}

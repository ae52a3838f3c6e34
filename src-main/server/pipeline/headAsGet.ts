/** Serves HEAD requests by the routes of GET, without a body. */

import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';

const heads = new WeakSet<IncomingMessage>();

/**
 * Routes a HEAD like its GET, so that one tree of routes serves both. Node omits the body of the answer by itself,
 * since it knows the original method.
 */
export function routeHeadAsGet(request: IncomingMessage): void {
  if (request.method !== 'HEAD') return;
  heads.add(request);
  request.method = 'GET';
}

/** Restores the method HEAD, so that limits, logs and handlers see the original request. */
export function restoreHead(request: IncomingMessage): void {
  if (heads.has(request)) request.method = 'HEAD';
}

/** The answer to a HEAD: the content length if it is known, and no body. */
export function withoutBody(reply: FastifyReply, payload: unknown): null {
  if (typeof payload === 'string' || Buffer.isBuffer(payload)) {
    reply.header('content-length', Buffer.byteLength(payload));
  } else if (payload instanceof Readable) {
    payload.on('error', (err) => reply.log.error({ err }, 'closing the unread body of a HEAD failed'));
    payload.destroy();
  }
  return null;
}

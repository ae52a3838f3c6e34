/** The id of a request, which its answer and the log show: the client's, or a random one. */

import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** The client's X-Request-ID, else 16 hex digits. */
export function requestId(request: IncomingMessage): string {
  const header = request.headers['x-request-id'];
  return typeof header === 'string' && header !== '' ? header : newRequestId();
}

/** A random request id of 16 hex digits. */
export function newRequestId(): string {
  return randomBytes(8).toString('hex');
}

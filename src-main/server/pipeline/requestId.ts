import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** The client's X-Request-ID, else 16 hex digits. */
export function requestId(request: IncomingMessage): string {
  const header = request.headers['x-request-id'];
  return typeof header === 'string' && header !== '' ? header : newRequestId();
}

export function newRequestId(): string {
  return randomBytes(8).toString('hex');
}

import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** The client's X-Request-ID, else 16 hex digits. */
export function requestId(request: IncomingMessage): string {
  const sent = request.headers['x-request-id'];
  return typeof sent === 'string' && sent !== '' ? sent : newRequestId();
}

export function newRequestId(): string {
  return randomBytes(8).toString('hex');
}

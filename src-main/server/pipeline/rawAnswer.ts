/** Answers on connections for which Node made no response object, such as refused upgrades and malformed requests. */

import type { Duplex } from 'node:stream';

/** Headers of every answer (docs/spec/core-services.md; docs/spec/rest-core.md, 2). */
export function headersOfAll(requestId: string): Readonly<Record<string, string>> {
  return { 'X-Request-ID': requestId, 'X-Content-Type-Options': 'nosniff' };
}

interface RawAnswer {
  /** `400 Bad Request`. */
  readonly status: string;
  readonly requestId: string;
  /** Message for the user; absent: no body. */
  readonly detail?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Answers on a connection that has no response object, and closes it. */
export function answerRaw(socket: Duplex, { status, requestId, detail, headers = {} }: RawAnswer): void {
  const body = detail === undefined ? '' : JSON.stringify({ detail });
  const all: Readonly<Record<string, string | number>> = {
    ...headersOfAll(requestId),
    ...headers,
    ...(body === '' ? {} : { 'Content-Type': 'application/json' }),
    Connection: 'close',
    'Content-Length': Buffer.byteLength(body),
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
  // Node reads and writes headers as latin1: an id that the client sent is returned byte for byte.
  socket.write(`HTTP/1.1 ${status}\r\n${lines.join('\r\n')}\r\n\r\n`, 'latin1');
  socket.end(body);
}

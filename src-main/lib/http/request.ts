/** Sends HTTP requests to other servers: workers, relays and executors of transforms. */

import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** The error for a connection without traffic for the whole waiting time. */
export class IdleTimeout extends Error {}

interface Outgoing {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: { readonly stream: Readable; readonly bytes: number } | Buffer;
  /**
   * The limit for each wait (to connect, to send, for the answer), not for all together
   * (docs/spec/remote-execution.md, 3).
   */
  readonly idleMs: number;
  readonly signal: AbortSignal;
}

/**
 * Sends one request to another server. Redirects are not followed, so that a token is only sent to the given address.
 * The caller reads or destroys the body of the answer.
 * @throws IdleTimeout or a network error; the signal's reason when it was aborted
 */
export async function sendHttpRequest({
  method,
  url,
  headers,
  body,
  idleMs,
  signal,
}: Outgoing): Promise<IncomingMessage> {
  signal.throwIfAborted();
  const target = new URL(url);
  const send = target.protocol === 'https:' ? httpsRequest : httpRequest;
  const bytes = body === undefined ? null : Buffer.isBuffer(body) ? body.length : body.bytes;
  const request = send(target, {
    method,
    signal,
    timeout: idleMs,
    // The other side may close an idle connection just when it is reused; then it is unknown whether the request was
    // processed.
    agent: false,
    headers: { ...headers, ...(bytes === null ? {} : { 'Content-Length': String(bytes) }) },
  });
  const answer = new Promise<IncomingMessage>((resolve, reject) => {
    request.once('response', resolve);
    request.on('timeout', () => request.destroy(new IdleTimeout('the server did not answer in time')));
    request.on('error', (error) => reject(signal.aborted ? signal.reason : error));
  });
  if (body === undefined || Buffer.isBuffer(body)) {
    request.end(body);
    return answer;
  }
  // A server may refuse before it has read everything: then its answer counts, not the failure to send the rest.
  const upload = pipeline(body.stream, request).then(
    () => answer,
    async (error: unknown) => {
      const early = await Promise.race([answer.catch(() => null), afterAMoment()]);
      if (early !== null) return early;
      throw error;
    },
  );
  const first = await Promise.race([answer, upload]);
  upload.catch(() => undefined); // the answer reports the failure, or came before it
  return first;
}

/** How long to wait for an answer when the body could not be sent completely. */
const MOMENT_MS = 500;

function afterAMoment(): Promise<null> {
  return new Promise((resolve) => {
    setTimeout(() => resolve(null), MOMENT_MS).unref();
  });
}

/** The text of an answer, cut at `maxBytes`. */
export async function textOf(answer: IncomingMessage, maxBytes: number): Promise<string> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of answer as AsyncIterable<Buffer>) {
    pieces.push(piece);
    size += piece.length;
    if (size > maxBytes) break;
  }
  return Buffer.concat(pieces).subarray(0, maxBytes).toString('utf8');
}

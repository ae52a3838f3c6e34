import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** Nothing moved on the connection for as long as was waited. */
export class IdleTimeout extends Error {}

export interface Outgoing {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: { readonly stream: Readable; readonly bytes: number } | Buffer;
  /** For each wait (to connect, to be read, to be answered), not for all together (remote-execution 3). */
  readonly idleMs: number;
  readonly signal: AbortSignal;
}

/**
 * One request to a worker; redirects are not followed, a token goes where it was meant to go. The body of the answer
 * is the caller's to read or to destroy.
 * @throws IdleTimeout, or what the network says; the signal's reason where it was aborted
 */
export async function ask({
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
    // A connection that stood idle may be closed by the other side just when it is used: no cell is run twice for it.
    agent: false,
    headers: { ...headers, ...(bytes === null ? {} : { 'Content-Length': String(bytes) }) },
  });
  const answer = new Promise<IncomingMessage>((resolve, reject) => {
    request.once('response', resolve);
    request.on('timeout', () => request.destroy(new IdleTimeout('the worker did not answer in time')));
    request.on('error', (error) => reject(signal.aborted ? signal.reason : error));
  });
  if (body === undefined || Buffer.isBuffer(body)) {
    request.end(body);
    return answer;
  }
  // A worker may refuse before it has read everything: its answer counts, not that the rest could not be sent.
  const sent = pipeline(body.stream, request).then(
    () => answer,
    async (error: unknown) => {
      const early = await Promise.race([answer.catch(() => null), afterAMoment()]);
      if (early !== null) return early;
      throw error;
    },
  );
  const first = await Promise.race([answer, sent]);
  sent.catch(() => undefined); // its failure is told by the answer, or was overtaken by it
  return first;
}

/** How long an answer may still be on its way when a body could not be sent to its end. */
const MOMENT_MS = 500;

function afterAMoment(): Promise<null> {
  return new Promise((resolve) => {
    setTimeout(() => resolve(null), MOMENT_MS).unref();
  });
}

/** The text of an answer, at most `maxBytes` of it; what is longer is cut off. */
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

/** What a text says as JSON; undefined where it is none. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

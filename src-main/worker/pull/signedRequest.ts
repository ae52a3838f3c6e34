import { Agent, request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { WorkerRefusal } from '../refusal.ts';
import type { UrlGuard } from './urlGuard.ts';

export interface SignedRequest {
  readonly url: string;
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Readable | Buffer;
  /** No byte in either direction for so long ends it. */
  readonly idleMs: number;
  readonly signal: AbortSignal;
}

/** What went wrong on the way, in words that show no query: a signed URL is a credential. */
export class SignedProblem extends Error {
  override readonly name = 'SignedProblem';
}

/**
 * One request to a URL somebody sent, by the guard, past every proxy, following no redirect. The answer's body is the
 * caller's to read or destroy.
 * @throws WorkerRefusal 400 by the guard; SignedProblem
 */
export async function sendSigned(guard: UrlGuard, asked: SignedRequest): Promise<IncomingMessage> {
  const url = await guard.check(asked.url);
  const isTls = url.protocol === 'https:';
  // Agents of our own: the shared ones may have learned of a proxy.
  const agent = isTls ? new HttpsAgent({ keepAlive: false }) : new Agent({ keepAlive: false });
  const options: RequestOptions = {
    method: asked.method,
    headers: { 'user-agent': 'svc-worker', accept: '*/*', 'accept-encoding': 'identity', ...asked.headers },
    lookup: guard.lookup,
    agent,
    signal: asked.signal,
    timeout: asked.idleMs,
  };
  guard.checkLiteral(url);
  return new Promise((resolve, reject) => {
    const fail = (error: unknown): void => reject(problemOf(url, error));
    const request = (isTls ? httpsRequest : httpRequest)(url, options);
    request.once('timeout', () => request.destroy(new Error(`no answer within ${asked.idleMs / 1000} s`)));
    request.once('error', fail);
    request.once('response', (response) => {
      response.once('error', () => {}); // Its reader is told; before there is one nobody waits.
      resolve(response);
    });
    const { body } = asked;
    if (body === undefined) request.end();
    else if (Buffer.isBuffer(body)) request.end(body);
    // An answer may come before the body has gone: then the rest of it is nobody's.
    else pipeline(body, request).catch(fail);
  });
}

/** The first 64 KiB of an answer as text. */
export async function textOf(response: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of response) {
    pieces.push(piece as Buffer);
    length += (piece as Buffer).length;
    if (length > 64 * 1024) break;
  }
  return Buffer.concat(pieces).toString('utf8');
}

export function shownUrl(url: URL | string): string {
  const { protocol, host, pathname } = new URL(url);
  return `${protocol}//${host}${pathname}`;
}

function problemOf(url: URL, error: unknown): unknown {
  if (error instanceof WorkerRefusal) return error;
  const words = error instanceof Error ? error.message || String(Reflect.get(error, 'code')) : String(error);
  return new SignedProblem(`${shownUrl(url)}: ${words}`);
}

/** Sends the HTTP requests of a worker to signed URLs, after the URL guard has checked them. */

import { Agent, request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { WorkerRefusal } from '../refusal.ts';
import type { UrlGuard } from './urlGuard.ts';

interface SignedRequest {
  readonly url: string;
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Readable | Buffer;
  /** The request fails after this long without a byte in either direction. */
  readonly idleMs: number;
  readonly signal: AbortSignal;
}

/** The error for a failed request. Its message contains no query, because a signed URL is a credential. */
export class SignedProblem extends Error {
  override readonly name = 'SignedProblem';
}

/**
 * Sends one request to a URL from a client: checked by the guard, without a proxy, following no redirect. The caller
 * must read or destroy the response body.
 * @throws WorkerRefusal 400 from the guard; SignedProblem
 */
export async function sendSigned(guard: UrlGuard, signed: SignedRequest): Promise<IncomingMessage> {
  const url = await guard.check(signed.url);
  const isTls = url.protocol === 'https:';
  // Own agents: the shared ones may be configured with a proxy.
  const agent = isTls ? new HttpsAgent({ keepAlive: false }) : new Agent({ keepAlive: false });
  const requestOptions: RequestOptions = {
    method: signed.method,
    headers: { 'user-agent': 'svc-worker', accept: '*/*', 'accept-encoding': 'identity', ...signed.headers },
    lookup: guard.lookup,
    agent,
    signal: signed.signal,
    timeout: signed.idleMs,
  };
  guard.checkLiteral(url);
  return new Promise((resolve, reject) => {
    const fail = (error: unknown): void => reject(problemOf(url, error));
    const request = (isTls ? httpsRequest : httpRequest)(url, requestOptions);
    request.once('timeout', () => request.destroy(new Error(`no answer within ${signed.idleMs / 1000} s`)));
    request.once('error', fail);
    request.once('response', (response) => {
      response.once('error', () => {}); // The reader of the body gets this error.
      resolve(response);
    });
    const { body } = signed;
    if (body === undefined) request.end();
    else if (Buffer.isBuffer(body)) request.end(body);
    // A response may arrive before the body has been sent; then a failure to send the rest is ignored.
    else pipeline(body, request).catch(fail);
  });
}

/** The first 64 KiB of a response as text. */
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
  const message =
    error instanceof Error ? error.message || String(Reflect.get(error, 'code')) : String(error);
  return new SignedProblem(`${shownUrl(url)}: ${message}`);
}

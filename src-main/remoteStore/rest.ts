/** Sends HTTP requests to the artifact store of another server, and checks its answers. */

import type * as z from 'zod';
import { RemoteStoreProblem } from './remoteStoreProblem.ts';

/** Maximum length of a JSON answer, so that a faulty server cannot fill the memory. */
const MAX_ANSWER_BYTES = 16 * 1024 * 1024;

/** The principal of a request, and the signal that ends it. */
export interface RequestContext {
  /** The authenticated name of the user behind it; null: there is none. */
  readonly principal: string | null;
  readonly signal: AbortSignal;
}

export interface RestOptions {
  readonly url: string;
  /** SVC_NOTEBOOK_REMOTE_STORE_HEADERS. */
  readonly headers: Readonly<Record<string, string>>;
  /** The header that names the caller; null: callers are not named. */
  readonly principalHeader: string | null;
}

export type Method = 'GET' | 'PUT' | 'POST' | 'DELETE' | 'PATCH';

/**
 * Sends a request to the shared store.
 * @throws RemoteStoreProblem if there is no answer, or for a redirect
 */
export async function send(
  { url, headers, principalHeader }: RestOptions,
  request: { readonly method: Method; readonly path: string; readonly body?: unknown },
  { principal, signal }: RequestContext,
): Promise<Response> {
  const { method, path, body } = request;
  const names = principalHeader !== null && principal !== null ? { [principalHeader]: principal } : {};
  const isForm = body === undefined || body instanceof FormData;
  let response: Response;
  try {
    response = await fetch(`${url.replace(/\/+$/, '')}${path}`, {
      method,
      signal,
      // A redirect could send the headers, which may be keys, to another server.
      redirect: 'manual',
      headers: { ...headers, ...names, ...(isForm ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: body instanceof FormData ? body : JSON.stringify(body) }),
    });
  } catch (error) {
    throw new RemoteStoreProblem(
      `The shared store ${shownUrl(url)} is not responding: ${reason(error)}.`,
      null,
      {
        cause: error,
      },
    );
  }
  if (response.status >= 300 && response.status < 400) {
    await response.body?.cancel();
    throw new RemoteStoreProblem(
      `The shared store ${shownUrl(url)} redirects to another address, and keys are not sent there. Set SVC_NOTEBOOK_REMOTE_STORE_URL to the final address.`,
      response.status,
    );
  }
  return response;
}

/**
 * Parses a JSON answer.
 * @throws RemoteStoreProblem if it is not JSON, or too long
 */
export async function jsonOfAnswer(response: Response, url: string): Promise<unknown> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const chunk of response.body ?? []) {
      length += chunk.byteLength;
      if (length > MAX_ANSWER_BYTES) break;
      chunks.push(chunk);
    }
    if (length <= MAX_ANSWER_BYTES) return JSON.parse(Buffer.concat(chunks).toString('utf8')) as unknown;
  } catch (error) {
    const text = `The shared store ${shownUrl(url)} sent a response that cannot be read: ${reason(error)}.`;
    throw new RemoteStoreProblem(text, response.status, { cause: error });
  }
  throw new RemoteStoreProblem(
    `The shared store ${shownUrl(url)} sent a response that is too large.`,
    response.status,
  );
}

/**
 * Validates an answer by the schema of its route.
 * @throws RemoteStoreProblem if it does not match
 */
export function readAs<T>(shape: z.ZodType<T>, answer: unknown, url: string): T {
  const parsed = shape.safeParse(answer);
  if (parsed.success) return parsed.data;
  throw new RemoteStoreProblem(
    `The shared store ${shownUrl(url)} sent a response that this version of Cellar does not support.`,
    200,
  );
}

/** The reason that the store reports; its status if the body is not JSON. */
export async function refusalOf(response: Response, url: string): Promise<RemoteStoreProblem> {
  const body = await jsonOfAnswer(response, url).catch(() => null);
  const detail = typeof body === 'object' && body !== null && 'detail' in body ? body.detail : null;
  const text =
    typeof detail === 'string'
      ? detail
      : typeof detail === 'object' && detail !== null && 'message' in detail
        ? String(detail.message)
        : `status ${response.status}`;
  return new RemoteStoreProblem(
    `The shared store ${shownUrl(url)} refused the request: ${text}`,
    response.status,
  );
}

/** A URL without user name and password. */
export function shownUrl(url: string): string {
  try {
    return new URL(url).origin;
  } catch (_notAnAddress) {
    return 'at an invalid address';
  }
}

function reason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  return cause instanceof Error && cause.message !== '' ? cause.message : error.message;
}

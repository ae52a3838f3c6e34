import type { IncomingHttpHeaders } from 'node:http';

/** What a request's Origin header means for it (rest-core 2). */
export type OriginVerdict =
  /** No browser, or a browser that says nothing: passes, no CORS headers. */
  | { readonly kind: 'none' }
  | { readonly kind: 'allowed'; readonly origin: string }
  | { readonly kind: 'foreign'; readonly origin: string };

export interface OriginHeaders {
  readonly origin: string | undefined;
  readonly host: string | undefined;
}

/** Same origin is http or https plus the Host header, so a TLS proxy in front needs no setting. */
export function judgeOrigin({ origin, host }: OriginHeaders, listed: readonly string[]): OriginVerdict {
  if (origin === undefined || origin === '') return { kind: 'none' };
  const wanted = origin.toLowerCase();
  const own = host === undefined || host === '' ? [] : [`http://${host}`, `https://${host}`];
  const allowed = [...own, ...listed].some((one) => one.toLowerCase().replace(/\/$/, '') === wanted);
  return allowed ? { kind: 'allowed', origin } : { kind: 'foreign', origin };
}

/**
 * Whether a page of another origin asks. Browsers say so also where they send no Origin: for images, scripts and links
 * (Sec-Fetch-Site). Programs that are no browsers send neither.
 */
export function isForeign(headers: IncomingHttpHeaders, listed: readonly string[]): boolean {
  const { kind } = judgeOrigin({ origin: headers.origin, host: headers.host }, listed);
  if (kind !== 'none') return kind === 'foreign';
  const site = headers['sec-fetch-site'];
  return site === 'cross-site' || site === 'same-site';
}

const WRITES = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);

export function isWrite(method: string): boolean {
  return WRITES.has(method);
}

export function originRefusal(origin: string): string {
  return `Cross-origin request from ${origin} is not allowed.`;
}

/** Headers of the answer to an allowed preflight. */
export function preflightHeaders(requestedHeaders: string | undefined): Readonly<Record<string, string>> {
  return {
    'Access-Control-Allow-Methods': 'DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT',
    'Access-Control-Allow-Headers': requestedHeaders || 'content-type',
    'Access-Control-Max-Age': '600',
  };
}

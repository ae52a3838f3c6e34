/** Refuses requests that web pages of other origins send to this server, by the request's Origin header. */

import type { IncomingHttpHeaders } from 'node:http';

/** How a request's Origin header is treated (docs/spec/rest-core.md, 2). */
type OriginVerdict =
  /** Not a browser, or a browser that sent no Origin: passes, without CORS headers. */
  | { readonly kind: 'none' }
  | { readonly kind: 'allowed'; readonly origin: string }
  | { readonly kind: 'foreign'; readonly origin: string };

interface OriginHeaders {
  readonly origin: string | undefined;
  readonly host: string | undefined;
}

/** The same origin is http or https plus the Host header, so a TLS proxy in front needs no setting. */
export function judgeOrigin({ origin, host }: OriginHeaders, listed: readonly string[]): OriginVerdict {
  if (origin === undefined || origin === '') return { kind: 'none' };
  const normalized = origin.toLowerCase();
  const own = host === undefined || host === '' ? [] : [`http://${host}`, `https://${host}`];
  const allowed = [...own, ...listed].some((one) => one.toLowerCase().replace(/\/$/, '') === normalized);
  return allowed ? { kind: 'allowed', origin } : { kind: 'foreign', origin };
}

/**
 * Whether a page of another origin sent the request. For images, scripts and links, browsers send no Origin but
 * Sec-Fetch-Site. Programs that are not browsers send neither.
 */
export function isForeign(headers: IncomingHttpHeaders, listed: readonly string[]): boolean {
  const { kind } = judgeOrigin({ origin: headers.origin, host: headers.host }, listed);
  if (kind !== 'none') return kind === 'foreign';
  const site = headers['sec-fetch-site'];
  return site === 'cross-site' || site === 'same-site';
}

const WRITING_METHODS = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);

/** Whether requests with this method may change something. */
export function isWrite(method: string): boolean {
  return WRITING_METHODS.has(method);
}

/** The message for a request from a foreign web page. */
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

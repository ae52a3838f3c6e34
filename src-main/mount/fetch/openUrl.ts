/** Requests a URL of a `@fetch` line, and checks the IP addresses of every redirect before it connects. */

import { lookup } from 'node:dns';
import type { IncomingMessage, RequestOptions } from 'node:http';
import { isIP, type LookupFunction } from 'node:net';
import { type AddressRules, whyRefused } from './addressRules.ts';

/** The error for a failed fetch, with a message for a user. */
export class FetchProblem extends Error {
  override readonly name = 'FetchProblem';
}

const MAX_REDIRECTS = 5;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

interface OpenOptions {
  readonly rules: AddressRules;
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

/**
 * GETs a URL, follows redirects and returns the final response, whose body the caller must read or destroy.
 * Each hop's host is resolved once, every address is checked, and the connection goes to a checked one.
 * @throws FetchProblem
 */
export async function openUrl(text: string, options: OpenOptions): Promise<IncomingMessage> {
  let url = urlOf(text, 'The URL');
  for (let hops = 0; ; hops += 1) {
    const response = await get(url, options);
    const { statusCode = 0, headers } = response;
    if (!REDIRECTS.has(statusCode) || headers.location === undefined) return response;
    response.destroy();
    if (hops === MAX_REDIRECTS) {
      throw new FetchProblem(`${shownUrl(url)} was redirected more than ${MAX_REDIRECTS} times.`);
    }
    url = urlOf(new URL(headers.location, url).href, `The redirect of ${shownUrl(url)}`);
  }
}

function urlOf(text: string, what: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null) throw new FetchProblem(`${what} cannot be read.`);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new FetchProblem(`${what} leads to ${url.protocol}//, which is neither http nor https.`);
  }
  return url;
}

/** A URL that is safe to show: without user, password, and possible tokens in its query. */
export function shownUrl(url: URL | string): string {
  if (typeof url === 'string' && !URL.canParse(url)) return url;
  const { protocol, host, pathname } = new URL(url);
  return `${protocol}//${host}${pathname}`;
}

async function get(url: URL, { rules, headers, signal }: OpenOptions): Promise<IncomingMessage> {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  // An IP address is not resolved, so it is checked here.
  const refused = isIP(host) === 0 ? null : whyRefused(host, [host], rules);
  if (refused !== null) throw new FetchProblem(refused);
  const options: RequestOptions = {
    headers: { accept: '*/*', 'accept-encoding': 'identity', 'user-agent': 'cellar', ...headers },
    lookup: checkedLookup(rules),
    agent: false,
    signal,
  };
  // Loaded on demand: importing this module loads a WebSocket and a fetch implementation, 11 ms of every
  // server's start.
  const { request: open } = await (url.protocol === 'https:' ? import('node:https') : import('node:http'));
  return new Promise((resolve, reject) => {
    const request = open(url, options);
    request.once('response', resolve);
    request.once('error', (error) => reject(signal.aborted ? signal.reason : problemOf(url, error)));
    request.end();
  });
}

/** Resolves a name, and only returns if every address of it is allowed. */
function checkedLookup(rules: AddressRules): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, addresses) => {
      if (error !== null) return callback(error, '');
      const refused = whyRefused(
        hostname,
        addresses.map(({ address }) => address),
        rules,
      );
      if (refused !== null) return callback(new FetchProblem(refused), '');
      const [first] = addresses;
      if (options.all === true) callback(null, addresses);
      else callback(null, first?.address ?? '', first?.family);
    });
  };
}

export function problemOf(url: URL | string, error: unknown): FetchProblem {
  if (error instanceof FetchProblem) return error;
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const reasons: Readonly<Record<string, string>> = {
    ENOTFOUND: 'host not found',
    EAI_AGAIN: 'the host name could not be resolved',
    ECONNREFUSED: 'connection refused',
    ECONNRESET: 'the connection was interrupted',
    ERR_STREAM_PREMATURE_CLOSE: 'the connection was interrupted before the download was complete',
    ETIMEDOUT: 'the server did not respond',
    EHOSTUNREACH: 'the host cannot be reached',
    ENETUNREACH: 'the network cannot be reached',
  };
  const why = reasons[code] ?? (error instanceof Error ? error.message || code : String(error));
  return new FetchProblem(`${shownUrl(url)} could not be fetched: ${why}.`);
}

/** Chooses the HTTP headers that a relay forwards between a caller and a worker. */

import type { RelayHeaders } from '../../src-shared/wire/worker/relay.ts';

/** Hop-by-hop headers (RFC 9110, 7.6.1), and those that only make sense on a socket. */
const HOP_HEADERS: ReadonlySet<string> = new Set([
  'connection',
  'expect',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** The end-to-end headers, in order, with repeated ones; those named in `Connection` are removed too. */
export function endToEnd(headers: RelayHeaders): RelayHeaders {
  const names = new Set(
    headers
      .filter(([name]) => name.toLowerCase() === 'connection')
      .flatMap(([, value]) => value.split(',').map((part) => part.trim().toLowerCase())),
  );
  return headers.filter(([name]) => !HOP_HEADERS.has(name.toLowerCase()) && !names.has(name.toLowerCase()));
}

/** Converts Node's flat list of names and values to pairs, names in lower case. */
export function pairsOf(rawHeaders: readonly string[]): RelayHeaders {
  const pairs: [string, string][] = [];
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    pairs.push([(rawHeaders[at] ?? '').toLowerCase(), rawHeaders[at + 1] ?? '']);
  }
  return pairs;
}

/** The value of a header that occurs once, null if there is none. */
export function headerIn(headers: RelayHeaders, name: string): string | null {
  return headers.find(([has]) => has.toLowerCase() === name)?.[1] ?? null;
}

/**
 * How many bytes a message's headers announce: null without a length, `wrong` for a repeated or invalid one. A body of
 * another length would be read as the next message of the same connection, by another caller.
 */
export function declaredBytes(headers: RelayHeaders): number | null | 'wrong' {
  const lengths = headers
    .filter(([name]) => name.toLowerCase() === 'content-length')
    .map(([, value]) => value);
  const [only] = lengths;
  if (only === undefined) return null;
  return lengths.length === 1 && /^\d{1,15}$/.test(only) ? Number(only) : 'wrong';
}

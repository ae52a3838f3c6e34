import type { RelayHeaders } from '../../src-shared/wire/worker/relay.ts';

/** Headers of one hop, which say nothing to the next (RFC 9110, 7.6.1), and what only makes sense on a socket. */
const HOP: ReadonlySet<string> = new Set([
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

/** The headers meant for the other end, in their order, repeated ones kept; those `Connection` names go too. */
export function endToEnd(headers: RelayHeaders): RelayHeaders {
  const named = new Set(
    headers
      .filter(([name]) => name.toLowerCase() === 'connection')
      .flatMap(([, value]) => value.split(',').map((part) => part.trim().toLowerCase())),
  );
  return headers.filter(([name]) => !HOP.has(name.toLowerCase()) && !named.has(name.toLowerCase()));
}

/** Node's flat list of names and values as pairs, names in lower case. */
export function pairsOf(rawHeaders: readonly string[]): RelayHeaders {
  const pairs: [string, string][] = [];
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    pairs.push([(rawHeaders[at] ?? '').toLowerCase(), rawHeaders[at + 1] ?? '']);
  }
  return pairs;
}

/** The value of a header that comes once, null where there is none. */
export function headerIn(headers: RelayHeaders, name: string): string | null {
  return headers.find(([has]) => has.toLowerCase() === name)?.[1] ?? null;
}

/**
 * How many bytes a head promises: null where it says nothing, `wrong` where it says it twice or in no number. What does
 * not keep its promise would be read as the next message of the same connection, by somebody else.
 */
export function promisedBytes(headers: RelayHeaders): number | null | 'wrong' {
  const said = headers.filter(([name]) => name.toLowerCase() === 'content-length').map(([, value]) => value);
  const [only] = said;
  if (only === undefined) return null;
  return said.length === 1 && /^\d{1,15}$/.test(only) ? Number(only) : 'wrong';
}

/** Signs the URLs that a worker uses for one build, and checks the signatures when it calls them. */

import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { BAD_QUERY, BAD_SIGNATURE, BuildRefusal } from './buildRefusal.ts';

/**
 * What a signature covers, by operation; `expires_at` is a float, in seconds since the epoch
 * (docs/spec/signed-builds.md, 2).
 */
export type SignedPayload = Readonly<Record<string, string | number>> & {
  readonly op: 'download' | 'upload' | 'log' | 'finalize';
  readonly expires_at: number;
};

/** Renewing a build's lease invalidates the earlier URLs: this part of an upload's URL names the lease. */
export function attemptOf(lease: string): string {
  return createHash('sha256').update(lease).digest('hex').slice(0, 32);
}

/** The text of a lease: `<owner>:<deadline>`. */
export function leaseOf(owner: string, deadlineSeconds: number): string {
  return `${owner}:${floatText(deadlineSeconds)}`;
}

/** A float as it is written in the signed text: shortest form, whole numbers with `.0`. */
function floatText(value: number): string {
  return Number.isInteger(value) && Math.abs(value) < 1e16 ? `${value}.0` : String(value);
}

/** The signature of a payload: URL-safe base64, with padding, of HMAC-SHA256 over the payload with sorted keys. */
export function signatureOf(secret: string, payload: SignedPayload): string {
  return createHmac('sha256', secret)
    .update(signedText(payload))
    .digest('base64')
    .replaceAll('+', '-')
    .replaceAll('/', '_');
}

function signedText(payload: SignedPayload): string {
  const fields = Object.keys(payload)
    .sort()
    .map((key) => {
      const value = payload[key] ?? '';
      if (typeof value === 'string') return `${asciiJson(key)}: ${asciiJson(value)}`;
      return `${asciiJson(key)}: ${key === 'expires_at' ? floatText(value) : value}`;
    });
  return `{${fields.join(', ')}}`;
}

/** Escapes non-ASCII characters as \uXXXX. */
function asciiJson(text: string): string {
  return JSON.stringify(text).replace(
    /[\u007f-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Checks the signature of a request. @throws BuildRefusal 403 for a wrong signature, or an expired one */
export function checkSignature(
  secret: string,
  payload: SignedPayload,
  { signature, nowSeconds }: { readonly signature: string; readonly nowSeconds: number },
): void {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  const isRight = timingSafeEqual(digest(signature), digest(signatureOf(secret, payload)));
  if (!isRight || payload.expires_at < nowSeconds) throw new BuildRefusal(403, BAD_SIGNATURE);
}

/** A query's fields, each at most once; a missing one is refused. */
export type Query = Readonly<Record<string, unknown>>;

/** A field of a query as text. @throws BuildRefusal 400 */
export function textOf(query: Query, key: string): string {
  const value = query[key];
  if (typeof value !== 'string' || value === '') throw new BuildRefusal(400, BAD_QUERY);
  return value;
}

/** A field of a query as a whole number. @throws BuildRefusal 400 */
export function wholeOf(query: Query, key: string): number {
  const text = textOf(query, key);
  const value = Number(text);
  if (!/^\d{1,16}$/.test(text) || !Number.isSafeInteger(value)) throw new BuildRefusal(400, BAD_QUERY);
  return value;
}

/** A field of a query as a float. @throws BuildRefusal 400 */
export function floatOf(query: Query, key: string): number {
  const text = textOf(query, key);
  if (!/^\d{1,15}(\.\d{1,20})?$/.test(text)) throw new BuildRefusal(400, BAD_QUERY);
  return Number(text);
}

/** The query of a URL: the payload without its operation, and the signature. */
export function signedQuery(secret: string, payload: SignedPayload, keys: readonly string[]): string {
  const query = new URLSearchParams();
  for (const key of keys) {
    const value = payload[key];
    if (value === undefined || value === '') continue;
    query.set(key, key === 'expires_at' && typeof value === 'number' ? floatText(value) : String(value));
  }
  query.set('signature', signatureOf(secret, payload));
  return query.toString();
}

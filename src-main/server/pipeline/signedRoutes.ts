/**
 * Routes whose signature is their credential (docs/spec/rest-core.md, 2): workers call them and have no other
 * credential.
 */
const SIGNED: readonly { readonly method: string; readonly path: RegExp }[] = [
  { method: 'GET', path: /^\/v1\/artifacts\/download$/ },
  { method: 'POST', path: /^\/v1\/artifacts\/upload$/ },
  { method: 'POST', path: /^\/v1\/builds\/[^/]+\/(log|finalize)$/ },
];

/** Whether a request is on a signed route; the route itself verifies the signature. */
export function isSignedRequest(method: string, url: string): boolean {
  const at = url.indexOf('?');
  if (at === -1) return false;
  const path = url.slice(0, at);
  if (!SIGNED.some((row) => row.method === method && row.path.test(path))) return false;
  const query = new URLSearchParams(url.slice(at + 1));
  return query.has('signature') && query.has('expires_at');
}

/** The URLs of the server that served this page. */

/**
 * The URL of a REST path on the server that served this page, with a reverse proxy's base path (SVC_PUBLIC_BASE_PATH).
 */
export function restUrl(path: string): URL {
  return new URL(path.replace(/^\//, ''), document.baseURI);
}

/**
 * The URL of the WebSocket of a session.
 * @param role a viewer receives all frames but can only change controls (docs/spec/live-protocol.md, 2)
 */
export function socketUrl(sessionId: string, role: 'editor' | 'viewer' = 'editor'): string {
  const url = restUrl(`/v1/notebooks/ws/${encodeURIComponent(sessionId)}`);
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
  url.hash = '';
  // Frames beyond the specification are sent only to clients that request them.
  url.searchParams.set('extensions', '1');
  if (role === 'viewer') url.searchParams.set('role', role);
  return url.href;
}

/** Addresses of the server this page came from; a reverse proxy's base path is kept (SVC_PUBLIC_BASE_PATH). */
export function restAddress(path: string): URL {
  return new URL(path.replace(/^\//, ''), document.baseURI);
}

/** @param role a viewer is told everything and may move controls, no more (live-protocol 2) */
export function socketAddress(sessionId: string, role: 'editor' | 'viewer' = 'editor'): string {
  const url = restAddress(`/v1/notebooks/ws/${encodeURIComponent(sessionId)}`);
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
  url.hash = '';
  // Frames beyond the specification come only to who asks for them.
  url.searchParams.set('extensions', '1');
  if (role === 'viewer') url.searchParams.set('role', role);
  return url.href;
}

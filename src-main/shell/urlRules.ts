/** Decides which URLs a window of the desktop app may show, request and pass to the system. No I/O. */

/** The server's own origin while it listens on `port`. */
export function originOf(port: number): string {
  return `http://127.0.0.1:${port}`;
}

/** True for pages and files of our own server. Other host names, userinfo and look-alikes do not count. */
export function isOwn(url: string, origin: string): boolean {
  return parsed(url)?.origin === origin;
}

/** True for URLs that use no network, or only our own server: a window may request nothing else. */
export function mayRequest(url: string, origin: string): boolean {
  const to = parsed(url);
  if (to === null) return false;
  if (['data:', 'blob:', 'about:', 'devtools:', 'chrome-extension:'].includes(to.protocol)) return true;
  if (to.protocol === 'ws:') return to.href.startsWith(`${origin.replace('http:', 'ws:')}/`);
  return to.origin === origin;
}

/** The URL to pass to the user's browser or mail program, or null when it must not leave the window. */
export function externalUrl(url: string): string | null {
  const to = parsed(url);
  if (to === null) return null;
  if (to.protocol === 'mailto:') return to.href;
  const web = to.protocol === 'https:' || to.protocol === 'http:';
  return web && to.hostname !== '' ? to.href : null;
}

/** The home page with the dialog for a new notebook. */
export const NEW_NOTEBOOK = Symbol('new notebook');
/** What a window should show: a notebook's folder, the home page (null), or that page with its dialog. */
export type WindowTarget = string | null | typeof NEW_NOTEBOOK;

export function pageUrl(origin: string, path: WindowTarget): string {
  if (path === NEW_NOTEBOOK) return `${origin}/#/new`;
  return path === null ? `${origin}/#/` : `${origin}/#/open?path=${encodeURIComponent(path)}`;
}

/** The notebook folder that a window's URL names, or null on the home page. */
export function notebookOf(url: string): string | null {
  const hash = parsed(url)?.hash ?? '';
  const [place = '', query = ''] = hash.slice(1).split('?', 2);
  if (place !== '/open' && !place.startsWith('/notebook/')) return null;
  return new URLSearchParams(query).get('path');
}

/**
 * The folder of a `cellar://open?path=…` link, or null. Any page may contain such a link, so the user is
 * asked.
 */
export function linkedFolder(url: string): string | null {
  const to = parsed(url);
  if (to === null || to.protocol !== 'cellar:' || to.host !== 'open') return null;
  const path = to.searchParams.get('path');
  return path === null || path === '' || path.includes('\0') ? null : path;
}

function parsed(url: string): URL | null {
  try {
    return new URL(url);
  } catch {
    // An invalid URL, which every caller refuses.
    return null;
  }
}

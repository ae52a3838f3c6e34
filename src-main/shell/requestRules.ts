/** Decides which requests of the desktop app's windows are allowed, and which get the server's launch token. */

import type { Session } from 'electron';
import { LAUNCH_TOKEN_HEADER } from '../../src-shared/shell/handshake.ts';
import { isOwn, mayRequest } from './urlRules.ts';

/** The source of a request, as far as Electron reports it. */
interface Asking {
  readonly url: string;
  /** False inside a frame of the page; null without a frame (navigations, workers). */
  readonly topFrame: boolean | null;
}

/** The files of the frame for active output: the only ones that a frame inside the page may load. */
const FRAME_FILES = ['/outputFrame.html', '/outputFrame.js'];

/**
 * True if a request gets the launch token: from our own page, never from a frame with foreign output, which
 * could otherwise act on the server in the user's name.
 */
export function carriesToken({ url, topFrame }: Asking, origin: string): boolean {
  if (!mayRequest(url, origin)) return false;
  const { pathname, protocol } = new URL(url);
  if (protocol !== 'http:' && protocol !== 'ws:') return false;
  return topFrame !== false || (protocol === 'http:' && FRAME_FILES.includes(pathname));
}

type WebRequest = Pick<Session['webRequest'], 'onBeforeRequest' | 'onBeforeSendHeaders'>;

/**
 * Applies the rules to a session. `origin` is read at every request: a restarted server may have another
 * port.
 */
export function guardRequests(
  webRequest: WebRequest,
  { origin, token }: { readonly origin: () => string | null; readonly token: string },
): void {
  webRequest.onBeforeRequest(({ url }, answer) => {
    const own = origin();
    answer({ cancel: own === null || !mayRequest(url, own) });
  });
  webRequest.onBeforeSendHeaders(({ url, frame, requestHeaders }, answer) => {
    const own = origin();
    const topFrame = frame === undefined || frame === null ? null : frame.parent === null;
    if (own === null || !carriesToken({ url, topFrame }, own)) return answer({ requestHeaders });
    answer({ requestHeaders: { ...requestHeaders, [LAUNCH_TOKEN_HEADER]: token } });
  });
}

/** The permissions of the page itself, never of a frame inside it. Slides of an app are shown in full screen. */
const ALLOWED: ReadonlySet<string> = new Set(['clipboard-sanitized-write', 'fullscreen']);

/** Permissions that pages have by default and must not have here, except those of our own page. */
export function isPermissionAllowed(
  permission: string,
  { requestingUrl, topFrame, origin }: { requestingUrl: string; topFrame: boolean; origin: string | null },
): boolean {
  if (!ALLOWED.has(permission) || !topFrame || origin === null) return false;
  return isOwn(requestingUrl, origin);
}

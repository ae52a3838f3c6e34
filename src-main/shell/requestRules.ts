import type { Session } from 'electron';
import { LAUNCH_TOKEN_HEADER } from '../../src-shared/shell/handshake.ts';
import { isOwn, mayRequest } from './addressRules.ts';

/** Who asks for something, as far as Electron tells. */
export interface Asking {
  readonly url: string;
  /** False inside a frame of the page; null where no frame asks (navigations, workers). */
  readonly topFrame: boolean | null;
}

/** What active output is shown in: the only files a frame inside the page may have. */
const FRAME_FILES = ['/outputFrame.html', '/outputFrame.js'];

/**
 * True where a request gets the launch token: our own page's, never what a frame with somebody else's output asks
 * for, or the output could speak to the server in the person's name.
 */
export function carriesToken({ url, topFrame }: Asking, origin: string): boolean {
  if (!mayRequest(url, origin)) return false;
  const { pathname, protocol } = new URL(url);
  if (protocol !== 'http:' && protocol !== 'ws:') return false;
  return topFrame !== false || (protocol === 'http:' && FRAME_FILES.includes(pathname));
}

type WebRequest = Pick<Session['webRequest'], 'onBeforeRequest' | 'onBeforeSendHeaders'>;

/** Puts the rules on a session. `origin` is asked at every request: a restarted server may listen elsewhere. */
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

/** Permissions a page has by itself elsewhere and must not have here. One is left: writing what a person copies. */
export function mayHave(
  permission: string,
  { requestingUrl, topFrame, origin }: { requestingUrl: string; topFrame: boolean; origin: string | null },
): boolean {
  if (permission !== 'clipboard-sanitized-write' || !topFrame || origin === null) return false;
  return isOwn(requestingUrl, origin);
}

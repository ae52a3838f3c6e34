/** Decides whether a request is for a route that needs no credential. */

import { isSignedRequest } from './signedRoutes.ts';

/** Paths that monitors and readers of publications request, who have no credential (docs/spec/rest-core.md, 2). */
const OPEN_PATHS =
  /^\/(health|health\/ready|health\/dependencies|metrics|metrics\/prometheus|oembed|p\/[^?]+|v1\/publications\/[^/?]+)$/;

/** Dot segments, which later code might resolve to another route. */
const DOT_SEGMENTS = /(^|\/)(\.|%2e){1,2}(\/|$)/i;

/** Whether a route is answered without a credential, and to every user of this machine. */
export function isOpenRequest(method: string, url: string): boolean {
  const isRead = method === 'GET' || method === 'HEAD';
  const path = url.split('?', 1)[0] ?? '';
  return (isRead && OPEN_PATHS.test(path) && !DOT_SEGMENTS.test(path)) || isSignedRequest(method, url);
}

/** The content security policies of the web app's pages and of the document that shows active output. */

import type { Config } from '../../config/variables.ts';

/**
 * The policy of the web app's pages (docs/spec/rest-core.md, 2). Scripts are only our own; Monaco starts its workers
 * from our files and writes style elements and attributes, so inline styles are allowed; figures are data: URLs.
 * `connect-src` also names the URL of the WebSocket, because not every engine lets 'self' include ws:.
 */
export function pagePolicy(host: string | undefined): string {
  const sockets = isHost(host) ? ` ws://${host} wss://${host}` : '';
  return [
    "default-src 'self'",
    "script-src 'self'",
    "worker-src 'self' blob:",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self' data:",
    `connect-src 'self'${sockets}`,
    // An output's frame may not navigate to a document it makes itself, which would have none of our headers.
    "frame-src 'self'",
    "object-src 'none'",
    "base-uri 'self'",
    "form-action 'self'",
  ].join('; ');
}

/**
 * The policy of the document that shows active output: an opaque origin for every embedder, no network, and any script
 * that the output contains. `'self'` has no meaning for an opaque origin, so our one file is named by its full URL,
 * with both schemes: a proxy in front may add https.
 */
export function outputFramePolicy(host: string | undefined, basePath: string): string {
  const address = `${host}${basePath}/outputFrame.js`;
  const ours = isHost(host) ? ` http://${address} https://${address}` : '';
  return [
    'sandbox allow-scripts',
    "default-src 'none'",
    `script-src${ours} 'unsafe-inline' 'unsafe-eval' data: blob:`,
    "style-src 'unsafe-inline' data:",
    'img-src data: blob:',
    'font-src data:',
    'media-src data: blob:',
    'worker-src blob:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
}

/**
 * A content policy does not cover WebRTC, which could send anything anywhere. This header does, and applies to nested
 * documents too. In engines that do not know it, `outputFrame.js` removes WebRTC.
 */
export const OUTPUT_FRAME_NETWORK = '(response-origin)';

/** Whether a Host header is safe in a policy: it must not be able to end a directive. */
function isHost(host: string | undefined): host is string {
  return host !== undefined && /^[\w.\-:[\]]+$/.test(host);
}

/** Which pages may frame ours: appended to the policy of every answer. */
export function frameAncestors(allowed: Config['embedFrameAncestors']): string {
  return allowed.includes('*') ? 'frame-ancestors *' : ['frame-ancestors', "'self'", ...allowed].join(' ');
}

/** The policy of an answer: its own one, if any, and which pages may frame it. */
export function joinPolicies(own: string | undefined, ancestors: string): string {
  return own === undefined || own === '' ? ancestors : `${own}; ${ancestors}`;
}

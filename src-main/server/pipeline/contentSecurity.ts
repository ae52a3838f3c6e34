import type { Config } from '../../config/variables.ts';

/**
 * The policy of the web app's pages (rest-core 2): scripts only of our own; Monaco starts its workers from our
 * own files and writes style elements and attributes, so styles may be inline; figures come as data: addresses.
 * `connect-src` names the socket's address too: not every engine takes 'self' to cover ws:.
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
    // An output's frame may not leave for a document of its own making, which would be sent with no header of ours.
    "frame-src 'self'",
    "object-src 'none'",
    "base-uri 'self'",
    "form-action 'self'",
  ].join('; ');
}

/**
 * The policy of the document that shows active output: an opaque origin, whoever opens it and however, no network,
 * and every script the output brings. `'self'` means nothing to an opaque origin, so the one file of ours is named
 * in full, under either scheme: a proxy in front may speak https for us.
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
 * A content policy says nothing of WebRTC, which would carry anything anywhere; this header does, and goes for the
 * documents inside that document too. Engines that do not know it yet have WebRTC taken away by `outputFrame.js`.
 */
export const OUTPUT_FRAME_NETWORK = '(response-origin)';

/** A Host header goes into a policy only where it can end no directive. */
function isHost(host: string | undefined): host is string {
  return host !== undefined && /^[\w.\-:[\]]+$/.test(host);
}

/** Who may frame us: appended to every answer's own policy. */
export function frameAncestors(allowed: Config['embedFrameAncestors']): string {
  return allowed.includes('*') ? 'frame-ancestors *' : ['frame-ancestors', "'self'", ...allowed].join(' ');
}

export function joinPolicies(own: string | undefined, ancestors: string): string {
  return own === undefined || own === '' ? ancestors : `${own}; ${ancestors}`;
}

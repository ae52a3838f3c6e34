import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { LAUNCH_TOKEN_HEADER } from '../../../src-shared/shell/handshake.ts';

/** Answers whether a request carries the launch token of this server; always true where there is none. */
export type TokenCheck = (headers: IncomingHttpHeaders) => boolean;

/**
 * The check for a server that was started with a launch token (the desktop app's): every HTTP request and every
 * upgrade must carry it in its header, so another program or page on this machine gets nothing by knowing the port.
 * `svc serve` has none unless asked for.
 */
export function createTokenCheck(token: string | null): TokenCheck {
  if (token === null) return () => true;
  const wanted = digest(token);
  return (headers) => {
    const sent = headers[LAUNCH_TOKEN_HEADER];
    // Digests have one length, and comparing them tells nothing about how much was right.
    return typeof sent === 'string' && timingSafeEqual(digest(sent), wanted);
  };
}

export const TOKEN_REFUSAL = 'This server answers the app that started it only.';

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

/** Chooses the mask of the WebSocket frames that a worker sends to a relay (ADR 0009). */

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/**
 * The mask for a relay's URL: null for the WebSocket library's random mask; otherwise a mask of zeros. Masks prevent a
 * proxy from taking chosen bytes for HTTP. Inside TLS and on this machine there is no such proxy, and there the
 * exclusive-or of every byte, done and undone, is half the cost of a large result.
 */
export function frameMask(url: string): ((mask: Buffer) => void) | null {
  const { protocol, hostname } = new URL(url);
  return protocol === 'wss:' || LOOPBACK.test(hostname) ? (mask) => void mask.fill(0) : null;
}

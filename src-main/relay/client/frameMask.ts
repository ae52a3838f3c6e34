const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/**
 * How the frames of a worker are masked (ADR 0009): null as the WebSocket library does it, with chance; else with
 * nothing. A mask keeps bytes that somebody chose from being taken for HTTP by a proxy that reads along. Nobody reads
 * along inside TLS nor on this machine, and there the exclusive-or of every byte, done and undone, is half the price of
 * a large result.
 */
export function frameMask(url: string): ((mask: Buffer) => void) | null {
  const { protocol, hostname } = new URL(url);
  return protocol === 'wss:' || LOOPBACK.test(hostname) ? (mask) => void mask.fill(0) : null;
}

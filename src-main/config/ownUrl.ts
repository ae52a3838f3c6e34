/** Recognizes URLs that lead back to this server, so that the configuration cannot make it call itself. */

import type { Config } from './variables.ts';

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]', '0.0.0.0']);
const DEFAULT_PORTS: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443 };

/** Whether a URL leads back to this server, according to its configuration. */
export function isOwnUrl(url: URL, config: Config): boolean {
  const addresses = [config.publicBaseUrl, config.nodeAdvertisedUrl];
  if (addresses.some((own) => own !== null && URL.canParse(own) && new URL(own).origin === url.origin))
    return true;
  const port = url.port === '' ? DEFAULT_PORTS[url.protocol] : Number(url.port);
  if (port !== config.port) return false;
  const host = url.hostname.toLowerCase();
  return (
    host === config.host.toLowerCase() || host === `[${config.host.toLowerCase()}]` || LOOPBACK.has(host)
  );
}

import { isIP } from 'node:net';
import type { Config } from '../../config/variables.ts';

/** Answers whether a Host header names this server; see rest-core 2. DNS rebinding ends here. */
export type HostCheck = (host: string | undefined) => boolean;

export type HostSettings = Pick<Config, 'deploymentMode' | 'allowedHosts' | 'host'>;

/** Personal servers always check; a service only where SVC_ALLOWED_HOSTS is set. */
export function createHostCheck({ deploymentMode, allowedHosts, host: bindHost }: HostSettings): HostCheck {
  const listed = allowedHosts.map((name) => name.toLowerCase());
  const unchecked = listed.includes('*') || (deploymentMode === 'service' && listed.length === 0);
  const own = bindHost.toLowerCase();
  return (header) => {
    if (unchecked || header === undefined || header === '') return true;
    const name = hostName(header);
    if (name === null) return false;
    if (name === 'localhost' || name.endsWith('.localhost') || name === own || isIP(name) !== 0) return true;
    return listed.some((entry) => matches(name, entry));
  };
}

/** Whether more than one Host was sent: which of them counts, another program on the way may see otherwise (RFC 9112, 3.2). */
export function namesTwoHosts(rawHeaders: readonly string[]): boolean {
  return rawHeaders.filter((text, at) => at % 2 === 0 && text.toLowerCase() === 'host').length > 1;
}

export const TWO_HOSTS = 'The request has several Host headers. Send exactly one.';

export function hostRefusal(header: string): string {
  return `Host '${header}' is not allowed. Add its name to SVC_ALLOWED_HOSTS to serve it.`;
}

/** `.example.org` matches every name below it and the bare domain. */
function matches(name: string, entry: string): boolean {
  return entry.startsWith('.') ? name.endsWith(entry) || name === entry.slice(1) : name === entry;
}

/** The name of a Host header without port, lower case; null when it has no such form. */
function hostName(header: string): string | null {
  const found = /^(?:\[([^\]]+)\]|([^:\s/@]+))(?::\d{1,5})?$/.exec(header);
  const name = found?.[1] ?? found?.[2];
  return name === undefined ? null : name.toLowerCase().replace(/\.$/, '');
}

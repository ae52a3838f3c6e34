/** Refuses requests whose Host header does not name this server, which prevents DNS rebinding. */

import { isIP } from 'node:net';
import type { Config } from '../../config/variables.ts';

/** Whether a Host header names this server (docs/spec/rest-core.md, 2). Prevents DNS rebinding. */
export type HostCheck = (host: string | undefined) => boolean;

type HostSettings = Pick<Config, 'deploymentMode' | 'allowedHosts' | 'host'>;

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

/** Whether more than one Host was sent: programs on the way may disagree about which one counts (RFC 9112, 3.2). */
export function namesTwoHosts(rawHeaders: readonly string[]): boolean {
  return rawHeaders.filter((text, at) => at % 2 === 0 && text.toLowerCase() === 'host').length > 1;
}

export const TWO_HOSTS = 'The request has several Host headers. Send exactly one.';

/** The message for a request with a Host header of another server. */
export function hostRefusal(header: string): string {
  return `Host '${header}' is not allowed. Add its name to SVC_ALLOWED_HOSTS to serve it.`;
}

/** `.example.org` matches the bare domain and every name below it. */
function matches(name: string, entry: string): boolean {
  return entry.startsWith('.') ? name.endsWith(entry) || name === entry.slice(1) : name === entry;
}

/** The name of a Host header without port, in lower case; null if the header is malformed. */
function hostName(header: string): string | null {
  const match = /^(?:\[([^\]]+)\]|([^:\s/@]+))(?::\d{1,5})?$/.exec(header);
  const name = match?.[1] ?? match?.[2];
  return name === undefined ? null : name.toLowerCase().replace(/\.$/, '');
}

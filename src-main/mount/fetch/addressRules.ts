/** Decides which hosts `@fetch` may reach: on a shared server only public IP addresses. */

import { BlockList, isIP, isIPv4 } from 'node:net';

/**
 * The hosts that a fetch may reach: on a personal server all, on a shared one public addresses and the
 * allowed ones.
 */
export interface AddressRules {
  readonly privateAllowed: boolean;
  /** Host names that may be private; a leading dot matches a suffix. */
  readonly allowedHosts: readonly string[];
}

const NOT_PUBLIC = new BlockList();
for (const [network, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const) {
  NOT_PUBLIC.addSubnet(network, bits, 'ipv4');
}
/** Excludes the parts of the global range for documentation, tunnels or protocol assignments. */
for (const [network, bits] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const) {
  NOT_PUBLIC.addSubnet(network, bits, 'ipv6');
}
const GLOBAL = new BlockList();
GLOBAL.addSubnet('2000::', 3, 'ipv6');
const MAPPED = new BlockList();
MAPPED.addSubnet('::ffff:0:0', 96, 'ipv6');

/** Whether an address is on the public internet: not loopback, link-local, private, multicast or reserved. */
export function isPublicAddress(address: string): boolean {
  const plain = address.replace(/%.*$/, '');
  if (isIPv4(plain)) return !NOT_PUBLIC.check(plain, 'ipv4');
  if (isIP(plain) === 0) return false;
  if (MAPPED.check(plain, 'ipv6')) {
    const inner = mappedInner(plain);
    return inner !== null && !NOT_PUBLIC.check(inner, 'ipv4');
  }
  return GLOBAL.check(plain, 'ipv6') && !NOT_PUBLIC.check(plain, 'ipv6');
}

/** The IPv4 address inside `::ffff:…`, in any notation. */
function mappedInner(address: string): string | null {
  const dotted = /:(\d+\.\d+\.\d+\.\d+)$/.exec(address)?.[1];
  if (dotted !== undefined) return dotted;
  const [high, low] = new URL(`http://[${address}]/`).hostname.slice(1, -1).split(':').slice(-2);
  const bits = (Number.parseInt(high ?? '', 16) * 65536 + Number.parseInt(low ?? '', 16)) >>> 0;
  if (Number.isNaN(bits)) return null;
  return [24, 16, 8, 0].map((shift) => (bits >>> shift) & 255).join('.');
}

/**
 * Why a host may not be reached at these addresses, or null. Every address must pass
 * (docs/spec/worker-protocol.md, 5.5).
 */
export function whyRefused(
  host: string,
  addresses: readonly string[],
  { privateAllowed, allowedHosts }: AddressRules,
): string | null {
  if (privateAllowed || allowedHosts.some((rule) => matches(host, rule))) return null;
  const hidden = addresses.find((address) => !isPublicAddress(address));
  if (hidden === undefined) return null;
  return `${host} is not on the public internet (${hidden}). A shared server can reach such hosts only if they are listed in SVC_NOTEBOOK_FETCH_ALLOWED_HOSTS.`;
}

function matches(host: string, rule: string): boolean {
  const name = host.toLowerCase();
  const pattern = rule.trim().toLowerCase();
  return pattern.startsWith('.') ? name.endsWith(pattern) || name === pattern.slice(1) : name === pattern;
}

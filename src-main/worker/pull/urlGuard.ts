/** Checks the URLs that a client sends to a worker, so that they cannot reach hosts of the worker's own network. */

import { lookup as systemLookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { isPublicAddress } from '../../mount/fetch/addressRules.ts';
import { WorkerRefusal } from '../refusal.ts';

export interface GuardOptions {
  /** SVC_WORKER_ALLOW_LOCAL_HOSTS. */
  readonly allowLocalHosts: boolean;
  /** SVC_WORKER_ALLOWED_HOSTS; a leading dot matches a suffix and the bare domain. */
  readonly allowedHosts: readonly string[];
  /** Resolves a host name. Default: the system's lookup. */
  readonly resolve?: (
    host: string,
  ) => Promise<readonly { readonly address: string; readonly family: number }[]>;
}

/**
 * Checks the URLs that clients send to a worker (docs/spec/worker-protocol.md, 5.5): only http and https, and only
 * public IP addresses. A host is resolved once per connection, all its addresses are checked, and the connection uses a
 * checked one, so that a host whose address changes between check and connection is refused too.
 */
export interface UrlGuard {
  /**
   * Resolves and checks a URL before it is used. `isNeeded`: a host that has no address now is refused too, because the
   * result of the run would be lost.
   * @throws WorkerRefusal 400; 502 if a needed host cannot be looked up at the moment
   */
  check(text: string, how?: { readonly isNeeded: boolean }): Promise<URL>;
  /** The lookup for the connection. Fails with a {@link WorkerRefusal}. */
  readonly lookup: LookupFunction;
  /** Checks a host that is an address, for which no lookup happens. @throws WorkerRefusal 400 */
  readonly checkLiteral: (url: URL) => void;
}

export function createUrlGuard(options: GuardOptions): UrlGuard {
  const resolve = options.resolve ?? systemResolve;
  const refusalOf = (host: string, addresses: readonly string[]): WorkerRefusal | null => {
    if (options.allowLocalHosts || isAllowed(host, options.allowedHosts)) return null;
    const hidden = addresses.find((address) => !isPublicAddress(address));
    if (hidden === undefined && addresses.length > 0) return null;
    const why =
      hidden === undefined ? 'has no address' : `resolves to ${hidden}, which is not a public address`;
    return new WorkerRefusal(
      400,
      `URL refused: ${host} ${why}. To allow it, add it to SVC_WORKER_ALLOWED_HOSTS, or set SVC_WORKER_ALLOW_LOCAL_HOSTS=1 to allow all hosts.`,
    );
  };
  const checkLiteral = (url: URL): void => {
    const host = hostOf(url);
    const refusal = isIP(host) === 0 ? null : refusalOf(host, [host]);
    if (refusal !== null) throw refusal;
  };
  return {
    async check(text, { isNeeded } = { isNeeded: false }) {
      const url = URL.canParse(text) ? new URL(text) : null;
      if (url === null) throw new WorkerRefusal(400, 'URL refused: it cannot be read');
      if (url.protocol !== 'http:' && url.protocol !== 'https:') {
        throw new WorkerRefusal(
          400,
          `URL refused: its scheme is ${url.protocol.slice(0, -1)}, not http or https`,
        );
      }
      const host = hostOf(url);
      if (host === '') throw new WorkerRefusal(400, 'URL refused: it has no host');
      const isExempt = options.allowLocalHosts || isAllowed(host, options.allowedHosts);
      if (isIP(host) !== 0) checkLiteral(url);
      else if (isNeeded || !isExempt) {
        const addresses = await resolve(host).catch((error: unknown) => {
          if (isNeeded) throw unresolved(host, error);
          // An unknown name is reported when it is used: it may be a failure of the network, not of the client.
          return null;
        });
        if (isNeeded && addresses?.length === 0) throw unresolved(host, null);
        const refusal =
          addresses === null
            ? null
            : refusalOf(
                host,
                addresses.map(({ address }) => address),
              );
        if (refusal !== null) throw refusal;
      }
      return url;
    },
    checkLiteral,
    lookup(hostname, lookupOptions, callback) {
      resolve(hostname).then(
        (addresses) => {
          const { family: requestedFamily } = lookupOptions;
          const wantedFamily = requestedFamily === 4 || requestedFamily === 6 ? requestedFamily : null;
          const refusal = refusalOf(
            hostname,
            addresses.map(({ address }) => address),
          );
          if (refusal !== null) return callback(refusal, '');
          const matches = addresses.filter(({ family }) => wantedFamily === null || family === wantedFamily);
          if (lookupOptions.all === true) return callback(null, [...matches]);
          const [first] = matches;
          if (first === undefined) return callback(new Error(`${hostname} has no address`), '');
          callback(null, first.address, first.family);
        },
        (error: Error) => callback(error, ''),
      );
    },
  };
}

/**
 * The refusal for a host without an IP address: 400 if the name does not exist; 502 if the lookup failed, which is not
 * the client's fault.
 */
function unresolved(host: string, error: unknown): WorkerRefusal {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (error === null || code === 'ENOTFOUND') {
    return new WorkerRefusal(400, `URL refused: ${host} has no address. Nothing was run.`);
  }
  return new WorkerRefusal(
    502,
    `${host} cannot be looked up now (${code || 'lookup failed'}). Nothing was run; try again.`,
  );
}

function hostOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
}

function isAllowed(host: string, rules: readonly string[]): boolean {
  const name = host.toLowerCase();
  return rules.some((rule) => {
    const suffix = rule.trim().toLowerCase();
    if (suffix === '') return false;
    return suffix.startsWith('.') ? name.endsWith(suffix) || name === suffix.slice(1) : name === suffix;
  });
}

function systemResolve(
  host: string,
): Promise<readonly { readonly address: string; readonly family: number }[]> {
  return new Promise((done, fail) => {
    systemLookup(host, { all: true }, (error, addresses) => (error === null ? done(addresses) : fail(error)));
  });
}

import { lookup as systemLookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { isPublicAddress } from '../../mount/fetch/addressRules.ts';
import { WorkerRefusal } from '../refusal.ts';

export interface GuardOptions {
  /** SVC_WORKER_ALLOW_LOCAL_HOSTS. */
  readonly allowLocalHosts: boolean;
  /** SVC_WORKER_ALLOWED_HOSTS; a leading dot matches a suffix and the bare domain. */
  readonly allowedHosts: readonly string[];
  /** How names become addresses; a test's stand-in answers what it likes. */
  readonly resolve?: (
    host: string,
  ) => Promise<readonly { readonly address: string; readonly family: number }[]>;
}

/**
 * Which addresses a worker goes to for somebody else (worker-protocol 5.5): http and https, and none but public
 * ones. A host is resolved once for each connection, every address of it is checked, and the connection goes to a
 * checked one, so that a name that changes its mind meanwhile leads nowhere.
 */
export interface UrlGuard {
  /**
   * Resolves and checks, before anything is done. `isNeeded`: a host that has no address now is refused too, because the
   * run would be lost at its end.
   * @throws WorkerRefusal 400; 502 for a needed host that cannot be looked up for now
   */
  check(text: string, how?: { readonly isNeeded: boolean }): Promise<URL>;
  /** For the connection itself. Fails with a {@link WorkerRefusal}. */
  readonly lookup: LookupFunction;
  /** Of a host that is an address, which no lookup sees. @throws WorkerRefusal 400 */
  readonly checkLiteral: (url: URL) => void;
}

export function createUrlGuard(options: GuardOptions): UrlGuard {
  const resolve = options.resolve ?? systemResolve;
  const whyRefused = (host: string, addresses: readonly string[]): WorkerRefusal | null => {
    if (options.allowLocalHosts || isAllowed(host, options.allowedHosts)) return null;
    const hidden = addresses.find((address) => !isPublicAddress(address));
    if (hidden === undefined && addresses.length > 0) return null;
    const why =
      hidden === undefined ? 'has no address' : `resolves to ${hidden}, which is not a public address`;
    return new WorkerRefusal(
      400,
      `URL refused: ${host} ${why}. SVC_WORKER_ALLOWED_HOSTS names hosts of one's own, SVC_WORKER_ALLOW_LOCAL_HOSTS=1 allows all.`,
    );
  };
  const checkLiteral = (url: URL): void => {
    const host = hostOf(url);
    const refused = isIP(host) === 0 ? null : whyRefused(host, [host]);
    if (refused !== null) throw refused;
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
        const found = await resolve(host).catch((error: unknown) => {
          if (isNeeded) throw unresolved(host, error);
          // A name that is not known now is told when it is needed: that is the network's failure, not the sender's.
          return null;
        });
        if (isNeeded && found?.length === 0) throw unresolved(host, null);
        const refused =
          found === null
            ? null
            : whyRefused(
                host,
                found.map(({ address }) => address),
              );
        if (refused !== null) throw refused;
      }
      return url;
    },
    checkLiteral,
    lookup(hostname, asked, callback) {
      resolve(hostname).then(
        (found) => {
          const wanted = asked.family === 4 || asked.family === 6 ? asked.family : null;
          const refused = whyRefused(
            hostname,
            found.map(({ address }) => address),
          );
          if (refused !== null) return callback(refused, '');
          const fitting = found.filter(({ family }) => wanted === null || family === wanted);
          if (asked.all === true) return callback(null, [...fitting]);
          const [first] = fitting;
          if (first === undefined) return callback(new Error(`${hostname} has no address`), '');
          callback(null, first.address, first.family);
        },
        (error: Error) => callback(error, ''),
      );
    },
  };
}

/** There is no such name, or it cannot be known for now: then the sender did nothing wrong. */
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
    const wanted = rule.trim().toLowerCase();
    if (wanted === '') return false;
    return wanted.startsWith('.') ? name.endsWith(wanted) || name === wanted.slice(1) : name === wanted;
  });
}

function systemResolve(
  host: string,
): Promise<readonly { readonly address: string; readonly family: number }[]> {
  return new Promise((done, fail) => {
    systemLookup(host, { all: true }, (error, addresses) => (error === null ? done(addresses) : fail(error)));
  });
}

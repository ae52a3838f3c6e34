/**
 * Limits how many requests the HTTP API accepts per second: from all clients, from each client, and for costly
 * endpoints.
 */

import type { Config } from '../../config/variables.ts';

type LimitType = 'global' | 'client' | 'endpoint';

type Verdict =
  | { readonly kind: 'passed'; readonly remaining: number }
  | { readonly kind: 'exempt' }
  | { readonly kind: 'refused'; readonly limit: LimitType; readonly retryAfterSeconds: number };

/** The properties of a request by which it is limited. */
export interface RateLimitedRequest {
  readonly method: string;
  /** Path without query. */
  readonly path: string;
  /** First X-Forwarded-For entry, else the socket's address. */
  readonly client: string;
}

export type RateLimitSettings = Pick<
  Config,
  | 'rateLimitEnabled'
  | 'rateLimitGlobalRps'
  | 'rateLimitGlobalBurst'
  | 'rateLimitClientRps'
  | 'rateLimitClientBurst'
  | 'rateLimitScanRps'
  | 'rateLimitWarmRps'
>;

interface Bucket {
  tokens: number;
  atMs: number;
}

interface Rate {
  readonly perSecond: number;
  readonly burst: number;
}

const IDLE_MS = 300_000;
const MAX_CLIENTS = 10_000;
const EXEMPT = new Set(['/v1/debug/pools', '/v1/debug/memory']);

/**
 * Token buckets, full at start: one for all callers together, one for each client, and stricter ones for a few costly
 * endpoints (docs/spec/rest-core.md, 8). Only /v1 is limited, so that a page with thirty assets does not count as
 * thirty requests. A refusal takes no token from any bucket. Clients are forgotten after 300 s, and the longest idle
 * ones beyond 10,000.
 */
export class RateLimiter {
  readonly #settings: RateLimitSettings;
  readonly #nowMs: () => number;
  readonly #global: Bucket;
  readonly #clients = new Map<string, Bucket>();
  readonly #endpoints = new Map<string, Bucket>();

  constructor(settings: RateLimitSettings, nowMs: () => number = () => performance.now()) {
    this.#settings = settings;
    this.#nowMs = nowMs;
    this.#global = { tokens: settings.rateLimitGlobalBurst, atMs: nowMs() };
  }

  get trackedClients(): number {
    return this.#clients.size;
  }

  check(request: RateLimitedRequest): Verdict {
    const s = this.#settings;
    if (!s.rateLimitEnabled || !request.path.startsWith('/v1/') || EXEMPT.has(request.path))
      return { kind: 'exempt' };
    const now = this.#nowMs();
    const perClient: Rate = { perSecond: s.rateLimitClientRps, burst: s.rateLimitClientBurst };
    const client = this.#client(request.client, { now, burst: perClient.burst });
    const tiers: [LimitType, Bucket, Rate][] = [
      ['global', this.#global, { perSecond: s.rateLimitGlobalRps, burst: s.rateLimitGlobalBurst }],
      ['client', client, perClient],
    ];
    const endpoint = this.#endpointOf(request);
    if (endpoint !== null) tiers.push(['endpoint', this.#endpoint(endpoint, now), endpoint.rate]);
    for (const [limit, bucket, rate] of tiers) {
      refill(bucket, rate, now);
      if (bucket.tokens >= 1) continue;
      const seconds = (1 - bucket.tokens) / rate.perSecond;
      return { kind: 'refused', limit, retryAfterSeconds: Math.max(1, Math.ceil(seconds)) };
    }
    for (const [, bucket] of tiers) bucket.tokens -= 1;
    return { kind: 'passed', remaining: Math.floor(client.tokens) };
  }

  /** The map is in order of last use, so the oldest clients come first. */
  #client(name: string, { now, burst }: { now: number; burst: number }): Bucket {
    const bucket = this.#clients.get(name) ?? { tokens: burst, atMs: now };
    this.#clients.delete(name);
    this.#clients.set(name, bucket);
    for (const [oldest, { atMs }] of this.#clients) {
      if (now - atMs <= IDLE_MS && this.#clients.size <= MAX_CLIENTS) break;
      this.#clients.delete(oldest);
    }
    return bucket;
  }

  #endpointOf({ method, path }: RateLimitedRequest): { readonly key: string; readonly rate: Rate } | null {
    if (method === 'POST' && (path === '/v1/materialize' || path === '/v1/scan')) {
      return { key: path, rate: { perSecond: this.#settings.rateLimitScanRps, burst: 10 } };
    }
    if (path === '/v1/cache/warm' || path.startsWith('/v1/cache/warm/')) {
      return { key: '/v1/cache/warm', rate: { perSecond: this.#settings.rateLimitWarmRps, burst: 5 } };
    }
    return null;
  }

  #endpoint({ key, rate }: { key: string; rate: Rate }, now: number): Bucket {
    const bucket = this.#endpoints.get(key) ?? { tokens: rate.burst, atMs: now };
    this.#endpoints.set(key, bucket);
    return bucket;
  }
}

function refill(bucket: Bucket, { perSecond, burst }: Rate, now: number): void {
  bucket.tokens = Math.min(burst, bucket.tokens + ((now - bucket.atMs) / 1000) * perSecond);
  bucket.atMs = now;
}

/** The message for a request beyond a limit. */
export function limitRefusal(limit: LimitType, retryAfterSeconds: number): string {
  return `Rate limit exceeded (${limit}). Retry after ${retryAfterSeconds}s.`;
}

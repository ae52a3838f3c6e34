/**
 * The checks that every request passes, each as a function: base path, Host and Origin, content security
 * policies, and the rate limit.
 */

import { describe, expect, it } from 'vitest';
import { withoutBasePath } from './basePath.ts';
import { frameAncestors, joinPolicies, outputFramePolicy, pagePolicy } from './contentSecurity.ts';
import { createHostCheck } from './hostCheck.ts';
import { judgeOrigin } from './originGuard.ts';
import { type RateLimitedRequest, RateLimiter, type RateLimitSettings } from './rateLimit.ts';

describe('public base path', () => {
  it.each([
    ['/nb/v1/x?q', '/nb', '/v1/x?q'],
    ['/nb', '/nb', '/'],
    ['/nb?q=1', '/nb', '/?q=1'],
    ['/nbx/v1', '/nb', '/nbx/v1'],
    ['/v1/x', '/nb', '/v1/x'],
    ['/v1/x', '', '/v1/x'],
  ])('%s under %s is %s', (url, basePath, is) => expect(withoutBasePath(url, basePath)).toBe(is));
});

describe('[RE-8] Host check', () => {
  const personal = createHostCheck({
    deploymentMode: 'personal',
    allowedHosts: ['nb.example', '.lab.example'],
    host: 'me',
  });
  it.each<readonly [string | undefined, boolean]>([
    [undefined, true],
    ['', true],
    ['localhost', true],
    ['LOCALHOST:8765', true],
    ['app.localhost:1', true],
    ['127.0.0.1:8765', true],
    ['192.168.1.7', true],
    ['[::1]:8765', true],
    ['me', true],
    ['nb.example:443', true],
    ['x.nb.example', false],
    ['a.lab.example', true],
    ['lab.example.', true],
    ['evillab.example', false],
    ['evil.example', false],
    ['127.0.0.1.evil.example', false],
    ['evil.example@localhost', false],
    ['local host', false],
    ['localhost:port', false],
  ])('%s → %s', (host, passes) => expect(personal(host)).toBe(passes));

  it.each([
    [['*'], 'personal', true],
    [[], 'service', true],
    [['a.example'], 'service', false],
  ] as const)('%j in %s mode accepts any host: %s', (allowedHosts, deploymentMode, passes) => {
    expect(createHostCheck({ deploymentMode, allowedHosts, host: '127.0.0.1' })('evil.example')).toBe(passes);
  });
});

describe('[RE-9] Origin', () => {
  it.each([
    [undefined, 'a:1', 'none'],
    ['http://a:1', 'a:1', 'allowed'],
    ['https://a:1', 'a:1', 'allowed'],
    ['HTTP://A:1', 'a:1', 'allowed'],
    ['http://a:2', 'a:1', 'foreign'],
    ['http://a', 'a:1', 'foreign'],
    ['null', 'a:1', 'foreign'],
    ['https://listed.example', 'a:1', 'allowed'],
    ['http://listed.example', 'a:1', 'foreign'],
    ['http://undefined', undefined, 'foreign'],
  ])('%s at %s is %s', (origin, host, kind) => {
    expect(judgeOrigin({ origin, host }, ['https://listed.example/']).kind).toBe(kind);
  });
});

describe('content security', () => {
  it.each([
    [[], "frame-ancestors 'self'"],
    [['https://a'], "frame-ancestors 'self' https://a"],
    [['https://a', '*'], 'frame-ancestors *'],
  ])('%j', (allowed, is) => expect(frameAncestors(allowed)).toBe(is));

  it('keeps the specified parts of a page and appends a route’s own policy', () => {
    const policy = pagePolicy('127.0.0.1:1');
    for (const part of ["script-src 'self'", "object-src 'none'", "base-uri 'self'", 'ws://127.0.0.1:1']) {
      expect(policy.split('; ').some((line) => line.includes(part))).toBe(true);
    }
    expect(pagePolicy("x; script-src 'unsafe-inline'")).not.toContain("unsafe-inline'; s");
    expect(pagePolicy('x; y')).not.toContain('x; y');
    expect(outputFramePolicy('x; y', '/base')).not.toContain('x; y');
    expect(outputFramePolicy('h:1', '/base')).toContain(' http://h:1/base/outputFrame.js ');
    expect(joinPolicies('sandbox', 'b')).toBe('sandbox; b');
    expect(joinPolicies(undefined, 'b')).toBe('b');
  });
});

describe('[RE-10] rate limit', () => {
  const DEFAULTS: RateLimitSettings = {
    rateLimitEnabled: true,
    rateLimitGlobalRps: 1000,
    rateLimitGlobalBurst: 100,
    rateLimitClientRps: 100,
    rateLimitClientBurst: 20,
    rateLimitScanRps: 50,
    rateLimitWarmRps: 10,
  };
  const get = (client: string): RateLimitedRequest => ({
    method: 'GET',
    path: '/v1/notebooks/config',
    client,
  });

  function limiter(settings: Partial<RateLimitSettings> = {}) {
    const clock = { ms: 0 };
    const limit = new RateLimiter({ ...DEFAULTS, ...settings }, () => clock.ms);
    const passed = (request: RateLimitedRequest, times: number) =>
      Array.from({ length: times }, () => limit.check(request)).filter(({ kind }) => kind === 'passed')
        .length;
    return { limit, clock, passed };
  }

  it('allows a client a burst of 20, then 100 per second, and reports the rest', () => {
    const { limit, clock, passed } = limiter();
    expect(limit.check(get('a'))).toEqual({ kind: 'passed', remaining: 19 });
    expect(passed(get('a'), 30)).toBe(19);
    expect(limit.check(get('a'))).toEqual({ kind: 'refused', limit: 'client', retryAfterSeconds: 1 });
    clock.ms += 50;
    expect(passed(get('a'), 30)).toBe(5);
    clock.ms += 60_000;
    expect(passed(get('a'), 30)).toBe(20);
  });

  it('allows all clients a total burst of 100; a refusal does not reduce the limits of others', () => {
    const { limit, passed } = limiter();
    expect(passed(get('greedy'), 500)).toBe(20);
    for (const name of ['b', 'c', 'd', 'e']) expect(passed(get(name), 20)).toBe(20);
    expect(limit.check(get('f'))).toEqual({ kind: 'refused', limit: 'global', retryAfterSeconds: 1 });
  });

  it.each([
    ['POST', '/v1/scan', 10],
    ['POST', '/v1/materialize', 10],
    ['GET', '/v1/materialize', 20],
    ['POST', '/v1/cache/warm/x', 5],
    ['POST', '/v1/cache/warmth', 20],
  ])('%s %s passes %d times', (method, path, times) => {
    expect(limiter().passed({ method, path, client: 'a' }, 40)).toBe(times);
  });

  it('reports the waiting time in whole seconds', () => {
    const { limit, passed } = limiter({ rateLimitClientRps: 0.25, rateLimitClientBurst: 1 });
    expect(passed(get('a'), 1)).toBe(1);
    expect(limit.check(get('a'))).toEqual({ kind: 'refused', limit: 'client', retryAfterSeconds: 4 });
  });

  it.each([
    '/health',
    '/metrics',
    '/',
    '/assets/x.js',
    '/v1/debug/pools',
    '/v1/debug/memory',
    '/openapi.json',
  ])('%s is exempt', (path) =>
    expect(limiter().limit.check({ method: 'GET', path, client: 'a' })).toEqual({ kind: 'exempt' }),
  );

  it('exempts everything when disabled', () => {
    expect(limiter({ rateLimitEnabled: false }).limit.check(get('a'))).toEqual({ kind: 'exempt' });
  });

  it('forgets clients after 300 s and has at most 10,000', () => {
    const { limit, clock } = limiter({ rateLimitGlobalBurst: 1e9 });
    for (let i = 0; i < 10_050; i += 1) limit.check(get(`c${i}`));
    expect(limit.trackedClients).toBe(10_000);
    clock.ms += 300_001;
    limit.check(get('new'));
    expect(limit.trackedClients).toBe(1);
  });
});

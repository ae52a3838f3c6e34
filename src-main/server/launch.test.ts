/**
 * Who may use a personal server: launch tickets and their cookie, other users of the machine, open routes,
 * and limits for foreign pages.
 */

import { afterEach, expect, it } from 'vitest';
import { LAUNCH_TOKEN_HEADER } from '../../src-shared/shell/handshake.ts';
import { PeerUsers } from '../lib/peerUser.ts';
import { LaunchTickets } from './pipeline/launchToken.ts';
import { isOpenRequest } from './pipeline/openRoutes.ts';
import { rawRequest as raw } from './testing/rawRequest.ts';
import { startTestServer, type TestServer, type TestServerOptions } from './testing/testServer.ts';

const TOKEN = 't'.repeat(43);
const CONFIG = '/v1/notebooks/config';
const servers: TestServer[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

async function serve(options: TestServerOptions): Promise<TestServer> {
  const server = await startTestServer(options);
  servers.push(server);
  return server;
}

async function withTickets(basePath = '') {
  const fresh: string[] = [];
  const server = await serve({
    config: { publicBasePath: basePath },
    start: { launchToken: TOKEN, onTicketSpent: (url) => fresh.push(url) },
  });
  const ticketUrl = new URL(server.ticketUrl());
  const open = (url: URL, headers: Record<string, string> = {}) =>
    server.fetch(`${url.pathname}${url.search}`, { headers });
  return { server, fresh, shown: ticketUrl, open };
}

it.each(['', '/nb'])(
  '[SG-67] a ticket is exchanged once for a cookie, which opens every route (base path "%s")',
  async (base) => {
    const { server, fresh, shown, open } = await withTickets(base);
    expect((await server.fetch(`${base}${CONFIG}`)).status).toBe(401);
    expect((await server.fetch(`${base}/`)).status).toBe(401);
    const first = await open(shown);
    expect(first.status).toBe(200);
    const cookie = first.headers.get('set-cookie') ?? '';
    expect(cookie).toMatch(
      new RegExp(`^svc_launch_${server.port}=[\\w-]{43}; Path=${base}/; HttpOnly; SameSite=Strict$`),
    );
    expect(cookie).not.toContain(TOKEN);
    expect(await first.text()).not.toContain(shown.searchParams.get('ticket'));
    expect(first.headers.get('cache-control')).toBe('no-store');
    const [pair = ''] = cookie.split(';');
    expect((await server.fetch(`${base}${CONFIG}`, { headers: { cookie: `a=b; ${pair}` } })).status).toBe(
      200,
    );
    // A second browser with the same address is refused; the starter of the server gets a new ticket.
    const second = await open(shown);
    expect([second.status, second.headers.get('set-cookie')]).toEqual([401, null]);
    expect(fresh.length).toBe(1);
    expect((await open(new URL(fresh[0] ?? ''))).headers.get('set-cookie')).toBe(cookie);
    // The first browser can open it again from its history.
    expect((await open(shown, { cookie: pair })).status).toBe(200);
    expect(fresh.length).toBe(1);
  },
);

it.each([
  ['no cookie', (_: string, __: number) => ''],
  ['another value', (_: string, port: number) => `svc_launch_${port}=${'x'.repeat(43)}`],
  ['the token as a cookie', (_: string, port: number) => `svc_launch_${port}=${TOKEN}`],
  ['the cookie of another port', (value: string, port: number) => `svc_launch_${port + 1}=${value}`],
  ['a cookie cut short', (value: string, port: number) => `svc_launch_${port}=${value.slice(1)}`],
  ['an empty cookie', (_: string, port: number) => `svc_launch_${port}=`],
])('[SG-67] %s opens nothing', async (_name, cookieOf) => {
  const { server, shown, open } = await withTickets();
  const value = /=([\w-]+);/.exec((await open(shown)).headers.get('set-cookie') ?? '')?.[1] ?? '';
  const headers = { cookie: cookieOf(value, server.port) };
  expect((await server.fetch(CONFIG, { headers })).status).toBe(401);
  const upgrade = { connection: 'Upgrade', upgrade: 'websocket', ...headers };
  expect((await raw(server, { path: '/v1/notebooks/ws/any', headers: upgrade })).status).toBe(403);
});

it('[SG-67] an unknown ticket, or one of another method or path, is refused', async () => {
  const { server, shown, fresh } = await withTickets();
  const query = shown.search;
  for (const [path, method] of [
    ['/?ticket=guess', 'GET'],
    ['/?ticket=', 'GET'],
    [`/${query}`, 'POST'],
    [`${CONFIG}${query}`, 'GET'],
  ] as const) {
    expect((await server.fetch(path, { method })).status, path).toBe(401);
  }
  expect(fresh).toEqual([]);
  expect((await server.fetch(`/${query}`)).status).toBe(200);
});

it('[SG-67] a ticket is valid for ten minutes', () => {
  let now = 0;
  const tickets = new LaunchTickets(TOKEN, () => now);
  const [early, late] = [tickets.issue(), tickets.issue()];
  now = 600_000;
  expect(tickets.use(early)).toBe('good');
  now += 1;
  expect([tickets.use(late), tickets.use(late), tickets.use('other')]).toEqual(['spent', 'spent', 'unknown']);
});

it('[SG-67] a server without tickets shows its plain address and accepts only the header', async () => {
  const server = await serve({ start: { launchToken: TOKEN } });
  expect(server.ticketUrl()).toBe(server.url);
  expect((await server.fetch(CONFIG, { headers: { [LAUNCH_TOKEN_HEADER]: TOKEN } })).status).toBe(200);
});

it.each([
  ['/health', 'GET', true],
  ['/health?x=1', 'HEAD', true],
  ['/health/ready', 'GET', true],
  ['/metrics', 'GET', true],
  ['/metrics/prometheus', 'GET', true],
  ['/oembed?url=x', 'GET', true],
  ['/p/some', 'GET', true],
  ['/v1/publications/token', 'GET', true],
  ['/v1/artifacts/download?signature=a&expires_at=1', 'GET', true],
  ['/v1/builds/b/finalize?signature=a&expires_at=1', 'POST', true],
  ['/v1/artifacts/download?signature=a', 'GET', false],
  ['/health', 'POST', false],
  ['/healthy', 'GET', false],
  ['/health/../v1/notebooks/config', 'GET', false],
  ['/p/../v1/notebooks/config', 'GET', false],
  ['/p/%2E%2e/v1/notebooks/config', 'GET', false],
  ['/p/a..b', 'GET', true],
  ['/v1/publications/a/b', 'GET', false],
  [CONFIG, 'GET', false],
  ['/', 'GET', false],
  ['/openapi.json', 'GET', false],
])('[SG-65] %s by %s is open to everyone: %s', (url, method, open) => {
  expect(isOpenRequest(method, url)).toBe(open);
});

/** Connection tables in which one user owns every connection. */
const everybodyIs = (uid: number) => {
  const users = new PeerUsers(1000);
  users.of = async () => (uid === 1000 ? 'own' : uid === 0 ? 'root' : uid < 0 ? 'unknown' : 'other');
  return users;
};

it.each([
  [1000, true],
  [0, true],
  [1001, false],
  [-1, false],
])('[SG-65] user %i is answered: %s; open routes answer everyone', async (uid, answered) => {
  const server = await serve({ start: { peers: everybodyIs(uid) } });
  const statuses = async (paths: readonly string[]) =>
    Promise.all(paths.map(async (path) => (await server.fetch(path)).status));
  expect(await statuses(['/health', '/p/none'])).toEqual([200, 404]);
  expect(await statuses([CONFIG, CONFIG, '/v1/none', '/openapi.json'])).toEqual(
    answered ? [200, 200, 404, 200] : [403, 403, 403, 403],
  );
});

it('[SG-68] requests of a foreign page use only its own limit, and its writes use none', async () => {
  const server = await serve({
    config: {
      rateLimitEnabled: true,
      rateLimitClientRps: 0.001,
      rateLimitClientBurst: 2,
      rateLimitGlobalBurst: 4,
      rateLimitGlobalRps: 0.001,
    },
  });
  const ask = (headers: Record<string, string>, method = 'GET') =>
    raw(server, { path: CONFIG, method, headers });
  const evil = { origin: 'https://evil.example' };
  const times = async (count: number, act: () => ReturnType<typeof ask>) =>
    Promise.all(Array.from({ length: count }, async () => (await act()).status));
  expect(await times(9, () => ask(evil, 'POST'))).toEqual(new Array(9).fill(403));
  expect(await times(9, () => ask({ host: 'evil.example' }))).toEqual(new Array(9).fill(400));
  const reads = await times(9, () => ask(evil));
  const images = await times(9, () => ask({ 'sec-fetch-site': 'cross-site' }));
  expect(new Set([...reads, ...images])).toEqual(new Set([200, 429]));
  expect(await times(2, () => ask({}))).toEqual([200, 200]);
  expect((await ask({})).status).toBe(429);
});

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WorkerRefusal } from '../refusal.ts';
import { sendSigned } from './signedRequest.ts';
import { createUrlGuard, type GuardOptions } from './urlGuard.ts';

const NAMES: Readonly<Record<string, readonly string[]>> = {
  'public.example': ['93.184.216.34'],
  'mixed.example': ['93.184.216.34', '10.0.0.1'],
  'loop.example': ['127.0.0.1'],
  'six.example': ['2606:2800:220:1::1'],
  'mapped.example': ['::ffff:169.254.169.254'],
  'nowhere.example': [],
  'inside.corp.example': ['10.1.2.3'],
  'corp.example': ['10.1.2.4'],
};
const family = (address: string) => (address.includes(':') ? 6 : 4);
const resolve: GuardOptions['resolve'] = async (host) =>
  (NAMES[host] ?? []).map((address) => ({ address, family: family(address) }));
const strict: GuardOptions = { allowLocalHosts: false, allowedHosts: [], resolve };

describe('[WK-21] URLs that a client sends to a worker', () => {
  const refusedUrls: readonly string[] = [
    'file:///etc/passwd',
    'ftp://public.example/x',
    'gopher://public.example/',
    'not a url',
    '',
    'http://127.0.0.1/',
    'http://127.1/',
    'http://0x7f.1/',
    'http://2130706433/',
    'http://0/',
    'http://10.0.0.1/',
    'http://172.31.255.255/',
    'http://192.168.1.1/',
    'http://100.64.0.1/',
    'http://169.254.169.254/latest/meta-data/',
    'http://224.0.0.1/',
    'http://240.0.0.1/',
    'http://255.255.255.255/',
    'http://[::]/',
    'http://[::1]/',
    'http://[fe80::1]/',
    'http://[fc00::1]/',
    'http://[ff02::1]/',
    'http://[::ffff:127.0.0.1]/',
    'http://[::ffff:7f00:1]/',
    'http://[::ffff:10.0.0.1]/',
    'http://[64:ff9b::7f00:1]/',
    'http://[2002:7f00:1::]/',
    'http://mixed.example/',
    'http://loop.example/',
    'http://loop.example./',
    'http://mapped.example/',
    'http://nowhere.example/',
    'https://inside.corp.example/',
  ];
  it.each(refusedUrls)('refuses %s', async (url) => {
    const failure = await createUrlGuard(strict)
      .check(url)
      .then(
        () => null,
        (error: unknown) => error,
      );
    expect(failure).toBeInstanceOf(WorkerRefusal);
    expect(failure instanceof WorkerRefusal && failure.status).toBe(400);
  });

  it.each([
    'http://public.example/a?b=c',
    'https://six.example/',
    'https://8.8.8.8/',
    'http://[2606:4700::1]/',
  ])('allows %s', async (url) => {
    expect((await createUrlGuard(strict).check(url)).href).toBe(url);
  });

  it('SVC_WORKER_ALLOWED_HOSTS exempts a host, and with a leading dot also its subdomains', async () => {
    const guard = createUrlGuard({ ...strict, allowedHosts: ['.corp.example', 'loop.example'] });
    for (const url of ['http://inside.corp.example/', 'http://corp.example/', 'http://LOOP.example/']) {
      await expect(guard.check(url)).resolves.toBeInstanceOf(URL);
    }
    await expect(guard.check('http://mixed.example/')).rejects.toThrow(/10\.0\.0\.1/);
    await expect(guard.check('http://evilcorp.example/')).rejects.toThrow(WorkerRefusal);
  });

  it('SVC_WORKER_ALLOW_LOCAL_HOSTS allows any address, but no other scheme and no missing host', async () => {
    const guard = createUrlGuard({ ...strict, allowLocalHosts: true });
    await expect(guard.check('http://127.0.0.1:9/')).resolves.toBeInstanceOf(URL);
    for (const url of ['file:///etc/passwd', 'http://'])
      await expect(guard.check(url)).rejects.toThrow(WorkerRefusal);
  });
});

describe('[WK-47] a host that receives the result of a run', () => {
  const failing = (code: string) => async (): Promise<never> => {
    throw Object.assign(new Error(code), { code });
  };
  const rows: readonly (readonly [string, Partial<GuardOptions>, number | null])[] = [
    ['that does not exist', { resolve: failing('ENOTFOUND') }, 400],
    ['that has no address', { resolve: async () => [] }, 400],
    ['that cannot be looked up now', { resolve: failing('EAI_AGAIN') }, 502],
    ['that is private', { resolve: async () => [{ address: '10.0.0.1', family: 4 }] }, 400],
    ['that is public', { resolve: async () => [{ address: '93.184.216.34', family: 4 }] }, null],
  ];
  const exempt: readonly (readonly [string, Partial<GuardOptions>])[] = [
    ['', {}],
    [' and is an allowed host', { allowedHosts: ['end.example'] }],
    [' where every host is allowed', { allowLocalHosts: true }],
  ];
  it.each(
    rows.flatMap(([name, how, status]) =>
      exempt.map(([where, more]) => {
        const isAllowed = name === 'that is private' && where !== '';
        return [name + where, { ...strict, ...how, ...more }, isAllowed ? null : status] as const;
      }),
    ),
  )('%s', async (_name, options, status) => {
    const check = createUrlGuard(options).check('http://end.example/f?sig=1', { isNeeded: true });
    if (status === null) await expect(check).resolves.toBeInstanceOf(URL);
    else await expect(check).rejects.toMatchObject({ status });
  });
});

describe('[WK-21] the connection itself', () => {
  let port = 0;
  let hits = 0;
  const server = createServer((request, response) => {
    hits += 1;
    if (request.url === '/away')
      response.writeHead(302, { location: `http://127.0.0.1:${port}/there` }).end();
    else response.end('inside');
  });
  beforeAll(async () => {
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    port = (server.address() as AddressInfo).port;
  });
  afterAll(() => void server.close());
  const get = (guard: ReturnType<typeof createUrlGuard>, url: string) =>
    sendSigned(guard, { url, method: 'GET', idleMs: 2_000, signal: new AbortController().signal });

  it('refuses a host whose address changes after the check', async () => {
    let lookups = 0;
    const guard = createUrlGuard({
      ...strict,
      resolve: async () => {
        lookups += 1;
        return [{ address: lookups === 1 ? '93.184.216.34' : '127.0.0.1', family: 4 }];
      },
    });
    const before = hits;
    await expect(get(guard, `http://rebind.example:${port}/`)).rejects.toThrow(/127\.0\.0\.1/);
    expect([lookups, hits - before]).toEqual([2, 0]);
  });

  it('follows no redirect and uses no proxy of the environment', async () => {
    process.env['http_proxy'] = 'http://127.0.0.1:1';
    process.env['HTTP_PROXY'] = 'http://127.0.0.1:1';
    try {
      const guard = createUrlGuard({ ...strict, allowedHosts: ['loop.example'] });
      const before = hits;
      const response = await get(guard, `http://loop.example:${port}/away`);
      response.destroy();
      expect([response.statusCode, hits - before]).toEqual([302, 1]);
    } finally {
      delete process.env['http_proxy'];
      delete process.env['HTTP_PROXY'];
    }
  });
});

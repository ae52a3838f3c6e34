import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, it, test } from 'vitest';
import type { FetchAnnotation } from '../../../src-shared/notebook/annotation.ts';
import { type AddressRules, isPublicAddress, whyRefused } from './addressRules.ts';
import { createFetcher, fileNameOf } from './fetcher.ts';

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

const ANYWHERE: AddressRules = { privateAllowed: true, allowedHosts: [] };
const sha = (text: string) => createHash('sha256').update(text).digest('hex');

let server: Server;
let base = '';
let root = '';
let folder = '';
let answer: Answer;
let requests: IncomingMessage[] = [];
let nowMs = 0;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'fetch-'));
  server = createServer((request, response) => {
    requests.push(request);
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  await rm(root, { recursive: true, force: true });
});
beforeEach(async () => {
  folder = join(await mkdtemp(join(root, 'n-')), 'fetch');
  requests = [];
  nowMs = Date.parse('2026-01-01T00:00:00Z');
});

const line = (part: Partial<FetchAnnotation> = {}): FetchAnnotation => ({
  name: 'z',
  url: `${base}/data/z.csv?token=secret`,
  sha256: null,
  refetch: 'stale',
  ...part,
});
const fetcher = (options: { rules?: AddressRules; maxBytes?: number; timeoutMs?: number } = {}) =>
  createFetcher({ folder, rules: ANYWHERE, now: () => nowMs, ...options });
const never = new AbortController().signal;
const bytes =
  (text: string, headers: Record<string, string> = {}): Answer =>
  (_request, response) =>
    response.writeHead(200, headers).end(text);
/** Replies with a text and its ETag, or 304 to a client that has it. */
const tagged =
  (text: string): Answer =>
  (request, response) => {
    const etag = `"${sha(text).slice(0, 8)}"`;
    if (request.headers['if-none-match'] === etag) response.writeHead(304).end();
    else response.writeHead(200, { etag }).end(text);
  };
/** All names in the cache folder, incomplete files included. */
const files = async () => (await readdir(folder, { recursive: true }).catch(() => [])).sort();

describe('fetching', () => {
  it('[MT-21] stores the file by its digest, read-only, with an index', async () => {
    answer = bytes('a,b\n', { etag: '"1"', 'last-modified': 'Thu, 01 Jan 2026 00:00:00 GMT' });
    const result = await fetcher().bring(line(), never);
    const path = join(folder, sha('a,b\n'), 'z.csv');
    expect(result).toEqual({
      kind: 'file',
      sha256: sha('a,b\n'),
      path,
      fetchedAt: '2026-01-01T00:00:00.000Z',
    });
    expect(await readFile(path, 'utf8')).toBe('a,b\n');
    expect((await stat(path)).mode & 0o222).toBe(0);
    expect(JSON.parse(await readFile(join(folder, 'index.json'), 'utf8'))).toEqual({
      [line().url]: {
        sha256: sha('a,b\n'),
        filename: 'z.csv',
        checked_at: '2026-01-01T00:00:00.000Z',
        fetched_at: '2026-01-01T00:00:00.000Z',
        etag: '"1"',
        last_modified: 'Thu, 01 Jan 2026 00:00:00 GMT',
      },
    });
  });

  it('[MT-22] stale sends a conditional request, never sends one, always downloads everything', async () => {
    answer = tagged('one');
    const counts: Record<string, (string | undefined)[]> = {};
    for (const refetch of ['stale', 'never', 'always'] as const) {
      const one = line({ refetch, url: `${base}/${refetch}` });
      for (let run = 0; run < 3; run += 1) {
        nowMs += 1;
        expect(await fetcher().bring(one, never)).toMatchObject({ kind: 'file', sha256: sha('one') });
      }
      counts[refetch] = requests.map(({ headers }) => headers['if-none-match']);
      requests = [];
    }
    const etag = `"${sha('one').slice(0, 8)}"`;
    expect(counts).toEqual({
      stale: [undefined, etag, etag],
      never: [undefined],
      always: [undefined, undefined, undefined],
    });
    answer = tagged('two');
    expect(await fetcher().bring(line({ url: `${base}/stale` }), never)).toMatchObject({
      sha256: sha('two'),
    });
  });

  it('[MT-23] a pin needs no request once it is stored, also under another URL; other content is refused', async () => {
    answer = bytes('good');
    const pinned = line({ sha256: sha('good') });
    await fetcher().bring(pinned, never);
    await fetcher().bring(pinned, never);
    await fetcher().bring({ ...pinned, url: `${base}/elsewhere.csv` }, never);
    expect(requests.length).toBe(1);
    answer = bytes('bad');
    const result = await fetcher().bring(line({ sha256: sha('other') }), never);
    expect(result).toEqual({
      kind: 'problem',
      errorCode: 'fetch_pin_mismatch',
      problem: `${base}/data/z.csv does not match its pin: its sha256 is ${sha('bad')}, but the line has ${sha('other')}.`,
    });
    expect(await files()).not.toContain(sha('bad'));
  });

  it('[MT-22] two concurrent requests cause one download', async () => {
    answer = tagged('one');
    const one = fetcher();
    await Promise.all([one.bring(line(), never), one.bring(line(), never), one.bring(line(), never)]);
    expect(requests.filter(({ headers }) => headers['if-none-match'] === undefined).length).toBe(1);
  });

  it('[MT-21] an encoding that was not requested is decoded', async () => {
    answer = (_request, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('plain'));
    expect(await fetcher().bring(line(), never)).toMatchObject({ sha256: sha('plain') });
  });

  it('[MT-21] large files are streamed without being held in memory', async () => {
    const block = Buffer.alloc(1 << 20, 7);
    let heap = 0;
    answer = (_request, response) => {
      let remaining = 384;
      const more = (): void => {
        heap = Math.max(heap, process.memoryUsage().arrayBuffers);
        while (remaining-- > 0) if (!response.write(block)) return void response.once('drain', more);
        response.end();
      };
      more();
    };
    const before = process.memoryUsage().arrayBuffers;
    expect(await fetcher().bring(line(), never)).toMatchObject({ kind: 'file' });
    expect(heap - before).toBeLessThan(192 << 20);
  });
});

/** Failures with their messages; no incomplete file ever remains. */
const FAULTS: readonly {
  readonly what: string;
  readonly answer: Answer;
  readonly says: string;
  readonly options?: { readonly maxBytes?: number; readonly timeoutMs?: number };
}[] = [
  {
    what: 'not found (404)',
    answer: (_q, r) => r.writeHead(404).end(),
    says: 'could not be fetched: not found (404).',
  },
  { what: 'a broken server', answer: (_q, r) => r.writeHead(500).end(), says: 'the server answered 500.' },
  { what: 'a part', answer: (_q, r) => r.writeHead(206).end('x'), says: 'the server answered 206.' },
  {
    what: 'a connection cut in the middle',
    answer: (_q, r) => {
      r.writeHead(200, { 'content-length': '1000' }).write('half');
      setImmediate(() => r.destroy());
    },
    says: 'the connection was interrupted',
  },
  {
    what: 'a chunked body cut in the middle',
    answer: (_q, r) => {
      r.writeHead(200).write('half');
      setImmediate(() => r.socket?.destroy());
    },
    says: 'the connection was interrupted',
  },
  {
    what: 'a connection cut immediately',
    answer: (q) => q.socket.destroy(),
    says: 'the connection was interrupted',
  },
  {
    what: 'a redirect that never ends',
    answer: (q, r) => r.writeHead(302, { location: `${q.url}x` }).end(),
    says: 'was redirected more than 5 times.',
  },
  {
    what: 'a redirect to a file of this machine',
    answer: (_q, r) => r.writeHead(302, { location: 'file:///etc/passwd' }).end(),
    says: 'which is neither http nor https.',
  },
  {
    what: 'more than the limit, announced',
    answer: (_q, r) => r.writeHead(200, { 'content-length': '3000000' }).end(),
    says: 'It is larger than the limit of 2 MiB.',
    options: { maxBytes: 2 << 20 },
  },
  {
    what: 'more than the limit, not announced',
    answer: (_q, r) => r.writeHead(200).end(Buffer.alloc(3 << 20)),
    says: 'It is larger than the limit of 2 MiB.',
    options: { maxBytes: 2 << 20 },
  },
  {
    what: 'a server that never answers',
    answer: () => undefined,
    says: 'took longer than 0.2 s.',
    options: { timeoutMs: 200 },
  },
  {
    what: 'a body that never ends',
    answer: (_q, r) => void r.writeHead(200).write('a'),
    says: 'took longer than 0.2 s.',
    options: { timeoutMs: 200 },
  },
];

describe('failures', () => {
  test.each(FAULTS)('[MT-24] $what', async ({ answer: faulty, says, options }) => {
    answer = faulty;
    const result = await fetcher(options).bring(line(), never);
    expect(result.kind === 'problem' ? result.problem : result.kind).toContain(says);
    expect(JSON.stringify(result)).not.toContain('secret');
    expect(await files()).toEqual([]);
  });

  it('[MT-24] leftovers of a killed download are removed by the next one', async () => {
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, '.part-1-abc'), 'half');
    answer = bytes('one');
    await fetcher().bring(line(), never);
    expect((await files()).filter((name) => name.startsWith('.part'))).toEqual([]);
  });

  it('[MT-24] cancelling ends the download, and an older copy is unchanged', async () => {
    answer = tagged('one');
    await fetcher().bring(line(), never);
    const before = await files();
    const cancel = new AbortController();
    answer = (_q, r) => {
      r.writeHead(200).write('half');
      setImmediate(() => cancel.abort());
    };
    const result = await fetcher().bring(line(), cancel.signal);
    expect(result).toEqual({ kind: 'problem', problem: 'It was cancelled.' });
    expect(await files()).toEqual(before);
  });

  it('[MT-24] an unknown host is reported', async () => {
    const result = await fetcher().bring(line({ url: 'http://no-such-host.invalid/x' }), never);
    expect(result.kind === 'problem' && result.problem).toMatch(/host not found|could not be resolved/);
    const odd = await fetcher().bring(line({ url: 'ftp://x/y' }), never);
    expect(odd).toEqual({
      kind: 'problem',
      problem: 'The URL leads to ftp://, which is neither http nor https.',
    });
  });
});

describe('a status', () => {
  it('[MT-25] never makes the first request, checks at most once a minute, and reads no body', async () => {
    answer = tagged('one');
    expect(await fetcher().status(line(), never)).toEqual({ sha256: null, problem: null });
    expect(requests.length).toBe(0);
    await fetcher().bring(line(), never);
    nowMs += 59_000;
    expect(await fetcher().status(line(), never)).toEqual({ sha256: sha('one'), problem: null });
    expect(requests.length).toBe(1);
    nowMs += 1_000;
    expect(await fetcher().status(line(), never)).toEqual({ sha256: sha('one'), problem: null });
    expect(requests.length).toBe(2);
    nowMs += 60_000;
    answer = tagged('two');
    expect(await fetcher().status(line(), never)).toEqual({ sha256: null, problem: null });
    expect((await files()).filter((name) => name.includes(sha('two')))).toEqual([]);
    nowMs += 60_000;
    answer = (q) => q.socket.destroy();
    expect(await fetcher().status(line(), never)).toEqual({ sha256: sha('one'), problem: null });
  });
});

describe('the file whose digest is in the key of a run', () => {
  it('[MT-26] is downloaded again if it was removed, and must be the same', async () => {
    answer = bytes('one');
    await fetcher().bring(line(), never);
    expect((await fetcher().keep(line(), sha('one'), never)).kind).toBe('file');
    expect(requests.length).toBe(1);
    await rm(join(folder, sha('one')), { recursive: true });
    expect((await fetcher().keep(line(), sha('one'), never)).kind).toBe('file');
    await rm(join(folder, sha('one')), { recursive: true });
    answer = bytes('two');
    const result = await fetcher().keep(line(), sha('one'), never);
    expect(result).toMatchObject({ kind: 'problem', problem: expect.stringContaining('changed while') });
  });

  it('[MT-26] an index that cannot be read, or is a link, is ignored', async () => {
    answer = bytes('one');
    await fetcher().bring(line(), never);
    for (const text of [
      '{',
      '[]',
      JSON.stringify({
        [line().url]: { sha256: sha('one'), filename: '../../x', checked_at: '', fetched_at: '' },
      }),
    ]) {
      await writeFile(join(folder, 'index.json'), text);
      expect(await fetcher().status(line(), never)).toEqual({ sha256: null, problem: null });
    }
  });
});

describe('the hosts that a shared server may contact', () => {
  const SHARED: AddressRules = { privateAllowed: false, allowedHosts: ['localhost', '.corp'] };

  test.each([
    ['8.8.8.8', true],
    ['127.0.0.1', false],
    ['10.1.2.3', false],
    ['100.64.0.1', false],
    ['169.254.169.254', false],
    ['172.31.0.1', false],
    ['172.32.0.1', true],
    ['192.168.0.1', false],
    ['224.0.0.1', false],
    ['255.255.255.255', false],
    ['0.0.0.0', false],
    ['2606:4700::1111', true],
    ['::1', false],
    ['::', false],
    ['fe80::1%eth0', false],
    ['fd00::1', false],
    ['ff02::1', false],
    ['::ffff:127.0.0.1', false],
    ['::ffff:7f00:1', false],
    ['::ffff:8.8.8.8', true],
    ['::ffff:808:808', true],
    ['2002:7f00:1::', false],
    ['2001:db8::1', false],
    ['64:ff9b::7f00:1', false],
    ['::7f00:1', false],
    ['not an address', false],
  ])('[MT-27] %s is public: %s', (address, expected) => {
    expect(isPublicAddress(address)).toBe(expected);
  });

  it('[MT-27] one hidden address among public ones is enough to refuse', () => {
    expect(whyRefused('x.example', ['8.8.8.8', '10.0.0.1'], SHARED)).toContain('10.0.0.1');
    expect(whyRefused('x.example', ['8.8.8.8'], SHARED)).toBeNull();
    expect(whyRefused('db.corp', ['10.0.0.1'], SHARED)).toBeNull();
    expect(whyRefused('corp', ['10.0.0.1'], SHARED)).toBeNull();
    expect(whyRefused('evilcorp', ['10.0.0.1'], SHARED)).not.toBeNull();
    expect(whyRefused('x.example', ['10.0.0.1'], { ...SHARED, privateAllowed: true })).toBeNull();
  });

  test.each(['127.0.0.1', '[::1]', '2130706433', '0x7f.1'])(
    '[MT-27] %s is refused before anything connects',
    async (host) => {
      answer = bytes('inside');
      const url = `http://${host}:${new URL(base).port}/x`;
      const result = await fetcher({ rules: SHARED }).bring(line({ url }), never);
      expect(result.kind === 'problem' && result.problem).toContain('is not on the public internet');
      expect(requests.length).toBe(0);
    },
  );

  it('[MT-27] a name is checked by its resolved addresses, and so is every redirect', async () => {
    const url = `http://localhost:${new URL(base).port}/x`;
    const restricted = { ...SHARED, allowedHosts: [] };
    answer = bytes('inside');
    const refused = await fetcher({ rules: restricted }).bring(line({ url }), never);
    expect(refused.kind === 'problem' && refused.problem).toContain('is not on the public internet');
    expect(requests.length).toBe(0);
    answer = (request, response) =>
      request.headers.host?.startsWith('localhost') === true
        ? response.writeHead(302, { location: `${base}/y` }).end()
        : response.end('inside');
    const redirected = await fetcher({ rules: SHARED }).bring(line({ url }), never);
    expect(redirected.kind === 'problem' && redirected.problem).toContain('127.0.0.1 is not on the public');
    expect(requests.length).toBe(1);
  });
});

describe('the name of the stored file', () => {
  test.each([
    ['https://h/a/b.csv?x=1', 'b.csv'],
    ['https://h/', 'download'],
    ['https://h/..%2f..%2fetc', '_.._etc'],
    ['https://h/%2e%2e', 'download'],
    ['https://h/a%20b.csv/', 'a b.csv'],
    ['https://h/con:x', 'con_x'],
    ['https://h/%ff', '%ff'],
    [`https://h/${'x'.repeat(300)}.csv`, `${'x'.repeat(116)}.csv`],
  ])('[MT-21] %s', (url, name) => {
    expect(fileNameOf(url)).toBe(name);
  });
});

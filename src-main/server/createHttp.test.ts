import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sampleCell } from '../../src-shared/wire/testing/sampleNotebook.ts';
import { notebookFolder } from '../notebook/folder/notebookFolder.ts';
import { MemorySessions } from './testing/memorySessions.ts';
import { rawRequest as raw } from './testing/rawRequest.ts';
import { startTestServer, type TestServer } from './testing/testServer.ts';

describe('[RE-8] [RE-9] the pipeline on a real server', () => {
  let server: TestServer;
  let own = '';
  beforeAll(async () => {
    server = await startTestServer({
      config: {
        corsAllowOrigins: ['https://ok.example'],
        publicBasePath: '/nb',
        embedFrameAncestors: ['https://frame.example'],
      },
    });
    own = `http://127.0.0.1:${server.port}`;
  });
  afterAll(() => server.close());

  const CONFIG = '/v1/notebooks/config';
  const evil = { origin: 'https://evil.example' };
  const preflight = { 'access-control-request-method': 'PUT' };
  const cors = (origin: string) => ({ 'access-control-allow-origin': origin, vary: 'Origin' });
  const METHODS = 'DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT';
  const rows: readonly {
    name: string;
    ask: () => Parameters<typeof raw>[1];
    status: number;
    headers?: () => Record<string, unknown>;
    text?: string;
  }[] = [
    { name: 'plain', ask: () => ({}), status: 200, headers: () => ({ 'x-content-type-options': 'nosniff' }) },
    { name: 'base path', ask: () => ({ path: '/nb/health' }), status: 200 },
    {
      name: 'framing',
      ask: () => ({ path: CONFIG }),
      status: 200,
      headers: () => ({ 'content-security-policy': "frame-ancestors 'self' https://frame.example" }),
    },
    {
      name: 'foreign Host',
      ask: () => ({ headers: { host: 'evil.example:80', 'x-request-id': 'abc' } }),
      status: 400,
      headers: () => ({ 'content-type': 'text/plain; charset=utf-8', 'x-request-id': 'abc' }),
      text: "Host 'evil.example:80' is not allowed. Add its name to SVC_ALLOWED_HOSTS to serve it.",
    },
    ...[undefined, 'https://evil.example'].map((origin) => ({
      name: `an answer to ${origin ?? 'a request without an origin'} is not cached for other origins`,
      ask: () => ({ path: CONFIG, headers: origin === undefined ? {} : { origin } }),
      status: 200,
      headers: () => ({ vary: 'Origin' }),
    })),
    {
      name: '[RE-69] a packed body',
      ask: () => ({ path: '/v1/notebooks/open', method: 'POST', headers: { 'content-encoding': 'gzip' } }),
      status: 415,
      headers: () => ({ 'accept-encoding': 'identity' }),
      text: '{"detail":"Content-Encoding gzip is not supported. Send the body without it."}',
    },
    {
      name: '[RE-69] a body with the identity encoding',
      ask: () => ({
        path: '/v1/notebooks/open',
        method: 'POST',
        headers: { 'content-encoding': 'identity' },
      }),
      status: 422,
    },
    {
      name: 'own origin',
      ask: () => ({ path: CONFIG, headers: { origin: own } }),
      status: 200,
      headers: () => cors(own),
    },
    {
      name: 'listed origin writes',
      ask: () => ({ path: '/v1/notebooks/open', method: 'POST', headers: { origin: 'https://ok.example' } }),
      status: 422,
      headers: () => cors('https://ok.example'),
    },
    {
      name: 'foreign origin reads without CORS headers',
      ask: () => ({ path: CONFIG, headers: evil }),
      status: 200,
      headers: () => ({ 'access-control-allow-origin': undefined }),
    },
    {
      name: 'foreign origin writes',
      ask: () => ({ path: '/v1/notebooks/open', method: 'POST', headers: evil }),
      status: 403,
      text: '{"detail":"Cross-origin request from https://evil.example is not allowed."}',
    },
    {
      name: 'allowed preflight',
      ask: () => ({
        path: CONFIG,
        method: 'OPTIONS',
        headers: { origin: 'https://ok.example', ...preflight },
      }),
      status: 200,
      headers: () => ({
        ...cors('https://ok.example'),
        'access-control-allow-methods': METHODS,
        'access-control-allow-headers': 'content-type',
        'access-control-max-age': '600',
      }),
    },
    {
      name: 'preflight with headers',
      ask: () => ({
        path: CONFIG,
        method: 'OPTIONS',
        headers: { origin: own, ...preflight, 'access-control-request-headers': 'x-a, x-b' },
      }),
      status: 200,
      headers: () => ({ 'access-control-allow-headers': 'x-a, x-b' }),
    },
    {
      name: 'foreign preflight',
      ask: () => ({ path: CONFIG, method: 'OPTIONS', headers: { ...evil, ...preflight } }),
      status: 403,
      headers: () => ({ 'access-control-allow-origin': undefined }),
      text: '',
    },
    {
      name: 'h2c upgrade is an ordinary request',
      ask: () => ({ headers: { connection: 'Upgrade', upgrade: 'h2c' } }),
      status: 200,
    },
    {
      name: '[RE-23] unknown method',
      ask: () => ({ path: CONFIG, method: 'PUT' }),
      status: 405,
      headers: () => ({ allow: 'GET, HEAD' }),
      text: '{"detail":"Method Not Allowed"}',
    },
    ...(['OPTIONS', 'TRACE'] as const).map((method) => ({
      name: `[RE-23] ${method} that is not a preflight`,
      ask: () => ({ path: CONFIG, method }),
      status: 405,
      headers: () => ({ allow: 'GET, HEAD' }),
    })),
    {
      name: '[RE-23] OPTIONS of an address with ids in it',
      ask: () => ({ path: '/v1/notebooks/any/cells/other/execute?x=/', method: 'OPTIONS' }),
      status: 405,
      headers: () => ({ allow: 'POST' }),
    },
    {
      name: '[RE-23] OPTIONS of a fixed word where other addresses have an id',
      ask: () => ({ path: '/v1/notebooks/sessions', method: 'OPTIONS' }),
      status: 405,
      headers: () => ({ allow: 'GET, HEAD' }),
    },
    {
      name: '[RE-23] OPTIONS of an address that matches no route',
      ask: () => ({ path: '/v1/nothing/at/all', method: 'OPTIONS' }),
      status: 404,
      text: '{"detail":"Not Found"}',
    },
    {
      name: '[RE-23] HEAD where there is no GET',
      ask: () => ({ path: '/v1/notebooks/open', method: 'HEAD' }),
      status: 405,
      headers: () => ({ allow: 'POST' }),
    },
    ...['/health', CONFIG, '/openapi.json', '/docs', '/redoc'].map((path) => ({
      name: `[RE-24] HEAD ${path}`,
      ask: () => ({ path, method: 'HEAD' }),
      status: 200,
      headers: () => ({
        'content-length': expect.stringMatching(/^[1-9]/),
        'x-request-id': expect.any(String),
      }),
      text: '',
    })),
    {
      name: '[RE-24] HEAD of a download has the headers of its GET',
      ask: () => ({ path: '/v1/artifacts/download', method: 'HEAD' }),
      status: 400,
      text: '',
    },
    {
      name: '[RE-23] a fixed path segment does not match as an id',
      ask: () => ({ path: '/v1/notebooks/sessions/close', method: 'POST' }),
      status: 405,
      headers: () => ({ allow: 'GET, HEAD' }),
    },
    {
      name: '[RE-23] an address written with percent-encoding',
      ask: () => ({ path: '/v1/notebooks/%63onfig', method: 'PATCH' }),
      status: 405,
      headers: () => ({ allow: 'GET, HEAD' }),
    },
    {
      name: '[RE-23] OPTIONS of a broken escape',
      ask: () => ({ path: '/v1/notebooks/%zz/cells', method: 'OPTIONS' }),
      status: 400,
    },
    {
      name: '[RE-24] HEAD of a missing resource',
      ask: () => ({ path: '/v1/notebooks/nobody/cells', method: 'HEAD' }),
      status: 404,
      text: '',
    },
    {
      name: '[RE-3] an unsupported Expect header',
      ask: () => ({ path: CONFIG, headers: { expect: '200-ok', 'x-request-id': 'mine' } }),
      status: 417,
      headers: () => ({ 'x-request-id': 'mine', 'content-type': 'application/json' }),
    },
    ...['', 'application/json, text/plain', 'json', '/', 'a b/c'].map((type) => ({
      name: `[RE-33] a body that is "${type}"`,
      ask: () => ({ path: '/v1/notebooks/open', method: 'POST', headers: { 'content-type': type } }),
      status: 422,
    })),
    {
      name: '[RE-33] no body where none is expected',
      ask: () => ({ path: '/v1/notebooks/nobody/close', method: 'POST', headers: { 'content-type': ';' } }),
      status: 404,
    },
    {
      name: '[RE-23] unknown method of an address that another route also matches',
      ask: () => ({ path: '/nb/v1/admin/notebook-workers/reload', method: 'GET' }),
      status: 405,
      headers: () => ({ allow: 'POST, PUT, PATCH, DELETE' }),
    },
    {
      name: '[RW-28] a worker whose name is part of another address',
      ask: () => ({ path: '/nb/v1/admin/notebook-workers/reload', method: 'DELETE' }),
      status: 404,
      text: `{"detail":"The server has no worker 'reload'."}`,
    },
    {
      name: 'broken escape',
      ask: () => ({ path: '/v1/notebooks/%zz/cells' }),
      status: 400,
      headers: () => ({ 'x-request-id': expect.any(String), 'x-content-type-options': 'nosniff' }),
      text: `{"detail":"'/v1/notebooks/%zz/cells' is not a valid url component"}`,
    },
    {
      name: 'broken escape, own request id',
      ask: () => ({ path: '/%', headers: { 'x-request-id': 'mine' } }),
      status: 400,
      headers: () => ({ 'x-request-id': 'mine' }),
    },
    {
      name: 'a path too long',
      ask: () => ({ path: `/${'a'.repeat(20_000)}` }),
      status: 431,
      headers: () => ({ 'x-request-id': expect.any(String), 'x-content-type-options': 'nosniff' }),
      text: '{"detail":"The headers of the request are too large."}',
    },
    { name: 'an address with its origin', ask: () => ({ path: `${own}/nb${CONFIG}` }), status: 200 },
    {
      name: 'no app',
      ask: () => ({ path: '/' }),
      status: 404,
      headers: () => ({ 'content-type': 'text/plain; charset=utf-8' }),
    },
  ];
  it.each(rows)('$name', async ({ ask, status, headers, text }) => {
    const answer = await raw(server, ask());
    expect(answer.status, answer.text).toBe(status);
    if (text !== undefined) expect(answer.text).toBe(text);
    for (const [name, value] of Object.entries(headers?.() ?? {}))
      expect(answer.headers[name], name).toEqual(value);
  });

  it("[RE-2] bytes that are not HTTP are refused in the API's form", async () => {
    const socket = connect(server.port, '127.0.0.1');
    socket.end('\x16\x03\x01 hello\r\n\r\n');
    let answer = '';
    for await (const chunk of socket) answer += String(chunk);
    expect(answer).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
    expect(answer).toMatch(/\r\n\r\n\{"detail":"This is not a valid HTTP request\."\}$/);
  });

  it.each(['evil.example', 'localhost'])(
    '[RE-8] a request with a second Host, %s, is refused',
    async (second) => {
      const socket = connect(server.port, '127.0.0.1');
      socket.end(`GET ${CONFIG} HTTP/1.1\r\nHost: localhost\r\nhost: ${second}\r\nConnection: close\r\n\r\n`);
      let answer = '';
      for await (const chunk of socket) answer += String(chunk);
      expect(answer).toMatch(
        /^HTTP\/1\.1 400 [\s\S]*The request has several Host headers\. Send exactly one\.$/,
      );
    },
  );

  it('[RE-66] a connection that closes before its requests are handled logs no error', async () => {
    const requests = 'GET /v1/notebooks/config HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n'.repeat(50);
    for (let i = 0; i < 30; i++) {
      const socket = connect(server.port, '127.0.0.1');
      socket.on('error', () => {
        // The connection was cut here.
      });
      await new Promise<void>((resolve) => socket.write(requests, () => resolve()));
      socket.resetAndDestroy();
      await raw(server, {});
    }
    expect(server.logged.filter((line) => line.includes('"level":"error"'))).toEqual([]);
  });

  it('logs routes, never addresses or bodies', () => {
    expect(server.logged.some((line) => line.includes('"route":"/v1/notebooks/config"'))).toBe(true);
    expect(server.logged.join('')).not.toContain('%zz');
  });
});

describe('[RE-65] a body that stops arriving', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({
      sessions: new MemorySessions({ cells: [sampleCell({ id: 'a' })] }),
      start: { bodyStallMs: 100 },
    });
  });
  afterAll(() => server.close());

  const head = (path: string, type: string) =>
    `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: ${type}\r\n`;
  const OPEN = head('/v1/notebooks/open', 'application/json');
  const FORM = head('/v1/notebooks/import', 'multipart/form-data; boundary=x');
  const SHORT = `${OPEN}Content-Length: 50\r\n\r\n{"path"`;

  async function answerTo(bytes: string): Promise<string> {
    const socket = connect(server.port, '127.0.0.1');
    socket.write(bytes);
    let answer = '';
    for await (const chunk of socket) answer += String(chunk);
    return answer;
  }

  it.each([
    ['shorter than its Content-Length', SHORT],
    ['whose pieces end', `${OPEN}Transfer-Encoding: chunked\r\n\r\n5\r\n{"pat`],
    ['of a form', `${FORM}Content-Length: 50\r\n\r\n--x\r\n`],
  ])('%s', async (_name, bytes) => {
    expect(await answerTo(bytes)).toMatch(
      /^HTTP\/1\.1 408 [\s\S]*\{"detail":"The request body did not arrive completely\."\}$/,
    );
    expect(server.logged.filter((line) => line.includes('"level":"error"'))).toEqual([]);
  });

  it('an answer that takes longer than the body stall limit still arrives', async () => {
    const session = await server.sessions.open(notebookFolder('/nb'));
    const path = `/v1/notebooks/${session.id}/cells/a/execute`;
    const answer = server.fetch(path, { method: 'POST', body: '{}' });
    await expect.poll(() => session.asked.some(({ request }) => request.type === 'run_cell')).toBe(true);
    await answerTo(SHORT);
    await answerTo(SHORT);
    session.finishRun();
    expect((await answer).status).toBe(200);
  });
});

describe('rate limits with their defaults', () => {
  it('[RE-10] refuse with a message and a waiting time, and exempt /health', async () => {
    const server = await startTestServer({ config: { rateLimitEnabled: true, rateLimitClientRps: 1 } });
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, i) =>
        raw(server, {
          // Both forms address the same route.
          path: `${i % 2 === 0 ? `http://127.0.0.1:${server.port}` : ''}/v1/notebooks/config`,
          headers: { 'x-forwarded-for': '10.0.0.1, 10.0.0.2' },
        }),
      ),
    );
    const refused = answers.filter(({ status }) => status === 429);
    const passed = answers.filter(({ status }) => status === 200);
    expect(refused.length + passed.length).toBe(60);
    expect(passed.length).toBeGreaterThanOrEqual(20);
    expect(refused[0]).toMatchObject({
      text: 'Rate limit exceeded (client). Retry after 1s.',
      headers: { 'x-ratelimit-limit-type': 'client', 'retry-after': '1' },
    });
    expect(passed[0]?.headers['x-ratelimit-remaining']).toMatch(/^\d+$/);
    expect((await raw(server, { path: '/v1/notebooks/config' })).status).toBe(200);
    expect((await raw(server, { headers: { 'x-forwarded-for': '10.0.0.1' } })).status).toBe(200);
    await server.close();
  });
});

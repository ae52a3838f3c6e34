/**
 * Tests that other users of the same machine, and web pages of other origins, get no content of a notebook from the
 * built server and change nothing.
 */

import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { chromium } from '@playwright/test';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumProgram } from '../support/chromium.ts';
import { type OpenNotebook, openNotebook } from '../support/openNotebook.ts';
import { NOBODY, type ServerProcess, startServerProcess } from '../support/serverProcess.ts';

/** A secret of the owner, in the notebook's source and outputs. */
const CANARY = 'canary-of-the-owner-5b1f';

let root = '';
let server: ServerProcess;
let open: OpenNotebook;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'cellar-others-'));
  server = await startServerProcess({ grants: [root] });
  open = await openNotebook(server, join(root, 'mine'), [
    { id: 'a0000001', source: `print("${CANARY}")\nx = "${CANARY}"` },
  ]);
  await open.execute('a0000001');
});
afterAll(async () => {
  await server.dispose();
  await rm(root, { recursive: true, force: true });
});

interface Attempt {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

interface Seen {
  readonly status: number;
  readonly text: string;
}

const JSON_TYPE = { 'content-type': 'application/json' };
const UPGRADE = {
  connection: 'Upgrade',
  upgrade: 'websocket',
  'sec-websocket-version': '13',
  'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
};

/** The requests of an attacker who knows the address, the session and all names in the notebook. */
function attempts(): readonly Attempt[] {
  const { sid, path } = open;
  const of = `/v1/notebooks/${sid}`;
  const reads = [
    ...[
      '/',
      '/index.html',
      '/outputFrame.html',
      '/docs',
      '/redoc',
      '/openapi.json',
      '/v1',
      '//',
      '/v1/nothing',
    ],
    ...[
      '/v1/notebooks/config',
      '/v1/notebooks/sessions',
      `/v1/notebooks/sessions/${sid}`,
      '/v1/notebooks/discover',
    ],
    ...[
      '/cells',
      '/dag',
      '/connections',
      '/workers',
      '/environment',
      '/artifacts',
      '/ai/status',
      '/x/mounts',
    ].map((one) => of + one),
    ...[
      '/x/files',
      '/x/variables',
      '/x/storage',
      '/x/log',
      '/x/history',
      '/x/settings',
      '/x/drafts',
      '/x/undo',
    ].map((one) => of + one),
    ...['/cells/a0000001/data?variable=x', '/x/cells/a0000001/log', '/x/cells/a0000001/history'].map(
      (one) => of + one,
    ),
    ...['ipynb', 'html', 'py', 'zip', 'md'].map((fmt) => `${of}/export?fmt=${fmt}`),
    ...[
      '/health/../v1/notebooks/sessions',
      '/health/%2e%2e/v1/notebooks/sessions',
      '/p/../v1/notebooks/sessions',
    ],
    ...['/v1/artifacts/download', '/v1/artifacts/download?signature=x', '/v1/admin/notebook-workers'],
  ].map((url): Attempt => ({ method: 'GET', path: url }));
  const writes: readonly Attempt[] = [
    { method: 'POST', path: '/v1/notebooks/open', body: JSON.stringify({ path }) },
    {
      method: 'POST',
      path: '/v1/notebooks/create',
      body: JSON.stringify({ parent_path: root, name: 'theirs' }),
    },
    { method: 'POST', path: '/v1/notebooks/delete-by-path', body: JSON.stringify({ path }) },
    { method: 'DELETE', path: of },
    { method: 'POST', path: `${of}/cells/a0000001/execute` },
    { method: 'PUT', path: `${of}/cells/a0000001`, body: JSON.stringify({ source: 'import os' }) },
    { method: 'PUT', path: `${of}/env`, body: JSON.stringify({ env: { A: 'b' } }) },
    { method: 'POST', path: `${of}/close` },
    { method: 'POST', path: '/v1/notebooks/import', body: '{}' },
    { method: 'OPTIONS', path: of },
    { method: 'HEAD', path: `/v1/notebooks/sessions/${sid}` },
    { method: 'GET', path: `/v1/notebooks/ws/${sid}`, headers: UPGRADE },
    {
      method: 'GET',
      path: `/v1/notebooks/ws/${sid}?role=viewer`,
      headers: { ...UPGRADE, origin: server.url },
    },
    // Headers that claim to be someone with access.
    ...['x-forwarded-for', 'x-real-ip', 'x-svc-principal', 'x-cellar-launch-token', 'cookie'].map((name) => ({
      method: 'GET',
      path: `/v1/notebooks/sessions/${sid}`,
      headers: { [name]: name === 'cookie' ? `svc_launch_${server.port}=1` : '127.0.0.1' },
    })),
  ];
  return [...reads, ...writes];
}

/** Sends each attempt as another user, in one process, over a raw socket so that no library normalizes the path. */
const CLIENT = `
import json, os, socket, sys
# The other user may not read what Python loads later.
"a".encode("idna")
uid, port = int(sys.argv[1]), int(sys.argv[2])
if uid >= 0:
    os.setgroups([]); os.setgid(uid); os.setuid(uid)
seen = []
for one in json.load(sys.stdin):
    body = (one.get("body") or "").encode()
    headers = {"host": "127.0.0.1:%d" % port, "connection": "close", "content-length": str(len(body)), **(one.get("headers") or {})}
    with socket.socket() as peer:
        peer.settimeout(20)
        peer.connect(("127.0.0.1", port))
        peer.sendall(("%s %s HTTP/1.1\\r\\n" % (one["method"], one["path"])).encode())
        peer.sendall("".join("%s: %s\\r\\n" % pair for pair in headers.items()).encode() + b"\\r\\n" + body)
        data = b""
        try:
            while chunk := peer.recv(65536):
                data += chunk
                if b" 101 " in data[:20]:
                    break
        except OSError:
            pass
    seen.append({"status": int(data.split(b" ", 2)[1]) if data else 0, "text": data.decode("latin1")})
json.dump(seen, sys.stdout)
`;

async function sendAs(
  uid: number | null,
  tries: readonly Attempt[],
  port = server.port,
): Promise<readonly Seen[]> {
  const child = spawn('python3', ['-c', CLIENT, String(uid ?? -1), String(port)], {
    cwd: '/',
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  let out = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    out += text;
  });
  child.stdin.end(JSON.stringify(tries));
  const code = await new Promise((resolve) => child.once('close', resolve));
  expect(code).toBe(0);
  return JSON.parse(out) as Seen[]; // the format that CLIENT writes
}

const isRoot = userInfo().uid === 0;
const OPEN: readonly Attempt[] = [
  { method: 'GET', path: '/health' },
  { method: 'HEAD', path: '/health' },
  { method: 'GET', path: '/v1/publications/none' },
];

describe.runIf(process.platform === 'linux' && isRoot)('[SG-65] another user of this machine', () => {
  it('gets no content from any of at least 60 attempts, and changes nothing', async () => {
    const tries = attempts();
    expect(tries.length).toBeGreaterThanOrEqual(60);
    const seen = await sendAs(NOBODY, tries);
    const wrong = seen.flatMap(({ status, text }, i) =>
      status === 403 && !text.includes(CANARY) && !text.includes(root)
        ? []
        : [[tries[i], status, text.slice(0, 200)]],
    );
    expect(wrong).toEqual([]);
    expect((await open.cell('a0000001')).source).toContain(CANARY);
  });

  it('gets the public routes, as the owner does', async () => {
    for (const uid of [NOBODY, null]) {
      expect((await sendAs(uid, OPEN)).map(({ status }) => status)).toEqual([200, 200, 404]);
    }
  });

  it('is refused, while the owner and root get answers', async () => {
    const [session] = await sendAs(null, [{ method: 'GET', path: `/v1/notebooks/sessions/${open.sid}` }]);
    expect([session?.status, session?.text.includes(CANARY)]).toEqual([200, true]);
    // A server of an ordinary user, called by root.
    const theirs = await startServerProcess({ ordinaryUser: true });
    try {
      const requests: readonly Attempt[] = [{ method: 'GET', path: '/v1/notebooks/config' }];
      const statuses = await Promise.all(
        [null, NOBODY, 1].map(async (uid) => (await sendAs(uid, requests, theirs.port))[0]?.status),
      );
      expect(statuses).toEqual([200, 200, 403]);
    } finally {
      await theirs.dispose();
    }
  });
});

describe('[SG-68] a page of another origin', () => {
  let elsewhere: Server;
  let origin = '';
  beforeAll(async () => {
    elsewhere = createServer((_request, response) => {
      response.setHeader('content-type', 'text/html');
      response.end('<!doctype html><title>Elsewhere</title>');
    });
    await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve));
    origin = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}`; // the server listens on TCP
  });
  afterAll(async () => {
    await new Promise((resolve) => elsewhere.close(resolve));
  });

  it('in Chromium reads nothing, writes nothing and opens no socket', async () => {
    const browser = await chromium.launch({ ...chromiumProgram(), args: ['--no-sandbox'] });
    try {
      const page = await browser.newPage();
      await page.goto(origin);
      const tries = attempts().filter(({ headers, method }) => headers === undefined && method !== 'HEAD');
      const seen = await page.evaluate(
        async ({ url, sent, sid }) => {
          const texts: string[] = [];
          for (const { method, path, body } of sent) {
            for (const mode of ['cors', 'no-cors'] as const) {
              try {
                const answer = await fetch(url + path, {
                  method,
                  mode,
                  credentials: 'include',
                  ...(body === undefined ? {} : { body }),
                  headers: { 'content-type': 'text/plain' },
                });
                texts.push(await answer.text());
              } catch (error) {
                texts.push(`refused: ${String(error)}`);
              }
            }
          }
          const socket = await new Promise<string>((resolve) => {
            const ws = new WebSocket(`${url.replace('http', 'ws')}/v1/notebooks/ws/${sid}`);
            ws.onopen = () => resolve('open');
            ws.onerror = () => resolve('refused');
          });
          return { texts, socket };
        },
        {
          url: server.url,
          sent: tries.map(({ method, path, body }) => ({ method, path, body })),
          sid: open.sid,
        },
      );
      expect(seen.texts.length).toBeGreaterThanOrEqual(60);
      expect(seen.texts.filter((text) => text !== '' && !text.startsWith('refused: '))).toEqual([]);
      expect(seen.socket).toBe('refused');
    } finally {
      await browser.close();
    }
    expect((await open.cell('a0000001')).source).toContain(CANARY);
  });

  it('gets no write, preflight or socket over a raw connection, and nothing with another Host', async () => {
    const tries = attempts();
    const writes = tries.filter(({ method }) => !['GET', 'HEAD', 'OPTIONS'].includes(method));
    const sockets = tries.filter(({ headers }) => headers?.['upgrade'] !== undefined);
    const foreign = [...writes, ...sockets].map((one) => ({
      ...one,
      headers: { ...JSON_TYPE, ...one.headers, origin },
    }));
    expect((await sendAs(null, foreign)).map(({ status }) => status)).toEqual(foreign.map(() => 403));
    const rebound = tries.map((one) => ({ ...one, headers: { ...one.headers, host: 'evil.example' } }));
    const answers = await sendAs(null, rebound);
    expect(
      answers.filter(({ status, text }) => ![400, 403].includes(status) || text.includes(CANARY)),
    ).toEqual([]);
    expect((await open.cell('a0000001')).source).toContain(CANARY);
  });
});

import { execFileSync } from 'node:child_process';
import { createReadStream } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { TestIndex } from './testIndex.ts';

/**
 * Test support: the wheels of a test index behind HTTP on the loopback, as package indexes answer. Asked for whole
 * addresses of `packages.invalid`, it is that host's proxy as well: no such host is there without it.
 */
export interface TestHttpIndex {
  /** What uv needs to be told to ask it. */
  readonly env: NodeJS.ProcessEnv;
  /** The same by way of the proxy, which uv has to be told of beside. */
  readonly behindProxy: NodeJS.ProcessEnv;
  readonly proxy: string;
  /** The certificate that is not in the system's store; null without TLS. */
  readonly certificate: string | null;
  /** How often it was asked for anything. */
  asked(): number;
  /** It is out of reach from now on. */
  close(): Promise<void>;
}

export async function createHttpIndex(
  index: TestIndex,
  options: { readonly tls?: boolean } = {},
): Promise<TestHttpIndex> {
  const links = index.env['UV_FIND_LINKS'] ?? '';
  let asked = 0;
  const answer: RequestListener = (request, response) => {
    asked += 1;
    const path = (request.url ?? '').replace(/^http:\/\/packages\.invalid/, '');
    const [, kind, name = ''] = path.split('/');
    void (async () => {
      const wheels = (await readdir(links)).filter((file) => file.endsWith('.whl'));
      if (kind === 'simple') {
        const own = wheels.filter((file) => file.startsWith(`${name}-`));
        if (own.length === 0) return response.writeHead(404).end();
        const anchors = own.map((file) => `<a href="/files/${file}">${file}</a>`).join('');
        return response
          .writeHead(200, { 'content-type': 'text/html' })
          .end(`<html><body>${anchors}</body></html>`);
      }
      if (kind !== 'files' || !wheels.includes(name)) return response.writeHead(404).end();
      return createReadStream(join(links, name)).pipe(response);
    })();
  };
  const certificate = options.tls === true ? join(index.root, 'certificate.pem') : null;
  const key = join(index.root, 'key.pem');
  if (certificate !== null) {
    execFileSync(
      'openssl',
      [
        ...['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=localhost'],
        ...[
          '-addext',
          'subjectAltName=DNS:localhost',
          '-addext',
          'basicConstraints=critical,CA:FALSE',
          '-keyout',
          key,
          '-out',
          certificate,
        ],
      ],
      { stdio: 'ignore' },
    );
  }
  const server =
    certificate === null
      ? createServer(answer)
      : createTlsServer({ key: await readFile(key), cert: await readFile(certificate) }, answer);
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const { port } = server.address() as AddressInfo;
  const base: NodeJS.ProcessEnv = { ...index.env };
  for (const name of ['UV_FIND_LINKS', 'UV_NO_INDEX']) delete base[name];
  // This machine's own are not what is tested.
  for (const name of Object.keys(base)) if (/^SSL_|_proxy$/i.test(name)) delete base[name];
  const at = (host: string): NodeJS.ProcessEnv => ({
    ...base,
    UV_DEFAULT_INDEX: `${host}/simple`,
    UV_HTTP_RETRIES: '0',
  });
  return {
    env: at(certificate === null ? `http://127.0.0.1:${port}` : `https://localhost:${port}`),
    behindProxy: at('http://packages.invalid'),
    proxy: `http://127.0.0.1:${port}`,
    certificate,
    asked: () => asked,
    async close() {
      server.closeAllConnections();
      if (server.listening) await new Promise((done) => server.close(done));
    },
  };
}

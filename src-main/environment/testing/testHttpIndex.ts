import { execFileSync } from 'node:child_process';
import { createReadStream } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { TestIndex } from './testIndex.ts';

/**
 * For tests: serves the wheels of a test index over HTTP on the loopback interface, like a package index. It is also a
 * proxy for the host `packages.invalid`, which can only be reached through it.
 */
export interface TestHttpIndex {
  /** Settings with which uv uses this index. */
  readonly env: NodeJS.ProcessEnv;
  /** Settings for the index behind the proxy; the proxy itself must be set separately. */
  readonly behindProxy: NodeJS.ProcessEnv;
  readonly proxy: string;
  /** The certificate that is not in the system's store; null without TLS. */
  readonly certificate: string | null;
  /** How many requests it got. */
  requestCount(): number;
  /** Makes it unreachable. */
  close(): Promise<void>;
}

export async function createHttpIndex(
  index: TestIndex,
  options: { readonly tls?: boolean } = {},
): Promise<TestHttpIndex> {
  const links = index.env['UV_FIND_LINKS'] ?? '';
  let requestCount = 0;
  const answer: RequestListener = (request, response) => {
    requestCount += 1;
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
  // Settings of this machine must not affect the test.
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
    requestCount: () => requestCount,
    async close() {
      server.closeAllConnections();
      if (server.listening) await new Promise((done) => server.close(done));
    },
  };
}

/** A local HTTP server with scripted answers, on which the fakes of SQL services are built. */

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { gunzipSync } from 'node:zlib';

/** A local HTTP server that fakes a service for tests; `stop` also closes open connections. */
export interface HttpStandIn {
  readonly url: string;
  readonly host: string;
  readonly port: number;
  stop(): Promise<void>;
}

export interface StandInRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage['headers'];
  /** Parsed JSON, or the fields of a form; undefined without a body. */
  readonly body: unknown;
}

export interface StandInAnswer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** @param answer returns the response to a request; `hang` sends none */
export async function startStandIn(
  answer: (request: StandInRequest) => StandInAnswer | 'hang' | Promise<StandInAnswer | 'hang'>,
): Promise<HttpStandIn> {
  const server = createServer((request, response) => {
    serve(request, response).catch((error: unknown) => {
      response.writeHead(500, { 'content-type': 'text/plain' }).end(String(error));
    });
  });
  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://stand.in');
    const body = await readBody(request);
    const { method = 'GET', headers } = request;
    const result = await answer({ method, path: pathname, query: searchParams, headers, body });
    if (result === 'hang') return;
    const { status = 200, headers: more = {}, body: content } = result;
    response.writeHead(status, { 'content-type': 'application/json', ...more });
    response.end(
      status === 204 ? undefined : content instanceof Uint8Array ? content : JSON.stringify(content ?? {}),
    );
  };
  const port = await listen(server);
  return {
    url: `http://127.0.0.1:${port}`,
    host: '127.0.0.1',
    port,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function readBody(request: IncomingMessage): Promise<unknown> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  const bytes = Buffer.concat(parts);
  const text = request.headers['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes;
  if (text.length === 0) return undefined;
  const isForm = request.headers['content-type']?.startsWith('application/x-www-form-urlencoded') === true;
  return isForm
    ? Object.fromEntries(new URLSearchParams(text.toString('utf8')))
    : JSON.parse(text.toString('utf8'));
}

function listen(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      if (typeof address === 'object' && address !== null) resolve(address.port);
      else reject(new Error('no port'));
    });
  });
}

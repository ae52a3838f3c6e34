import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What a worker sent to one place. */
export interface Received {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

export type Handler = (request: IncomingMessage, response: ServerResponse, body: Buffer) => void;

/** The places a pull request names: inputs, upload, finalize and log, each as a table of handlers. */
export interface SignedPlaces {
  readonly url: string;
  readonly received: Received[];
  on(path: string, handler: Handler): void;
  close(): Promise<void>;
}

export async function openSignedPlaces(): Promise<SignedPlaces> {
  const handlers = new Map<string, Handler>();
  const received: Received[] = [];
  const server = createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('error', () => {});
    request.on('end', () => {
      const url = new URL(request.url ?? '/', 'http://places');
      const body = Buffer.concat(pieces);
      const { method = '', headers } = request;
      received.push({ method, path: url.pathname, query: url.searchParams, headers, body });
      const handler = handlers.get(url.pathname);
      if (handler === undefined) response.writeHead(404).end();
      else handler(request, response, body);
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    on: (path, handler) => void handlers.set(path, handler),
    close: () =>
      new Promise((done) => {
        server.closeAllConnections();
        server.close(() => done());
      }),
  };
}

export const answering =
  (status: number, body: string | Buffer = ''): Handler =>
  (_request, response) =>
    void response.writeHead(status).end(body);

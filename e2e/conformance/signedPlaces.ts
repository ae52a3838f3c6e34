/** A server for the signed URLs of a pull request (inputs, upload, finalize, log), for tests of workers. */

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request that a worker sent to one of the signed URLs. */
export interface Received {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

export type Handler = (request: IncomingMessage, response: ServerResponse, body: Buffer) => void;

/** A server for the URLs in a pull request (inputs, upload, finalize, log), each answered by a handler. */
export interface SignedPlaces {
  readonly url: string;
  readonly received: Received[];
  on(path: string, handler: Handler): void;
  close(): Promise<void>;
}

export async function openSignedPlaces(host = '127.0.0.1'): Promise<SignedPlaces> {
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
  await new Promise<void>((done) => server.listen(0, host, done));
  return {
    url: `http://${host}:${(server.address() as AddressInfo).port}`,
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

/**
 * Handles a form upload with the checks of S3 and Google Cloud Storage: the form must have the policy's fields exactly
 * as signed, before the file, and the file must be within the policy's content-length range.
 */
export function boundedForm(
  fields: Readonly<Record<string, string>>,
  [least, most]: readonly [number, number],
): Handler {
  return (request, response, body) => {
    const type = request.headers['content-type'] ?? '';
    const refuse = (status: number, code: string) =>
      void response
        .writeHead(status, { 'content-type': 'application/xml' })
        .end(`<Error><Code>${code}</Code></Error>`);
    new Response(new Uint8Array(body), { headers: { 'content-type': type } }).formData().then(
      (form) => {
        const names = [...form.keys()];
        const isSigned = Object.entries(fields).every(([name, value]) => form.get(name) === value);
        if (!isSigned || names.length !== Object.keys(fields).length + 1) return refuse(403, 'AccessDenied');
        const file = form.get('file');
        if (names.at(-1) !== 'file' || !(file instanceof File)) return refuse(400, 'InvalidArgument');
        if (file.size < least) return refuse(400, 'EntityTooSmall');
        if (file.size > most) return refuse(400, 'EntityTooLarge');
        response.writeHead(204).end();
      },
      () => refuse(400, 'MalformedPOSTRequest'),
    );
  };
}

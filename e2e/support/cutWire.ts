/** A proxy between a server and an object store that interrupts a write at a chosen point, for crash tests. */

import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';

/** When `onCut` is called: at the nth write, before the store gets it, or after it and before the answer. */
export interface Cut {
  readonly write: number;
  readonly when: 'before' | 'after';
  readonly onCut: () => void;
}

/** A proxy of an HTTP server that can interrupt a write. */
export interface CutWire {
  readonly url: string;
  /** Starts to count writes; null if none is to be cut. */
  arm(cut: Cut | null): void;
  /** The paths of the writes that reached the server since `arm`, after all of them have ended. */
  written(): Promise<readonly string[]>;
  close(): Promise<void>;
}

/**
 * Starts the proxy. It forwards only complete requests, so that the server gets a write completely or not at all, like
 * an object store.
 */
export async function cutWire(target: string): Promise<CutWire> {
  let cut: Cut | null = null;
  let writes = 0;
  let written: string[] = [];
  const underWay = new Set<Promise<void>>();
  const { hostname, port } = new URL(target);
  const passOn = (from: IncomingMessage, body: Buffer): Promise<IncomingMessage> =>
    new Promise((resolve, reject) => {
      const { method, url: path, headers } = from;
      const sent = request({ hostname, port, method, path, headers, agent: false }, resolve);
      sent.once('error', reject);
      sent.end(body);
    });
  const handle = async (from: IncomingMessage, to: ServerResponse): Promise<void> => {
    const body = await bytesOf(from);
    const isWrite = from.method === 'PUT';
    if (isWrite) writes += 1;
    const now = isWrite && cut?.write === writes ? cut : null;
    if (now?.when === 'before') return cutOff(to, now);
    const answer = await passOn(from, body);
    if (isWrite) written.push(decodeURIComponent(new URL(from.url ?? '/', target).pathname));
    if (now !== null) {
      answer.resume();
      return cutOff(to, now);
    }
    to.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(to);
  };
  const server = createServer((from, to) => {
    const done = handle(from, to).catch((error: unknown) => {
      to.destroy(error instanceof Error ? error : new Error(String(error)));
    });
    underWay.add(done);
    void done.then(() => underWay.delete(done));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the wire has no port');
  return {
    url: `http://127.0.0.1:${address.port}`,
    arm(next) {
      cut = next;
      writes = 0;
      written = [];
    },
    async written() {
      await Promise.all(underWay);
      return written;
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

function cutOff(to: ServerResponse, { onCut }: Cut): void {
  onCut();
  to.destroy();
}

async function bytesOf(stream: IncomingMessage): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of stream) pieces.push(piece);
  return Buffer.concat(pieces);
}

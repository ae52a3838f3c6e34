import { connect, createServer, type Socket } from 'node:net';

/** A proxy for PostgreSQL that, like PgBouncer, refuses sessions with `options` in the startup parameters. */
export interface Pooler {
  readonly port: number;
  /** The number of sessions refused so far. */
  refused(): number;
  stop(): Promise<void>;
}

const MESSAGE = 'SERROR\0VERROR\0C08P01\0Munsupported startup parameter: options\0\0';

export function startPooler(target: number): Promise<Pooler> {
  let refused = 0;
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const backend = connect(target, '127.0.0.1');
    for (const socket of [client, backend]) {
      sockets.add(socket);
      socket.once('close', () => sockets.delete(socket)).on('error', () => socket.destroy());
    }
    client.once('close', () => backend.destroy());
    backend.once('close', () => client.destroy());
    backend.pipe(client);
    client.on('data', (bytes) => {
      if (!bytes.includes('\0options\0')) return void backend.write(bytes);
      refused += 1;
      const text = Buffer.from(MESSAGE);
      const head = Buffer.alloc(5, 'E');
      head.writeInt32BE(text.length + 4, 1);
      client.end(Buffer.concat([head, text]));
      return undefined;
    });
  });
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      if (typeof address !== 'object' || address === null) return reject(new Error('no port'));
      resolve({
        port: address.port,
        refused: () => refused,
        stop: () =>
          new Promise((done) => {
            server.close(() => done());
            for (const socket of sockets) socket.destroy();
          }),
      });
    });
  });
}

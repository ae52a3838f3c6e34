import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A server that takes requests and never answers: a catalog that hangs. */
export interface SilentServer {
  readonly url: string;
  close(): void;
}

export async function startSilentServer(): Promise<SilentServer> {
  const server = createServer(() => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // of TCP
  return {
    url: `http://127.0.0.1:${port}`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

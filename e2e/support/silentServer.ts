import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A server that accepts requests and never answers, like a catalog that hangs. */
export interface SilentServer {
  readonly url: string;
  close(): void;
}

export async function startSilentServer(): Promise<SilentServer> {
  const server = createServer(() => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // the address of a TCP server
  return {
    url: `http://127.0.0.1:${port}`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

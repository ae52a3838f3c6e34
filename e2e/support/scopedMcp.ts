/** Starts the MCP endpoint with callers of limited scopes, for tests of the tools' permissions. */

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { McpEndpoint } from '../../src-main/mcp/endpoint.ts';
import { fakeCall, fakeCaller } from '../../src-main/mcp/testing/fakeCall.ts';
import { createLogger } from '../../src-main/observe/log.ts';

/**
 * Starts the MCP endpoint with callers that have only these scopes, and without an open notebook. The built program has
 * no sign-in yet, so there all callers have every scope.
 */
export async function startScopedMcp(
  scopes: readonly string[],
): Promise<{ readonly url: string; close(): Promise<void> }> {
  const caller = fakeCaller(scopes, (name) => {
    if (name === 'listSessions') return { sessions: [] };
    throw new Error(`${name} was called`);
  });
  const { registry, evaluate } = fakeCall(caller);
  const log = createLogger({ level: 'ERROR', format: 'json' });
  const endpoint = new McpEndpoint({
    sessions: { find: () => null },
    registry,
    evaluate,
    version: '0',
    log,
  });
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer); // a Buffer, because no encoding is set
    const text = Buffer.concat(chunks).toString();
    const headers = Object.entries(request.headers).map(([name, value]): [string, string] => [
      name,
      String(value),
    ]);
    const answer = await endpoint.handle({
      request: new Request(`http://localhost${request.url}`, { method: request.method ?? 'GET', headers }),
      body: text === '' ? undefined : JSON.parse(text),
      caller,
      closed: new Promise((resolve) => response.on('close', resolve)),
    });
    response.writeHead(answer.status, Object.fromEntries(answer.headers));
    if (answer.body === null) response.end();
    // The client may leave a stream at any time.
    else await pipeline(Readable.fromWeb(answer.body as never), response).catch(() => undefined); // the same class
  };
  const server = createServer((request, response) => {
    serve(request, response).catch((error: unknown) => response.destroy(error as Error)); // only Errors are thrown
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // the server listens on a port
  return {
    url: `http://127.0.0.1:${port}`,
    async close() {
      await endpoint.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

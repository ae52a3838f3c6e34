/**
 * Passes messages between an agent on standard input and output and the MCP endpoint of a server (`svc agent --stdio`).
 */

import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import {
  isInitializeRequest,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
  type JSONRPCMessage,
  type RequestId,
} from '@modelcontextprotocol/sdk/types.js';
import { LAUNCH_TOKEN_HEADER } from '../../../src-shared/shell/handshake.ts';

/**
 * Passes messages unchanged between a client on standard input and output and the MCP endpoint of a server, until the
 * client closes its end.
 */
export async function bridgeStdio(base: URL, token: string | null): Promise<void> {
  const url = new URL('mcp/', base.href.endsWith('/') ? base : `${base.href}/`);
  const http = new StreamableHTTPClientTransport(url, {
    requestInit: { headers: token === null ? {} : { [LAUNCH_TOKEN_HEADER]: token } },
  });
  const stdio = new StdioServerTransport();
  const inputEnded = new Promise<void>((resolve) => process.stdin.once('end', resolve));
  joinTransports(stdio, http, (version) => http.setProtocolVersion(version));
  await http.start();
  await stdio.start();
  await inputEnded;
  // The server may have ended first.
  await http.terminateSession().catch(() => undefined);
  await http.close();
  await stdio.close();
}

/** One end of the bridge. */
interface Line {
  onmessage?: (message: JSONRPCMessage) => void;
  send(message: JSONRPCMessage): Promise<void>;
}

/**
 * Connects both ends. A request that cannot be delivered is answered with an error, so that the client does not wait
 * for it.
 */
export function joinTransports(client: Line, server: Line, onVersion: (version: string) => void): void {
  let initialize: RequestId | null = null;
  client.onmessage = (message: JSONRPCMessage) => {
    if (isInitializeRequest(message) && isJSONRPCRequest(message)) initialize = message.id;
    server.send(message).catch((error: unknown) => {
      if (!isJSONRPCRequest(message)) return;
      const why = error instanceof Error ? error.message : String(error);
      void client.send({
        jsonrpc: '2.0',
        id: message.id,
        error: { code: -32000, message: `The server cannot be reached: ${why}` },
      });
    });
  };
  server.onmessage = (message: JSONRPCMessage) => {
    if (isJSONRPCResultResponse(message) && message.id === initialize) {
      const { protocolVersion } = message.result;
      if (typeof protocolVersion === 'string') onVersion(protocolVersion);
    }
    void client.send(message);
  };
}

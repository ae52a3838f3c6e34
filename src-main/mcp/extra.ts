import type { RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js';
import type { ServerNotification, ServerRequest } from '@modelcontextprotocol/sdk/types.js';
import type { McpCaller } from './mcpCaller.ts';

/** The data that the MCP SDK passes to a handler about the client's request. */
export type RequestExtra = RequestHandlerExtra<ServerRequest, ServerNotification>;

/** The caller that the endpoint attached to the HTTP request. */
export function callerOf({ authInfo }: RequestExtra): McpCaller {
  const caller = authInfo?.extra?.['caller'];
  if (caller === undefined) throw new Error('an MCP request came without its caller');
  return caller as McpCaller; // attached by the endpoint
}

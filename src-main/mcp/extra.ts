import type { RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js';
import type { ServerNotification, ServerRequest } from '@modelcontextprotocol/sdk/types.js';
import type { McpCaller } from './mcpCaller.ts';

/** What the SDK passes along with a request of a client. */
export type Extra = RequestHandlerExtra<ServerRequest, ServerNotification>;

/** The caller that the endpoint passed along with the HTTP request. */
export function callerOf({ authInfo }: Extra): McpCaller {
  const caller = authInfo?.extra?.['caller'];
  if (caller === undefined) throw new Error('an MCP request came without its caller');
  return caller as McpCaller; // the endpoint put it there
}

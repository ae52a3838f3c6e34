/** Contracts of the routes that show and switch whether agents can connect over MCP. */

import * as z from 'zod';
import type { RouteContract } from './contract.ts';

/** Whether agents can connect over MCP, and where. */
const agentAccess = z.object({
  enabled: z.boolean(),
  /**
   * The server was started with SVC_MCP_ENABLED: even if it is switched off, a restart switches it on again.
   */
  configured: z.boolean(),
  /** Whether the choice is stored, so that a restart keeps it. */
  kept: z.boolean(),
  /** The URL of the MCP endpoint, for programs on this machine. */
  url: z.string(),
  /** Requests need a token that only the user's own programs can read: clients connect through `svc agent --stdio`. */
  needs_token: z.boolean(),
  /** What an agent may do. */
  scopes: z.array(z.string()),
});
export type AgentAccess = z.infer<typeof agentAccess>;

export const AGENT_ROUTES = {
  agentAccess: {
    method: 'GET',
    path: '/v1/notebooks/x/mcp',
    summary: 'Whether agents can connect over MCP, and the address',
    scope: 'notebook:read',
    personalOnly: true,
    response: agentAccess,
    errors: [403],
  },
  setAgentAccess: {
    method: 'PUT',
    path: '/v1/notebooks/x/mcp',
    summary: 'Switches the MCP endpoint on or off, at once',
    scope: 'admin:*',
    personalOnly: true,
    body: z.object({ enabled: z.boolean() }),
    response: agentAccess,
    errors: [403],
  },
} as const satisfies Record<string, RouteContract>;

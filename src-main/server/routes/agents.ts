/** Handlers of the switch for agents. */

import type { AGENT_ROUTES, AgentAccess } from '../../../src-shared/wire/routes/agents.ts';
import type { HandlersOf } from '../implementRoutes.ts';
import type { McpSwitch } from '../mcpSwitch.ts';

/** What the routes of agents need. */
interface AgentAccessParts {
  readonly mcpSwitch: McpSwitch;
  /** The address of the server, with the slash at its end. */
  readonly address: () => string;
  readonly needsToken: boolean;
}

/** On a personal server an agent has the user's rights. */
const SCOPES = ['notebook:read', 'notebook:write', 'notebook:execute', 'artifacts:publish'];

/** Whether agents can connect over MCP, and the switch for it. */
export function agentHandlers({
  mcpSwitch,
  address,
  needsToken,
}: AgentAccessParts): HandlersOf<typeof AGENT_ROUTES> {
  const answer = (): AgentAccess => ({
    enabled: mcpSwitch.isOn(),
    configured: mcpSwitch.isConfigured,
    kept: mcpSwitch.isKept,
    url: `${address()}mcp/`,
    needs_token: needsToken,
    scopes: SCOPES,
  });
  return {
    agentAccess: async () => answer(),
    setAgentAccess: async ({ body }) => {
      await mcpSwitch.set(body.enabled);
      return answer();
    },
  };
}

/** Handlers of the routes that show whether agents can connect over MCP, and that turn this on and off. */

import type { AGENT_ROUTES, AgentAccess } from '../../../src-shared/wire/routes/agents.ts';
import type { HandlersOf } from '../implementRoutes.ts';
import type { McpSwitch } from '../mcpSwitch.ts';

/** The parts of the server that the routes about agents use. */
interface AgentAccessParts {
  readonly mcpSwitch: McpSwitch;
  /** The URL of the server, with the slash at its end. */
  readonly baseUrl: () => string;
  readonly needsToken: boolean;
}

/** On a personal server an agent has the user's rights. */
const SCOPES = ['notebook:read', 'notebook:write', 'notebook:execute', 'artifacts:publish'];

/** Whether agents can connect over MCP, and the switch for it. */
export function agentHandlers({
  mcpSwitch,
  baseUrl,
  needsToken,
}: AgentAccessParts): HandlersOf<typeof AGENT_ROUTES> {
  const answer = (): AgentAccess => ({
    enabled: mcpSwitch.isOn(),
    configured: mcpSwitch.isConfigured,
    kept: mcpSwitch.isKept,
    url: `${baseUrl()}mcp/`,
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

/** The configuration text that an MCP client needs to connect to this server, as described in docs/mcp.md. */

import type { AgentAccess } from '../../src-shared/wire/routes/agents.ts';

export type AgentClient = 'claude' | 'codex' | 'json';

const NAME = 'svc-notebook';

/**
 * The configuration for a client. A server with a token is reached through the `svc mcp` bridge, which reads the token
 * itself.
 */
export function agentConfig(
  client: AgentClient,
  { url, needs_token: needsToken }: Pick<AgentAccess, 'url' | 'needs_token'>,
): string {
  const server = url.replace(/\/mcp\/$/, '');
  const args = ['agent', '--stdio', '--server', server];
  switch (client) {
    case 'claude':
      return needsToken
        ? `claude mcp add ${NAME} -- svc ${args.join(' ')}`
        : `claude mcp add --transport http ${NAME} ${url}`;
    case 'codex':
      return needsToken
        ? `[mcp_servers.${NAME}]\ncommand = "svc"\nargs = ${JSON.stringify(args)}`
        : `[mcp_servers.${NAME}]\nurl = ${JSON.stringify(url)}`;
    case 'json': {
      const entry = needsToken ? { command: 'svc', args } : { type: 'http', url };
      return JSON.stringify({ mcpServers: { [NAME]: entry } }, null, 2);
    }
  }
}

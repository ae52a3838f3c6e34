import { expect, it } from 'vitest';
import { type AgentClient, agentConfig } from './agentConfig.ts';

const URL = 'http://127.0.0.1:8765/mcp/';
const BRIDGE = ['agent', '--stdio', '--server', 'http://127.0.0.1:8765'];

/** [client, whether a token is needed, the configuration] */
const CONFIGS: readonly (readonly [AgentClient, boolean, string])[] = [
  ['claude', false, `claude mcp add --transport http svc-notebook ${URL}`],
  ['claude', true, `claude mcp add svc-notebook -- svc ${BRIDGE.join(' ')}`],
  ['codex', false, `[mcp_servers.svc-notebook]\nurl = "${URL}"`],
  ['codex', true, `[mcp_servers.svc-notebook]\ncommand = "svc"\nargs = ${JSON.stringify(BRIDGE)}`],
];

it.each(CONFIGS)('[AG-93] the configuration of %s, with a token: %s', (client, needs_token, text) => {
  expect(agentConfig(client, { url: URL, needs_token })).toBe(text);
});

it('[AG-93] the JSON has the form of docs/mcp.md', () => {
  const parsed = (needs_token: boolean) => JSON.parse(agentConfig('json', { url: URL, needs_token }));
  expect(parsed(false)).toEqual({ mcpServers: { 'svc-notebook': { type: 'http', url: URL } } });
  expect(parsed(true)).toEqual({ mcpServers: { 'svc-notebook': { command: 'svc', args: BRIDGE } } });
});

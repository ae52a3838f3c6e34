/** UI texts of the setting for agents over MCP. */
export const AGENT_WORDS = {
  title: 'Agents (MCP)',
  enable: 'Let agents connect',
  hint: 'Coding agents such as Claude Code or Codex can read, edit and run open notebooks of this server over MCP.',
  off: 'Off: no agent can connect.',
  address: 'Address',
  copyAddress: 'Copy address',
  client: 'Configuration for',
  clients: { claude: 'Claude Code', codex: 'Codex', json: 'Other (JSON)' },
  where: {
    claude: 'Run this in a terminal, in the folder of the notebook:',
    codex: 'Add this to ~/.codex/config.toml:',
    json: 'Add this to the configuration of the client, for example .mcp.json:',
  },
  copy: 'Copy configuration',
  copied: 'Copied',
  notCopied: 'Couldn’t copy. Select the text and copy it manually.',
  token: 'The svc command reads the token of this server itself, so the token is not in the configuration.',
  scope: (scopes: readonly string[]): string =>
    `Agents have your rights: ${scopes.join(', ')}. Connect only agents that you trust to run any code.`,
  configured:
    'This server was started with SVC_MCP_ENABLED. If you turn agents off here, they can connect again after a restart.',
  notKept: 'This server does not store settings, so your choice lasts until the server stops.',
  loading: 'Loading the setting…',
} as const;

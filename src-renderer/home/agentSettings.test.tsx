/**
 * The settings section "Agents (MCP)" in a browser, against a fake server: the switch, commands for each client, and
 * refusals.
 */

import { refusal } from '../../e2e/support/fakeServer.ts';
import { fakeBody } from '../../e2e/support/fakeServerNotebook.ts';
import type { AgentAccess } from '../../src-shared/wire/routes/agents.ts';
import { expect, openPage, test } from '../testing/fixture.ts';

const OFF: AgentAccess = {
  enabled: false,
  configured: false,
  kept: true,
  url: 'http://127.0.0.1:8765/mcp/',
  needs_token: false,
  scopes: ['notebook:read', 'notebook:write'],
};

test('[AG-92] the settings switch the endpoint for agents, with what each client needs', async ({
  page,
  serve,
}) => {
  const { fake, url } = await serve(fakeBody({ name: 'Trips', cells: [] }));
  fake.answers.agentAccess = OFF;
  fake.answers.setAgentAccess = ({ body }) => ({ ...OFF, ...(body as object) });
  await openPage(page, url);
  await page.keyboard.press('Control+,');
  const agents = page.getByRole('region', { name: 'Agents (MCP)' });
  await expect(agents).toContainText('Off: no agent can connect.');
  await agents.getByRole('switch', { name: 'Let agents connect' }).click();
  await expect(agents).toContainText('http://127.0.0.1:8765/mcp/');
  await expect(agents).toContainText('notebook:read, notebook:write');
  await expect(agents.locator('pre')).toHaveText(
    'claude mcp add --transport http svc-notebook http://127.0.0.1:8765/mcp/',
  );
  await agents.getByRole('radio', { name: 'Codex' }).click();
  await expect(agents.locator('pre')).toContainText('[mcp_servers.svc-notebook]');
  fake.answers.setAgentAccess = refusal(403, 'The disk is full.');
  await agents.getByRole('switch', { name: 'Let agents connect' }).click();
  await expect(agents.getByRole('alert')).toHaveText('The disk is full.');
  await expect(agents.getByRole('switch', { name: 'Let agents connect' })).toBeChecked();
});

test('[AG-92] on a shared server the page explains why there is no switch', async ({ page, serve }) => {
  const { fake, url } = await serve(fakeBody({ name: 'Trips', cells: [] }));
  fake.answers.agentAccess = refusal(403, 'Only a personal server does this.');
  await openPage(page, url);
  await page.keyboard.press('Control+,');
  const agents = page.getByRole('region', { name: 'Agents (MCP)' });
  await expect(agents).toContainText('Only a personal server does this.');
  await expect(agents.getByRole('switch')).toHaveCount(0);
});

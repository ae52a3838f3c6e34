import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createMcpSwitch } from './mcpSwitch.ts';
import { startTestServer, type TestServer } from './testing/testServer.ts';

let dir = '';
let server: TestServer | null = null;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'cellar-mcp-switch-'));
});
afterEach(async () => {
  await server?.close();
  server = null;
  await rm(dir, { recursive: true, force: true });
});

const log = { warn: () => undefined };

/** [what, the text of the file, what the configuration says, whether it is on] */
const STARTS: readonly (readonly [string, string | null, boolean, boolean])[] = [
  ['no choice yet', null, false, false],
  ['switched on before', '{"enabled":true}', false, true],
  ['switched off before, but configured', '{"enabled":false}', true, true],
  ['a damaged file', '{"enab', false, false],
  ['a file of another form', '{"enabled":"yes"}', false, false],
];

describe('[AG-92] the switch of the endpoint for agents', () => {
  it.each(STARTS)('at a start with %s', async (_, text, isConfigured, isOn) => {
    const path = join(dir, 'mcp.json');
    if (text !== null) await writeFile(path, text);
    expect(createMcpSwitch(path, { isConfigured, log }).isOn()).toBe(isOn);
  });

  it('is not switched if the choice cannot be stored', async () => {
    const file = join(dir, 'file');
    await writeFile(file, '');
    const one = createMcpSwitch(join(file, 'mcp.json'), { isConfigured: false, log });
    await expect(one.set(true)).rejects.toThrow();
    expect(one.isOn()).toBe(false);
  });

  it('takes effect immediately and after a restart, and switching off ends the sessions of agents', async () => {
    const config = { artifactDir: dir };
    const start = async (): Promise<TestServer> => {
      server = await startTestServer({ config });
      return server;
    };
    const first = await start();
    const put = (enabled: boolean) =>
      first.fetch('/v1/notebooks/x/mcp', {
        method: 'PUT',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ enabled }),
      });
    const hello = await first.fetch('/mcp/', initialize());
    expect(hello.status).toBe(404);
    expect(await hello.text()).toContain('Turn it on in the settings');
    expect(await (await put(true)).json()).toMatchObject({
      enabled: true,
      configured: false,
      kept: true,
      needs_token: false,
      url: `${first.url}mcp/`,
      scopes: ['notebook:read', 'notebook:write', 'notebook:execute', 'artifacts:publish'],
    });
    const connected = await first.fetch('/mcp/', initialize());
    expect(connected.status).toBe(200);
    const id = connected.headers.get('mcp-session-id') ?? '';
    await connected.body?.cancel();
    await (await put(false)).json();
    const ping = { ...initialize({ 'mcp-session-id': id }), body: JSON.stringify(PING) };
    expect((await first.fetch('/mcp/', ping)).status).toBe(404);
    await (await put(true)).json();
    const again = await first.fetch('/mcp/', ping);
    expect([again.status, await again.text()]).toEqual([404, expect.stringContaining('Session not found')]);
    expect(JSON.parse(await readFile(join(dir, 'mcp.json'), 'utf8'))).toEqual({ enabled: true });
    await first.close();
    const second = await start();
    expect(await (await second.fetch('/v1/notebooks/x/mcp')).json()).toMatchObject({ enabled: true });
  });
});

const PING = { jsonrpc: '2.0', id: 2, method: 'ping' };

function initialize(headers: Record<string, string> = {}): RequestInit {
  const params = {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'test', version: '1' },
  };
  return {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params }),
  };
}

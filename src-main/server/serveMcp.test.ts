import { afterEach, expect, it } from 'vitest';
import { LAUNCH_TOKEN_HEADER } from '../../src-shared/shell/handshake.ts';
import { startTestServer, type TestServer } from './testing/testServer.ts';

let server: TestServer | null = null;
afterEach(async () => {
  await server?.close();
  server = null;
});

const PING = { jsonrpc: '2.0', id: 1, method: 'ping' };
const post = (headers: Record<string, string> = {}): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
  body: JSON.stringify(PING),
});

it('[MC-2] without SVC_MCP_ENABLED there is no endpoint, and the reply explains how to enable it', async () => {
  server = await startTestServer();
  for (const path of ['/mcp', '/mcp/']) {
    const answer = await server.fetch(path, post());
    expect([answer.status, await answer.text()]).toEqual([
      404,
      expect.stringContaining('SVC_MCP_ENABLED=true'),
    ]);
  }
});

it('[MC-2] requires a launch token, and redirects the address without a slash to the one with it', async () => {
  const launchToken = 'a-token-of-a-test-that-is-long-enough';
  server = await startTestServer({ config: { mcpEnabled: true }, start: { launchToken } });
  const statuses = async (path: string, init: RequestInit) => {
    const answer = (await server?.fetch(path, init)) ?? new Response();
    await answer.text();
    return [answer.status, answer.headers.get('location')];
  };
  expect(await statuses('/mcp/', post())).toEqual([401, null]);
  const token = { [LAUNCH_TOKEN_HEADER]: launchToken };
  expect(await statuses('/mcp/', post(token))).toEqual([400, null]);
  expect(await statuses('/mcp', post(token))).toEqual([307, '/mcp/']);
  expect(await statuses('/mcp/', { method: 'HEAD', headers: token })).toEqual([405, null]);
});

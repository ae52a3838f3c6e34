import { expect, it } from 'vitest';
import { createLogger } from '../observe/log.ts';
import { McpEndpoint } from './endpoint.ts';
import type { McpCaller } from './mcpCaller.ts';
import { fakeCall, fakeCaller } from './testing/fakeCall.ts';

const HOUR_MS = 3_600_000;

function createEndpoint(): { endpoint: McpEndpoint; clock: { ms: number } } {
  const { registry, evaluate } = fakeCall(fakeCaller('all'));
  const clock = { ms: 0 };
  const log = createLogger({ level: 'ERROR', format: 'json', destination: { write: () => true } });
  const endpoint = new McpEndpoint({
    sessions: { find: () => null },
    registry,
    evaluate,
    version: '0',
    log,
    now: () => clock.ms,
  });
  return { endpoint, clock };
}

async function ask(
  endpoint: McpEndpoint,
  { caller = fakeCaller('all'), id, body }: { caller?: McpCaller; id?: string; body: unknown },
): Promise<{ status: number; id: string; text: string }> {
  let close = (): void => {};
  const closed = new Promise<void>((resolve) => {
    close = resolve;
  });
  const headers = {
    accept: 'application/json, text/event-stream',
    'content-type': 'application/json',
    ...(id === undefined ? {} : { 'mcp-session-id': id }),
  };
  const request = new Request('http://localhost/mcp/', { method: 'POST', headers });
  const response = await endpoint.handle({ request, body, caller, closed });
  const text = await response.text();
  close();
  await closed;
  return { status: response.status, id: response.headers.get('mcp-session-id') ?? '', text };
}

const INITIALIZE = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'raw', version: '1' } },
};
const PING = { jsonrpc: '2.0', id: 2, method: 'ping' };
const RESOURCES = { jsonrpc: '2.0', id: 3, method: 'resources/list' };

it('[MC-4] a session answers only its own caller and is invisible to others', async () => {
  const { endpoint } = createEndpoint();
  const { id } = await ask(endpoint, { body: INITIALIZE });
  const other = fakeCaller('all', undefined, 'another');
  expect((await ask(endpoint, { id, body: PING })).status).toBe(200);
  const refused = await ask(endpoint, { caller: other, id, body: PING });
  const unknown = await ask(endpoint, { caller: other, id: 'nobody', body: PING });
  expect([refused.status, refused.text]).toEqual([404, unknown.text]);
  await endpoint.close();
});

it('[MC-3] resources require the same scope as the reading tools', async () => {
  const { endpoint } = createEndpoint();
  const caller = fakeCaller(['notebook:write']);
  const { id } = await ask(endpoint, { caller, body: INITIALIZE });
  const { text } = await ask(endpoint, { caller, id, body: RESOURCES });
  expect(text).toContain('Resources require the notebook:read scope');
  await endpoint.close();
});

it('[MC-4] clients idle for an hour are removed, and at the limit the one idle for longest makes room for a new one', async () => {
  const { endpoint, clock } = createEndpoint();
  const first = await ask(endpoint, { body: INITIALIZE });
  for (let at = 1; at < 100; at += 1) {
    clock.ms += 1;
    await ask(endpoint, { body: INITIALIZE });
  }
  expect(endpoint.clientCount).toBe(100);
  clock.ms += 1;
  const added = await ask(endpoint, { body: INITIALIZE });
  expect([added.status, endpoint.clientCount]).toEqual([200, 100]);
  expect((await ask(endpoint, { id: first.id, body: PING })).status).toBe(404);
  clock.ms += HOUR_MS + 1;
  await ask(endpoint, { body: INITIALIZE });
  expect(endpoint.clientCount).toBe(1);
  await endpoint.close();
});

import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { expect, it } from 'vitest';
import { joinTransports } from './stdioBridge.ts';

const INITIALIZE: JSONRPCMessage = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'x', version: '1' } },
};

/** A client and a server, connected by the bridge. */
async function joined() {
  const [client, clientEnd] = InMemoryTransport.createLinkedPair();
  const [server, serverEnd] = InMemoryTransport.createLinkedPair();
  const messages: { client: JSONRPCMessage[]; server: JSONRPCMessage[]; versions: string[] } = {
    client: [],
    server: [],
    versions: [],
  };
  client.onmessage = (message) => void messages.client.push(message);
  server.onmessage = (message) => void messages.server.push(message);
  joinTransports(clientEnd, serverEnd, (version) => messages.versions.push(version));
  await Promise.all([client, clientEnd, server, serverEnd].map((end) => end.start()));
  return { client, server, serverEnd, heard: messages };
}

it('[MC-15] messages are passed unchanged, and the negotiated version is applied', async () => {
  const { client, server, heard } = await joined();
  const answer: JSONRPCMessage = { jsonrpc: '2.0', id: 1, result: { protocolVersion: '2025-06-18' } };
  const other: JSONRPCMessage = { jsonrpc: '2.0', id: 2, result: { protocolVersion: 'no version' } };
  await client.send(INITIALIZE);
  await server.send(answer);
  await server.send(other);
  expect(heard).toEqual({ server: [INITIALIZE], client: [answer, other], versions: ['2025-06-18'] });
});

it('[MC-15] a request that cannot be delivered is answered with an error', async () => {
  const { client, serverEnd, heard } = await joined();
  serverEnd.send = () => Promise.reject(new Error('gone'));
  await client.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
  await client.send({ jsonrpc: '2.0', id: 7, method: 'ping' });
  await expect.poll(() => heard.client.length).toBe(1);
  expect(heard.client).toEqual([
    { jsonrpc: '2.0', id: 7, error: { code: -32000, message: 'The server cannot be reached: gone' } },
  ]);
});

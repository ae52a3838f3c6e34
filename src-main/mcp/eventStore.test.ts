import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { expect, it } from 'vitest';
import { createEventStore } from './eventStore.ts';

const answer = (id: number, text = ''): JSONRPCMessage => ({
  jsonrpc: '2.0',
  id,
  result: { content: [{ type: 'text', text }] },
});

it('[MC-12] a stream is replayed after an event, without those of other streams', async () => {
  const store = createEventStore();
  const first = await store.storeEvent('a', answer(1));
  await store.storeEvent('b', answer(2));
  await store.storeEvent('a', {} as JSONRPCMessage); // the event that opens a stream has no message
  await store.storeEvent('a', answer(3));
  const messages: JSONRPCMessage[] = [];
  const streamId = await store.replayEventsAfter(first, {
    send: async (_id, message) => void messages.push(message),
  });
  expect([streamId, messages]).toEqual(['a', [answer(3)]]);
  expect([store.has(first), store.has('nobody')]).toEqual([true, false]);
});

it('[MC-12] the oldest events are dropped beyond the limits, and cannot be resumed from', async () => {
  const rows = [
    { limits: { events: 2, characters: 1e9 }, text: '' },
    { limits: { events: 100, characters: 2_000 }, text: 'x'.repeat(300) },
  ];
  for (const { limits, text } of rows) {
    const store = createEventStore(limits);
    const ids: string[] = [];
    for (let at = 0; at < 4; at += 1) ids.push(await store.storeEvent('a', answer(at, text)));
    expect(ids.map((id) => store.has(id))).toEqual([false, false, true, true]);
    await expect(store.replayEventsAfter(ids[0] ?? '', { send: async () => {} })).rejects.toThrow(
      /no longer/,
    );
  }
});

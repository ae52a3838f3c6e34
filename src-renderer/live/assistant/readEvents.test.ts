import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readEvents, type StreamEvent } from './readEvents.ts';

const EVENTS: readonly StreamEvent[] = [
  { event: 'delta', data: '{"text":"naïve 😀"}' },
  { event: 'delta', data: '{"text":"a: b"}' },
  { event: 'done', data: '{}' },
];
const BYTES = new TextEncoder().encode(
  `: a comment\n\n${EVENTS.map(({ event, data }) => `event: ${event}\ndata: ${data}\n\n`).join('')}event: half`,
);

function streamOf(pieces: readonly Uint8Array[]): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      for (const piece of pieces) controller.enqueue(piece);
      controller.close();
    },
  });
}

test('[AG-64] events are the same wherever the network splits the bytes', async () => {
  const cuts = fc.uniqueArray(fc.nat({ max: BYTES.length }), { maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(cuts, async (at) => {
      const places = [0, ...at.toSorted((a, b) => a - b), BYTES.length];
      const pieces = places.slice(1).map((end, index) => BYTES.slice(places[index], end));
      const read: StreamEvent[] = [];
      for await (const event of readEvents(streamOf(pieces))) read.push(event);
      expect(read).toEqual(EVENTS);
    }),
  );
});

test('[AG-67] a caller that stops listening ends the request', async () => {
  let isCancelled = false;
  const stream = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(BYTES),
    cancel: () => {
      isCancelled = true;
    },
  });
  for await (const event of readEvents(stream)) {
    expect(event).toEqual(EVENTS[0]);
    break;
  }
  expect(isCancelled).toBe(true);
});

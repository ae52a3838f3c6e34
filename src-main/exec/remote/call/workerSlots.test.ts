import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createWorkerSlots, type Slot, type SlotRequest } from './workerSlots.ts';

const never = new AbortController().signal;
const request = (more: Partial<SlotRequest> = {}): SlotRequest => ({
  ...{ worker: 'gpu', patienceMs: 3_600_000, signal: never },
  most: async () => 2,
  onWait: () => undefined,
  ...more,
});
const settle = async (): Promise<void> => {
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
};

it('[RW-43] runs begin in the order they came, no more at once than the worker takes; who gives up holds up nobody', async () => {
  const step = fc.constantFrom('take', 'end', 'give up', 'take elsewhere');
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { maxLength: 60 }),
      fc.option(fc.integer({ min: 1, max: 4 }), { nil: null }),
      async (steps, most) => {
        const slots = createWorkerSlots();
        const came: number[] = [];
        const gone = new Set<number>();
        const begun: number[] = [];
        const held: Slot[] = [];
        const waiting = new Map<number, AbortController>();
        const elsewhere = await slots.take('other', request());
        const ends: Promise<unknown>[] = [];
        for (const [number, what] of steps.entries()) {
          if (what === 'take') {
            came.push(number);
            const stop = new AbortController();
            waiting.set(number, stop);
            const taken = slots.take('here', request({ most: async () => most, signal: stop.signal })).then(
              (slot) => {
                begun.push(number);
                held.push(slot);
                waiting.delete(number);
                expect(held.length).toBeLessThanOrEqual(most ?? steps.length);
              },
              (error: unknown) => {
                if (!stop.signal.aborted) throw error;
              },
            );
            ends.push(taken);
          } else if (what === 'end') {
            const slot = held.shift();
            slot?.release();
            slot?.release();
          } else if (what === 'give up') {
            const [last] = [...waiting].slice(-1);
            if (last !== undefined) {
              const [number, stop] = last;
              gone.add(number);
              waiting.delete(number);
              stop.abort(new Error('given up'));
            }
          }
          await settle();
          // Nobody waits while there is room.
          if (waiting.size > 0) expect(held).toHaveLength(most ?? -1);
        }
        while (held.length > 0) {
          held.shift()?.release();
          await settle();
        }
        await Promise.all(ends);
        elsewhere.release();
        expect(begun).toEqual(came.filter((number) => !gone.has(number)));
      },
    ),
    { numRuns: 60 },
  );
});

it('[RW-43] the worker of one run alone is not asked how many it takes', async () => {
  const slots = createWorkerSlots();
  let asked = 0;
  const most = async () => {
    asked += 1;
    return 1;
  };
  (await slots.take('here', request({ most }))).release();
  const first = await slots.take('here', request({ most }));
  expect([asked, first.wasQueued]).toEqual([0, false]);
  const positions: number[] = [];
  const second = slots.take('here', request({ most, onWait: (at) => positions.push(at) }));
  await settle();
  first.release();
  expect([asked, positions, (await second).wasQueued]).toEqual([1, [1], true]);
});

it('[RW-43] places in the queue are told as they change', async () => {
  const slots = createWorkerSlots();
  const first = await slots.take('here', request({ most: async () => 1 }));
  const positions: number[][] = [[], []];
  const second = slots.take('here', request({ most: async () => 1, onWait: (at) => positions[0]?.push(at) }));
  const third = slots.take('here', request({ most: async () => 1, onWait: (at) => positions[1]?.push(at) }));
  await settle();
  first.release();
  (await second).release();
  await third;
  expect(positions).toEqual([[1], [2, 1]]);
});

it('[RW-43] a queue that does not move ends in words after its patience', async () => {
  const slots = createWorkerSlots();
  const first = await slots.take('here', request({ most: async () => 1 }));
  const waiting = slots.take('here', request({ most: async () => 1, patienceMs: 1 }));
  await expect(waiting).rejects.toMatchObject({
    code: 'PROVISIONING_TIMEOUT',
    message: expect.stringMatching(/waited 0\.001 s for a slot on worker 'gpu'/),
  });
  first.release();
  await slots.take('here', request());
});

it('[RW-44] a run that was refused is tried again as soon as another one of this program leaves', async () => {
  const slots = createWorkerSlots();
  const first = await slots.take('here', request());
  const second = await slots.take('here', request());
  const paused = second.pause(3_600_000, never);
  first.release();
  await paused;
  const stop = new AbortController();
  const stopped = second.pause(3_600_000, stop.signal);
  stop.abort(new Error('stopped'));
  await expect(stopped).rejects.toThrow('stopped');
});

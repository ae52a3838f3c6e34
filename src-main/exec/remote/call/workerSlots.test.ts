import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createWorkerSlots, type Slot, type SlotRequest } from './workerSlots.ts';

const never = new AbortController().signal;
const request = (more: Partial<SlotRequest> = {}): SlotRequest => ({
  worker: 'gpu',
  patienceMs: 3_600_000,
  signal: never,
  most: async () => 2,
  onWait: () => undefined,
  ...more,
});
const settle = async (): Promise<void> => {
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
};

it('[RW-43] runs start in order, at most as many at once as the worker accepts; a cancelled run delays no other', async () => {
  const step = fc.constantFrom('take', 'end', 'give up', 'take elsewhere');
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { maxLength: 60 }),
      fc.option(fc.integer({ min: 1, max: 4 }), { nil: null }),
      async (steps, most) => {
        const slots = createWorkerSlots();
        const arrivals: number[] = [];
        const abandoned = new Set<number>();
        const starts: number[] = [];
        const activeSlots: Slot[] = [];
        const waiting = new Map<number, AbortController>();
        const elsewhere = await slots.take('other', request());
        const ends: Promise<unknown>[] = [];
        for (const [number, what] of steps.entries()) {
          if (what === 'take') {
            arrivals.push(number);
            const stop = new AbortController();
            waiting.set(number, stop);
            const attempt = slots.take('here', request({ most: async () => most, signal: stop.signal })).then(
              (slot) => {
                starts.push(number);
                activeSlots.push(slot);
                waiting.delete(number);
                expect(activeSlots.length).toBeLessThanOrEqual(most ?? steps.length);
              },
              (error: unknown) => {
                if (!stop.signal.aborted) throw error;
              },
            );
            ends.push(attempt);
          } else if (what === 'end') {
            const slot = activeSlots.shift();
            slot?.release();
            slot?.release();
          } else if (what === 'give up') {
            const [last] = [...waiting].slice(-1);
            if (last !== undefined) {
              const [number, stop] = last;
              abandoned.add(number);
              waiting.delete(number);
              stop.abort(new Error('given up'));
            }
          }
          await settle();
          // No run waits while there is a free slot.
          if (waiting.size > 0) expect(activeSlots).toHaveLength(most ?? -1);
        }
        while (activeSlots.length > 0) {
          activeSlots.shift()?.release();
          await settle();
        }
        await Promise.all(ends);
        elsewhere.release();
        expect(starts).toEqual(arrivals.filter((number) => !abandoned.has(number)));
      },
    ),
    { numRuns: 60 },
  );
});

it('[RW-43] for a single run the worker is not asked how many it accepts', async () => {
  const slots = createWorkerSlots();
  let queries = 0;
  const most = async () => {
    queries += 1;
    return 1;
  };
  (await slots.take('here', request({ most }))).release();
  const first = await slots.take('here', request({ most }));
  expect([queries, first.wasQueued]).toEqual([0, false]);
  const positions: number[] = [];
  const second = slots.take('here', request({ most, onWait: (at) => positions.push(at) }));
  await settle();
  first.release();
  expect([queries, positions, (await second).wasQueued]).toEqual([1, [1], true]);
});

it('[RW-43] positions in the queue are reported when they change', async () => {
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

it('[RW-43] a queue that does not move ends with a message after its time limit', async () => {
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

it('[RW-44] a refused run is sent again as soon as another run of this program ends', async () => {
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

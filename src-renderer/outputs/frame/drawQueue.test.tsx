import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { drawInTurn } from './drawQueue.ts';
import { countFigure } from './liveFigures.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

/** An element whose top edge is so far below that of the window. */
function placeAt(top: number): Element {
  const place = document.createElement('div');
  place.getBoundingClientRect = () => new DOMRect(0, top, 100, 100);
  return document.body.appendChild(place);
}

if (globalThis.DOMRect === undefined) {
  vi.stubGlobal(
    'DOMRect',
    class {
      readonly top: number;
      readonly bottom: number;
      constructor(_x: number, y: number, _width: number, height: number) {
        this.top = y;
        this.bottom = y + height;
      }
    },
  );
}

/** Three outputs that are ready at the same time; how each turn ends. */
const ROWS: readonly [name: string, end: (ends: (() => void)[]) => void][] = [
  ['are drawn', (ends) => ends.pop()?.()],
  ['never end', () => vi.advanceTimersByTime(4_000)],
];

test.each(ROWS)('[VA-93] outputs that %s get their turns, the nearest first', async (_name, end) => {
  const order: number[] = [];
  const ends: (() => void)[] = [];
  const stops = [3_000, 400, 1_200].map((top) => {
    const stop = drawInTurn(placeAt(top), () => {
      order.push(top);
      ends.push(stop);
    });
    return stop;
  });
  await Promise.resolve();
  expect(order).toEqual([400]);
  end(ends);
  expect(order).toEqual([400, 1_200]);
  end(ends);
  expect(order).toEqual([400, 1_200, 3_000]);
  for (const stop of stops) stop();
});

test('[VA-93] an output removed while it waits is not drawn, and one removed while it is drawn ends its turn', async () => {
  const order: string[] = [];
  const stops = ['first', 'second', 'third'].map((name, at) =>
    drawInTurn(placeAt(at * 1_000), () => order.push(name)),
  );
  await Promise.resolve();
  stops[1]?.();
  stops[0]?.();
  expect(order).toEqual(['first', 'third']);
  stops[2]?.();
});

const SHARES: readonly [name: string, share: number][] = [
  ['figures', 1],
  ['times four widgets', 1 / 4],
];

test.each(SHARES)(
  '[VA-94] of more than 24 %s, the farthest is released, but none within three windows',
  (_name, share) => {
    const released: number[] = [];
    const count = (top: number, isInUse = () => false): (() => void) =>
      countFigure(placeAt(top), { share, isInUse, release: async () => released.push(top) > 0 });
    const stops = Array.from({ length: 24 / share }, (_none, at) => count((at % 5) * 100));
    stops.push(count(0));
    expect(released).toEqual([]);
    stops.push(count(50_000), count(90_000));
    expect(released).toEqual([50_000, 90_000]);
    // The farthest is in use: the next one is released.
    stops.push(
      count(95_000, () => true),
      count(60_000),
      count(70_000),
    );
    expect(released).toEqual([50_000, 90_000, 60_000, 70_000]);
    for (const stop of stops) stop();
  },
);

test('[VA-93] an output that was removed gets no turn', async () => {
  const order: string[] = [];
  const removedPlace = placeAt(400);
  drawInTurn(removedPlace, () => order.push('gone'));
  const stop = drawInTurn(placeAt(1_200), () => order.push('there'));
  removedPlace.remove();
  await Promise.resolve();
  expect(order).toEqual(['there']);
  stop();
});

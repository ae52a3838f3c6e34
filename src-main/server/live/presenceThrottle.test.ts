import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { AddressedFrame } from '../../session/state/requests.ts';
import { status, toAll } from '../testing/liveRoom.ts';
import { createPresenceThrottle } from './presenceThrottle.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const presence = (sockets: number): AddressedFrame[] =>
  Array.from({ length: sockets }, (_, at) => ({
    frame: { type: 'presence', payload: { principals: [], you: `of ${sockets}`, others: [] } },
    to: { kind: 'only', socketId: String(at) },
    ...(at === 0 ? {} : { sharesSeq: true }),
  }));

test('[SG-44] presence reaches a few sockets immediately, and a crowd as one newest frame after a delay', () => {
  const batches: (readonly AddressedFrame[])[] = [];
  let sockets = 0;
  const calm = createPresenceThrottle(
    (frames) => batches.push(frames),
    () => sockets,
  );
  const joined = (): void => {
    sockets += 1;
    calm.send([toAll(status), ...presence(sockets)]);
  };
  for (let n = 0; n < 16; n += 1) joined();
  expect(batches.map((frames) => frames.length)).toEqual(Array.from({ length: 16 }, (_, n) => n + 2));
  batches.length = 0;
  for (let n = 0; n < 434; n += 1) joined();
  // Other frames are not delayed and keep their order.
  expect(batches).toEqual(Array.from({ length: 434 }, () => [toAll(status)]));
  batches.length = 0;
  vi.advanceTimersByTime(60_000);
  expect(batches).toEqual([presence(450)]);
  batches.length = 0;
  joined();
  calm.close();
  vi.advanceTimersByTime(60_000);
  expect(batches).toEqual([[toAll(status)]]);
});

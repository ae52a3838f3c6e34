import { expect, it } from 'vitest';
import { anySignal } from './anySignal.ts';

it('[WG-32] signals are combined where the browser cannot: the first that is aborted decides', () => {
  const [a, b] = [new AbortController(), new AbortController()];
  const combined = anySignal([a.signal, b.signal]);
  expect(combined.aborted).toBe(false);
  b.abort('second');
  a.abort('first');
  expect([combined.aborted, combined.reason]).toEqual([true, 'second']);
  expect(anySignal([AbortSignal.abort('before'), a.signal]).reason).toBe('before');
  expect(anySignal([]).aborted).toBe(false);
});

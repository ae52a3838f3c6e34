import fc from 'fast-check';
import { expect, test } from 'vitest';
import { distinctPairs } from './distinctPairs.ts';

const COUNT = 80_000;
const runs = { numRuns: process.env['LONG'] === '1' ? 40 : 3 };

/** Pairs drawn from `different` distinct ones; `narrow` pairs only differ in their low word. */
function drawn(different: number, seed: number, narrow: boolean): Uint32Array {
  let state = seed | 1;
  const random = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state;
  };
  const pairs = new Uint32Array(COUNT * 2);
  for (let at = 0; at < COUNT; at += 1) {
    const one = different === COUNT ? at : random() % different;
    pairs[at * 2] = narrow ? one : Math.imul(one + 1, 0x9e3779b1) ^ seed;
    pairs[at * 2 + 1] = narrow ? 7 : Math.imul(one ^ seed, 0x85ebca6b);
  }
  return pairs;
}

function differentIn(pairs: Uint32Array): number {
  const keys = new Set<bigint>();
  for (let at = 0; at < pairs.length; at += 2) {
    const [a = 0, b = 0] = pairs.subarray(at, at + 2);
    keys.add((BigInt(b) << 32n) | BigInt(a));
  }
  return keys.size;
}

test.each([
  ['all different', COUNT],
  ['a few twice', COUNT * 8],
  ['a tenth repeated', COUNT * 5],
  ['half repeated', COUNT * 0.7],
  ['a few thousand', 5_000],
  ['a handful', 3],
  ['one', 1],
])('[VA-7] pairs of which %s are distinct are counted exactly', (_, different) => {
  fc.assert(
    fc.property(fc.integer(), fc.boolean(), (seed, narrow) => {
      const pairs = drawn(different, seed, narrow);
      expect(distinctPairs(pairs)).toBe(differentIn(pairs));
    }),
    runs,
  );
});

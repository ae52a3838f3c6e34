import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createMatcher } from './matcher.ts';

const runs = process.env['LONG'] === '1' ? 20_000 : 1_000;
const word = (minLength: number, maxLength: number) =>
  fc.string({ unit: fc.constantFrom('a', 'b', 'ā', '\u0161'), minLength, maxLength });

/** A reference implementation that checks every position. */
function slowly(patterns: readonly string[], text: string, from: number) {
  for (let index = from; index < text.length; index++) {
    const here = patterns.filter((pattern) => text.startsWith(pattern, index)).map(({ length }) => length);
    if (here.length > 0) return { index, length: Math.max(...here) };
  }
  return null;
}

describe('[SE-12] the matcher', () => {
  it('finds the same as a search at every position', () => {
    fc.assert(
      fc.property(
        fc.array(word(4, 7), { maxLength: 5 }),
        fc.array(fc.oneof(word(0, 9), fc.nat(4)), { maxLength: 12 }),
        fc.nat(20),
        (patterns, parts, from) => {
          const text = parts
            .map((part) => (typeof part === 'string' ? part : (patterns[part] ?? '')))
            .join('');
          expect(createMatcher(patterns, 4)(text, from)).toEqual(slowly(patterns, text, from));
        },
      ),
      { numRuns: runs },
    );
  });
});

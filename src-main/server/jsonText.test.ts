import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jsonText } from './jsonText.ts';

describe('jsonText', () => {
  it('is JSON.stringify, the first time and every time', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
        expect(jsonText(value)).toBe(JSON.stringify(value));
        expect(jsonText(value)).toBe(JSON.stringify(value));
      }),
    );
  });

  for (const [name, value] of [
    ['absent members', { a: undefined, b: [undefined, 1], c: { d: undefined } }],
    ['shared parts', ((part) => ({ one: part, many: [part, part] }))({ x: [1, { y: 'é"\n' }] })],
    ['dates', { at: new Date(0) }],
  ] as const) {
    it(`agrees about ${name}`, () => expect(jsonText(value)).toBe(JSON.stringify(value)));
  }
});

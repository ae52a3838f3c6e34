import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pythonText, truncateText } from './jsonText.ts';

const ROWS: readonly (readonly [string, string])[] = [
  ['[1, 2, 3]', '[\n  1,\n  2,\n  3\n]'],
  ['{"a": {"b": []}, "c": {}}', '{\n  "a": {\n    "b": []\n  },\n  "c": {}\n}'],
  ['12345678901234567890123', '12345678901234567890123'],
  ['[1.0, 1e400, -0.0, NaN, -Infinity]', '[\n  1.0,\n  1e400,\n  -0.0,\n  NaN,\n  -Infinity\n]'],
  ['"caf\\u00e9\\n"', 'café\n'],
  ['["caf\\u00e9, [x]"]', '[\n  "café, [x]"\n]'],
  ['true', 'True'],
  ['null', 'None'],
  ['NaN', 'nan'],
  [' 7 ', '7'],
];

describe('[PR-3] JSON as Python shows it', () => {
  for (const [json, text] of ROWS) it(json, () => expect(pythonText(json)).toBe(text));

  it('objects and lists are indented like JSON.stringify', () => {
    fc.assert(
      fc.property(fc.oneof(fc.array(fc.jsonValue()), fc.dictionary(fc.string(), fc.jsonValue())), (value) => {
        const json = JSON.stringify(value);
        expect(pythonText(json)).toBe(JSON.stringify(JSON.parse(json), null, 2));
      }),
    );
  });

  it('[PR-4] a long text is cut between characters, and marked', () => {
    const cut = truncateText(`${'a'.repeat(9)}😀b`, 10);
    expect(cut).toBe(`${'a'.repeat(9)}\n… (cut: 9 of 12 characters)`);
    expect(truncateText('abc', 3)).toBe('abc');
  });

  it('[PR-3] texts of millions of characters with any content are read', () => {
    const pieces: readonly (readonly [string, number])[] = [
      ['y', 8_000_000],
      ['\\', 200_000],
      ['"', 200_000],
      ['é\n\\"', 100_000],
    ];
    for (const [piece, count] of pieces) {
      const text = piece.repeat(count);
      expect(pythonText(JSON.stringify(text)) === text).toBe(true);
      expect(pythonText(JSON.stringify([text])).length).toBe(JSON.stringify([text], null, 2).length);
    }
  });

  it('invalid JSON is refused', () => {
    for (const bad of ['', '1 2', '{', 'x', '[1,', '[[]', '"a', '"a\\"']) {
      expect(() => pythonText(bad)).toThrow(SyntaxError);
    }
  });
});

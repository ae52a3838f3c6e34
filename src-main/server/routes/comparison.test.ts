import fc from 'fast-check';
import { expect, test } from 'vitest';
import { oneValuePerLine } from './comparison.ts';

test.each<[string, string]>([
  ['[]', '[]'],
  ['{}', '{}'],
  ['[1,NaN, 12345678901234567890]', '[\n  1,\n  NaN,\n  12345678901234567890\n]'],
  ['{"a": [], "b": {"c": "x, [y] \\" z"}}', '{\n  "a": [],\n  "b": {\n    "c": "x, [y] \\" z"\n  }\n}'],
  ['"a"', '"a"'],
])('[RE-51] %s over lines', (json, lines) => {
  expect(oneValuePerLine(json)).toBe(lines);
});

test('[RE-51] JSON over lines has the same value', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = JSON.stringify(value);
      expect(oneValuePerLine(text)).toBe(JSON.stringify(JSON.parse(text), null, 2));
    }),
  );
});

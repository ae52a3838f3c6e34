import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseStoredJson } from './storedJson.ts';

test.each<[string, string, unknown]>([
  ['plain values', '{"a": [1, 2.5, "x", null, true]}', { a: [1, 2.5, 'x', null, true] }],
  ['what JSON has no number for', '[NaN, Infinity, -Infinity]', ['NaN', 'Infinity', '-Infinity']],
  [
    'large integers digit by digit',
    '[9007199254740993, -12345678901234567890]',
    ['9007199254740993', '-12345678901234567890'],
  ],
  ['the largest exact integer as a number', '9007199254740991', 9007199254740991],
  ['long fractions as numbers', '[0.12345678901234568, 1e300]', [0.12345678901234568, 1e300]],
  [
    'nothing inside strings',
    '["NaN 9007199254740993 \\" NaN", "\\\\"]',
    ['NaN 9007199254740993 " NaN', '\\'],
  ],
])('stored JSON keeps %s', (_name, text, expected) => {
  expect(parseStoredJson(text)).toEqual(expected);
});

test('any JSON value round-trips', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = JSON.stringify(value);
      if (/\d{16}/.test(text)) return;
      expect(parseStoredJson(text)).toEqual(JSON.parse(text));
    }),
    { numRuns: 300 },
  );
});

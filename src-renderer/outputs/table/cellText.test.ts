import { expect, test } from 'vitest';
import { columnFormat, timeFormat } from './cellText.ts';

test.each<[string, unknown[], (string | [string, string])[]]>([
  ['integers with all digits', [1, 9007199254740991], ['1', '9007199254740991']],
  [
    'binary fractions without their rounding error',
    [92.29999999999998, 0.1],
    [['92.3', '92.29999999999998'], '0.1'],
  ],
  ['decimal points aligned', [0.4, 11, 1.25], ['0.40', '11.00', '1.25']],
  ['integers next to long fractions', [1, 0.12345], ['1.00000', '0.12345']],
  [
    'long fractions by the digits of the largest',
    [2.848904125, -1.41552595, 0.03755838423, 19.391915026087986],
    [
      ['2.84890', '2.848904125'],
      ['-1.41553', '-1.41552595'],
      ['0.03756', '0.03755838423'],
      ['19.39192', '19.391915026087986'],
    ],
  ],
  [
    'numbers too small for the decimals of their column',
    [123.45678, 0.0000123456],
    [
      ['123.4568', '123.45678'],
      ['0.00001235', '0.0000123456'],
    ],
  ],
  ['large numbers with long fractions', [1234567.891011, 1.5], [['1234567.891', '1234567.891011'], '1.500']],
  ['small and large numbers', [1.5e-20, 1e300], ['1.5e-20', '1e+300']],
  [
    'dates where every time is midnight',
    ['2012-01-01 00:00:00', null, '2012-01-02T00:00:00'],
    [['2012-01-01', '2012-01-01 00:00:00'], '', ['2012-01-02', '2012-01-02T00:00:00']],
  ],
  [
    'times where one is not midnight',
    ['2012-01-01 00:00:00', '2012-01-01 12:30:00'],
    ['2012-01-01 00:00:00', '2012-01-01 12:30:00'],
  ],
  ['numbers among texts', ['a', 0.30000000000000004], ['a', ['0.3', '0.30000000000000004']]],
])('a column shows %s', (_name, values, expected) => {
  const { format } = columnFormat(
    values.map((value) => [value]),
    0,
  );
  const shown = values.map((value) => {
    const { text, exact } = format(value);
    return exact === null ? text : [text, exact];
  });
  expect(shown).toEqual(expected);
});

test.each([
  ['2024-01-01T00:05:00+01:00', '2024-01-01 00:05:00+01:00'],
  ['2024-01-01 00:05:00+01:00', '2024-01-01 00:05:00+01:00'],
  ['2024-01-01', '2024-01-01'],
])('a time %s is read as %s, in a preview and in a page', (value, expected) => {
  const { format } = columnFormat([['2024-01-01T00:05:00+01:00']], 0);
  expect(timeFormat(format)(value).text).toBe(expected);
});

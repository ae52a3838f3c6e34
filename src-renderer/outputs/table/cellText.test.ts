import { expect, test } from 'vitest';
import { columnFormat } from './cellText.ts';

test.each<[string, unknown[], (string | [string, string])[]]>([
  ['whole numbers as they are', [1, 9007199254740991], ['1', '9007199254740991']],
  ['binary fractions without their tail', [92.29999999999998, 0.1], [['92.3', '92.29999999999998'], '0.1']],
  ['decimal points below each other', [0.4, 11, 1.25], ['0.40', '11.00', '1.25']],
  ['whole numbers beside long fractions', [1, 0.12345], ['1', '0.12345']],
  ['small and large numbers', [1.5e-20, 1e300], ['1.5e-20', '1e+300']],
  [
    'dates where every time is midnight',
    ['2012-01-01 00:00:00', null, '2012-01-02T00:00:00'],
    [['2012-01-01', '2012-01-01 00:00:00'], '', ['2012-01-02', '2012-01-02T00:00:00']],
  ],
  [
    'times where one is not',
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

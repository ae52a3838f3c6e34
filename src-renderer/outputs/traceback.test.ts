import { expect, test } from 'vitest';
import { splitError, tracebackParts } from './traceback.ts';

const PYTHON =
  'Traceback (most recent call last):\n  File "<cell load>", line 3, in <module>\n    x = 1 / 0\nZeroDivisionError: division by zero';

test('a Python failure leads with its last line', () => {
  expect(splitError(PYTHON)).toEqual({ summary: 'ZeroDivisionError: division by zero', traceback: PYTHON });
});

test('a failure of R leads with its first line', () => {
  const error = 'Error in f() : no\nAt line 2 of <cell fruit>';
  expect(splitError(error)).toEqual({ summary: 'Error in f() : no', traceback: error });
});

test('a one-line failure has no traceback', () => {
  expect(splitError('Cell timed out after 300 s\n')).toEqual({
    summary: 'Cell timed out after 300 s',
    traceback: null,
  });
});

test.each<[string, { cell: string; line: number }[]]>([
  [PYTHON, [{ cell: 'load', line: 3 }]],
  [
    'at cell load, line 12 and cell b.2, line 1',
    [
      { cell: 'load', line: 12 },
      { cell: 'b.2', line: 1 },
    ],
  ],
  ['Error in f() : no\nAt line 2 of <cell my fruit>', [{ cell: 'my fruit', line: 2 }]],
  ['File "<cell my cell>", line 7', [{ cell: 'my cell', line: 7 }]],
  ['File "/usr/lib/python3/json.py", line 7', []],
])('places in %j', (text, places) => {
  const parts = tracebackParts(text);
  expect(parts.filter((part) => part.kind === 'place').map((part) => part.place)).toEqual(places);
  expect(parts.map((part) => part.text).join('')).toBe(text);
});

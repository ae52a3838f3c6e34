import { expect, test } from 'vitest';
import { splitError, tracebackParts } from './traceback.ts';

const PYTHON =
  'Traceback (most recent call last):\n  File "<cell load>", line 3, in <module>\n    x = 1 / 0\nZeroDivisionError: division by zero';

const FRAMES =
  'Traceback (most recent call last):\n  File "<cell load>", line 3, in <module>\n    f(X)\n    ~^^^';
const CAUSE =
  'Traceback (most recent call last):\n  File "<cell a>", line 1, in f\n    1 / 0\nZeroDivisionError: division by zero';
const GROUP = `  + Exception Group Traceback (most recent call last):
  |   File "<cell a>", line 8, in <module>
  |     raise group
  | ExceptionGroup: many (2 sub-exceptions)
  +-+---------------- 1 ----------------
    | Traceback (most recent call last):
    |   File "<cell a>", line 2, in f
    | ValueError: one
    | two
    +---------------- 2 ----------------
    | TypeError: t
    +------------------------------------`;

const FAILURES: readonly {
  readonly what: string;
  readonly error: string;
  readonly summary: string;
  readonly message?: string;
  /** The traceback, if it differs from the complete failure. */
  readonly traceback?: string | null;
}[] = [
  {
    what: 'a first line of thousands of characters',
    error: `${FRAMES}\nValueError: ${'bad '.repeat(2_000)}end`,
    summary: `ValueError: ${'bad '.repeat(47)}…`,
    message: `…${'bad '.repeat(1_953)}end`,
    traceback: `${FRAMES}\nValueError: ${'bad '.repeat(47)}…`,
  },
  {
    what: 'such a line before others',
    error: `${FRAMES}\nValueError: ${'bad '.repeat(100)}\nSee the log`,
    summary: `ValueError: ${'bad '.repeat(47)}…`,
    message: `…${'bad '.repeat(53)}\nSee the log`,
    traceback: `${FRAMES}\nValueError: ${'bad '.repeat(47)}…`,
  },
  {
    what: 'such a line that is cut within a word',
    error: `${FRAMES}\nValueError: ${'value '.repeat(80)}`,
    summary: `ValueError: ${'value '.repeat(31)}…`,
    message: `…${'value '.repeat(49).trimEnd()}`,
    traceback: `${FRAMES}\nValueError: ${'value '.repeat(31)}…`,
  },
  { what: 'one line', error: PYTHON, summary: 'ZeroDivisionError: division by zero' },
  {
    what: 'no traceback',
    error: 'Cell timed out after 300 s\n',
    summary: 'Cell timed out after 300 s',
    traceback: null,
  },
  {
    what: 'a message of many lines, the last an address',
    error: `${FRAMES}\nValueError: Input X contains NaN.\nLR does not accept it.\n\n  pip x\nhttps://x.org/y`,
    summary: 'ValueError: Input X contains NaN.',
    message: 'LR does not accept it.\n\n  pip x\nhttps://x.org/y',
    traceback: `${FRAMES}\nValueError: Input X contains NaN.`,
  },
  {
    what: 'the class of a package and no message',
    error: `${FRAMES}\npkg.errors.Broken`,
    summary: 'pkg.errors.Broken',
  },
  {
    what: 'a message that looks like frames and notes',
    error: `${FRAMES}\nRuntimeError: no\n  File "x.py", line 3\nNote: x\nKeyError: 'y'`,
    summary: 'RuntimeError: no',
    message: '  File "x.py", line 3\nNote: x\nKeyError: \'y\'',
    traceback: `${FRAMES}\nRuntimeError: no`,
  },
  {
    what: 'a message that quotes a traceback',
    error: `${FRAMES}\nRuntimeError: a worker said\n${CAUSE}`,
    summary: 'RuntimeError: a worker said',
    message: CAUSE,
    traceback: `${FRAMES}\nRuntimeError: a worker said`,
  },
  {
    what: 'a message that begins with a line break',
    error: `${FRAMES}\nAssertionError: \n\narrays differ\nat 3`,
    summary: 'AssertionError: arrays differ',
    message: 'at 3',
    traceback: `${FRAMES}\nAssertionError: `,
  },
  {
    what: 'an exception that another led to',
    error: `${CAUSE}\n\nThe above exception was the direct cause of the following exception:\n\n${FRAMES}\nValueError: a\nb`,
    summary: 'ValueError: a',
    message: 'b',
    traceback: `${CAUSE}\n\nThe above exception was the direct cause of the following exception:\n\n${FRAMES}\nValueError: a`,
  },
  {
    what: 'an exception raised while another was handled',
    error: `${CAUSE}\n\nDuring handling of the above exception, another exception occurred:\n\n${FRAMES}\nKeyError: 'b'`,
    summary: "KeyError: 'b'",
  },
  { what: 'a group of exceptions', error: GROUP, summary: 'ExceptionGroup: many (2 sub-exceptions)' },
  {
    what: 'a group after its cause',
    error: `${CAUSE}\n\nThe above exception was the direct cause of the following exception:\n\n${GROUP}`,
    summary: 'ExceptionGroup: many (2 sub-exceptions)',
  },
  {
    what: 'code that cannot be read',
    error: `  File "<cell a>", line 1\n    x = (1,\n        ^\nSyntaxError: '(' was never closed`,
    summary: "SyntaxError: '(' was never closed",
  },
  {
    what: 'source with a blank line among the frames',
    error: `Traceback (most recent call last):\n  File "<cell a>", line 1, in <module>\n    f(\n\n    1)\nTypeError: f`,
    summary: 'TypeError: f',
  },
  {
    what: 'one of many variants',
    error: `[variant=a: b]\n${FRAMES}\nValueError: a`,
    summary: 'ValueError: a',
  },
  {
    what: 'one of many runs',
    error: `Iteration 3 (of at most 9):\n${FRAMES}\nValueError: a\nb`,
    summary: 'ValueError: a',
    message: 'b',
    traceback: `Iteration 3 (of at most 9):\n${FRAMES}\nValueError: a`,
  },
  {
    what: 'a traceback whose beginning was cut',
    error: '[… cut …]\n  File "<cell a>", line 1, in f\nKeyError: 1',
    summary: 'KeyError: 1',
  },
  {
    what: 'so many frames that some were left out',
    error: `${FRAMES}\n… 38765 characters left out …\nle "<cell a>", line 2, in f\n    g()\nRecursionError: too deep\nmore`,
    summary: 'RecursionError: too deep',
    message: 'more',
    traceback: `${FRAMES}\n… 38765 characters left out …\nle "<cell a>", line 2, in f\n    g()\nRecursionError: too deep`,
  },
  {
    what: 'R',
    error: 'Error in f() : no\nAt line 2 of <cell fruit>',
    summary: 'Error in f() : no',
  },
];

test.each(FAILURES)('[WI-250] a failure starts with what went wrong: $what', (row) => {
  const { error, summary, message = null, traceback = error } = row;
  expect(splitError(error)).toEqual({ summary, message, traceback });
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

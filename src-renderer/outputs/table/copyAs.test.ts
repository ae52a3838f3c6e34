import { expect, test } from 'vitest';
import { copiedText } from './copyAs.ts';

const cells = {
  names: ['name', 'n|m'],
  rows: [
    ['a\tb', 1.5],
    ['x|y\nz', null],
    [{ k: [true, 'q"'] }, 'Infinity'],
  ],
};

test.each([
  ['tsv', 'a b\t1.5\nx|y z\t\n{"k":[true,"q\\""]}\tInfinity'],
  [
    'markdown',
    '| name | n\\|m |\n| --- | --- |\n| a\tb | 1.5 |\n| x\\|y<br>z |  |\n| {"k":[true,"q\\\\""]} | Infinity |',
  ],
  [
    'json',
    JSON.stringify(
      [
        { name: 'a\tb', 'n|m': 1.5 },
        { name: 'x|y\nz', 'n|m': null },
        { name: { k: [true, 'q"'] }, 'n|m': 'Infinity' },
      ],
      null,
      2,
    ),
  ],
  [
    'code',
    'import pandas as pd\n\ndf = pd.DataFrame({\n    "name": ["a\\tb", "x|y\\nz", {"k": [True, "q\\""]}],\n    "n|m": [1.5, None, "Infinity"],\n})\ndf',
  ],
] as const)('[TB-7] cells are copied as %s', (format, text) => {
  expect(copiedText(format, cells)).toBe(text);
});

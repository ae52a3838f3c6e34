import { expect, test } from 'vitest';
import { importedNames, titleOf } from './cellTitle.ts';

const IMPORTS: readonly [source: string, names: readonly string[]][] = [
  ['', []],
  ['import math', ['math']],
  ['import math, os.path as p  # and sys', ['math', 'p']],
  ['import os.path', ['os']],
  ['from math import sin, cos as c', ['sin', 'c']],
  ['from . import helpers\nfrom .a.b import *', ['helpers']],
  ['from x import (\n  a,  # the first\n  b as c,\n)\ny = 1', ['a', 'c']],
  ['from x import a, \\\n  b\nz = 1', ['a', 'b']],
  ['import a; b = 1', ['a']],
  ['important = 1\nfromage = 2\nx = "import y"', []],
  ['if x:\n    import y', []],
];

test.each(IMPORTS)('[WI-74] the names %j imports', (source, names) => {
  expect([...importedNames(source)]).toEqual(names);
});

const TITLES: readonly [
  source: string,
  defines: readonly string[],
  name: string | null,
  title: string | null,
][] = [
  ['import math\narea = math.pi', ['area', 'math'], null, 'area'],
  ['import math\nrides = 1', ['math', 'rides'], null, 'rides'],
  ['import math\nrides = 1', ['math', 'rides'], 'trips', 'trips'],
  ['# the tools\nimport math\nimport os', ['math', 'os'], null, 'import math'],
  ['from matplotlib import pyplot as plt, ticker', ['plt', 'ticker'], null, 'from matplotlib import pyplot…'],
  ['math = 1\n', ['math'], null, 'math'],
  ['', ['trips'], null, 'trips'],
  ['print(1)', [], null, null],
];

test.each(TITLES)(
  '[WI-74] %j which defines %j and is named %j is called %j',
  (source, defines, name, title) => {
    expect(titleOf({ source, defines, name })).toBe(title);
  },
);

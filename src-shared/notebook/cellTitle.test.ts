import { expect, test } from 'vitest';
import { leastCpuMs } from '../../e2e/support/cpuTime.ts';
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
  ['# the tools\nimport math\nimport os', ['math', 'os'], null, 'imports'],
  ['from matplotlib import pyplot as plt, ticker', ['plt', 'ticker'], null, 'imports'],
  ['math = 1\n', ['math'], null, 'math'],
  ['rng = g(1)\nwide = rng.a()', ['rng', 'wide'], null, 'wide'],
  ['wide = f()\nrng = g(1)\nwide.head()', ['rng', 'wide'], null, 'wide'],
  ['wide = f()\nrng = g(1)\nwide\n\n# so far\n', ['rng', 'wide'], null, 'wide'],
  ['wide = f()\nrng = g(1)\n(\n    wide\n    .head()\n)', ['rng', 'wide'], null, 'wide'],
  ['wide = f()\nrng = g(1)\ndisplay(wide)', ['rng', 'wide'], null, 'wide'],
  ['b = f()\na = g()\nlen(b)', ['a', 'b'], null, 'a'],
  ['b = f()\na = g()\nprint(1)', ['a', 'b'], null, 'a'],
  ['a = f()\nb = g()\na == b', ['a', 'b'], null, 'a'],
  ['fig, ax = plt.subplots()\nax.plot(x)', ['ax', 'fig'], null, 'fig'],
  ['fig, (a, b) = plt.subplots(2)', ['a', 'b', 'fig'], null, 'fig'],
  ['test = 1\ntrain, test = split()\ntest', ['test', 'train'], null, 'test'],
  ['train, test = split()', ['test', 'train'], null, 'train'],
  ['(left, *right) = f()', ['left', 'right'], null, 'left'],
  ['rides = 0\nfor i in range(3):\n    rides += i', ['i', 'rides'], null, 'rides'],
  ['for a, (i, k) in x:\n    z = a', ['a', 'i', 'k', 'z'], null, 'z'],
  ['for a in x:\n    z.append(a)', ['a', 'z'], null, 'z'],
  ['try:\n    rides = f()\nexcept (A, B) as e:\n    pass', ['e', 'rides'], null, 'rides'],
  ['with open(a) as f, g() as (h):\n    use(f)\nzs.append(f)', ['f', 'h', 'zs'], null, 'zs'],
  ['with open(a) as f:\n    text = f.read()', ['f', 'text'], null, 'text'],
  ['for i in range(3):\n    print(i)', ['i'], null, 'i'],
  ['for i, j in x:\n    print(i)', ['i', 'j'], null, 'i'],
  ['class A: pass\n\nasync def b():\n    a = 1', ['A', 'b'], null, 'b'],
  ['n: int = 3\nm: dict[str, int] = {}', ['m', 'n'], null, 'm'],
  ['n = f(\n    x=1,\n)\nm = 1', ['m', 'n'], null, 'm'],
  ['m = 1\nn = f(\n    x=1,\n)', ['m', 'n'], null, 'n'],
  ['b = 1\na = 2\nb["x"] = 3', ['a', 'b'], null, 'b'],
  ['b = 1\na = 2\nb.x.y[0] += 3', ['a', 'b'], null, 'b'],
  ['größe = 1\nzahl = 2\ngröße', ['größe', 'zahl'], null, 'größe'],
  ['my.df <- f()\nx <- 2', ['my.df', 'x'], null, 'x'],
  ['x <- 2\nmy.df <- f()', ['my.df', 'x'], null, 'my.df'],
  ['select 1', ['orders'], null, 'orders'],
  ['', ['trips'], null, 'trips'],
  ['print(1)', [], null, null],
];

test.each(TITLES)(
  '[WI-74] %j which defines %j and is named %j is called %j',
  (source, defines, name, title) => {
    expect(titleOf({ source, defines, name })).toBe(title);
  },
);

// Each of these lines once took 30 ms, 20,000 times as long as other lines; every window and the server compute names often.
test.each([' ', 'a  ', ' in', '\t '])(
  '[WI-74] loops over a line of %j take not thousands of times the work of other lines',
  (part) => {
    const read = (line: string) => () =>
      titleOf({ source: `${`${line}\n`.repeat(300)}print(1)`, defines: ['a', 'b'], name: null });
    const loop = read(`for ${part.repeat(400)}`);
    expect(loop()).toEqual(expect.any(String));
    expect(leastCpuMs(loop)).toBeLessThan(3_000 * leastCpuMs(read(`go(${'x'.repeat(part.length * 400)})`)));
  },
);

import { expect, test } from 'vitest';
import { loadPythonAnalyzer } from '../python/analyzer.ts';
import type { ModuleFile } from './closure.ts';
import { readStars, starExportsOf } from './starNames.ts';

const python = await loadPythonAnalyzer();

const fileOf = (path: string, source: string): ModuleFile => ({
  path,
  digest: '',
  imports: [],
  star: starExportsOf(path, python.analyze(source)),
});

/** Files, and the names that `from m import *` binds. */
const ROWS: readonly (readonly [files: Readonly<Record<string, string>>, names: readonly string[] | null])[] =
  [
    [
      { 'm.py': 'import os\nfrom a import b as c\nx = 1\n_y = 2\ndef f(): pass\nclass C: pass\nif x: z = 1' },
      ['C', 'c', 'f', 'os', 'x', 'z'],
    ],
    [{ 'm.py': '__all__ = ["x", "_y"]\nx = _y = z = 1' }, ['x']],
    [{ 'm.py': '__all__ = (\n  "x",\n  "z",\n)' }, ['x', 'z']],
    [{ 'm.py': '__all__ = []\nx = 1' }, []],
    [{ 'm.py': '__all__ = ["x"]\n__all__ += other.__all__' }, null],
    [{ 'm.py': '__all__ = [name for name in dir()]' }, null],
    [{ 'm.py': 'from n import *\nx = 1', 'n.py': 'y = 1' }, ['x', 'y']],
    [{ 'm.py': 'from math import *\nx = 1' }, ['pi', 'x']],
    [{ 'm.py': 'from n import *\nx = 1', 'n.py': 'from m import *\ny = 1' }, ['x', 'y']],
    [{ 'm/__init__.py': 'from .n import *', 'm/n.py': 'y = 1' }, ['y']],
    [{ 'm.py': 'def (' }, null],
    [{}, null],
  ];

test.each(ROWS)('[SO-106] %j', async (sources, names) => {
  const files = new Map(Object.entries(sources).map(([path, source]) => [path, fileOf(path, source)]));
  const ask = async (module: string) => (module === 'math' ? ['pi'] : null);
  expect((await readStars(['m'], files, ask)).get('m')).toEqual(names);
});

test('[SO-106] a module is left out while no interpreter can be asked', async () => {
  expect((await readStars(['math'], new Map(), async () => undefined)).has('math')).toBe(false);
});

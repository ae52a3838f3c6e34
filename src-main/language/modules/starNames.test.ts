import { expect, test } from 'vitest';
import { loadPythonAnalyzer } from '../python/analyzer.ts';
import type { ModuleFile } from './closure.ts';
import { readStars, starGiftOf } from './starNames.ts';

const python = await loadPythonAnalyzer();

const fileOf = (path: string, source: string): ModuleFile => ({
  path,
  digest: '',
  imports: [],
  star: starGiftOf(path, python.analyze(source)),
});

/** Files, the module that is imported with a star, and the names it gives. */
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

test.each(ROWS)('[SO-106] %j', async (files, names) => {
  const known = new Map(Object.entries(files).map(([path, source]) => [path, fileOf(path, source)]));
  const ask = async (module: string) => (module === 'math' ? ['pi'] : null);
  expect((await readStars(['m'], known, ask)).get('m')).toEqual(names);
});

test('[SO-106] a module that nobody can be asked about now is left out', async () => {
  expect((await readStars(['math'], new Map(), async () => undefined)).has('math')).toBe(false);
});

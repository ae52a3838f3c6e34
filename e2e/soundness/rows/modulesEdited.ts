import type { Row } from './row.ts';

/** Rows of the soundness test: modules of the notebook's folder that are edited after cells have used them. */
export const MODULES_EDITED: readonly Row[] = [
  {
    name: 'module-of-module',
    files: {
      'helpers.py': 'import inner\ndef top():\n    return inner.f()\n',
      'inner.py': 'def f():\n    return 1\n',
    },
    cells: ['from helpers import top\nval = top()', 'print(val)'],
    steps: [{ file: ['inner.py', 'def f():\n    return 2\n'] }],
  },
  {
    name: 'import-in-function',
    files: { 'pkg/__init__.py': '', 'pkg/deep.py': "K = 'a'\n" },
    cells: ['def late():\n    import pkg.deep as d\n    return d.K', 'print(late())'],
    steps: [{ file: ['pkg/deep.py', "K = 'b'\n"] }],
  },
  {
    name: 'import-by-name-in-text',
    files: { 'pkg/__init__.py': '', 'pkg/deep.py': "K = 'a'\n" },
    cells: ["import importlib\nm = importlib.import_module('pkg.deep')\nk = m.K\ndel m", 'print(k)'],
    steps: [{ file: ['pkg/deep.py', "K = 'b'\n"] }],
  },
  {
    name: 'import-by-computed-name',
    files: { 'plug_a.py': 'K = 1\n' },
    cells: ["import importlib\nname = 'a'\nk = importlib.import_module('plug_' + name).K", 'print(k)'],
    steps: [{ file: ['plug_a.py', 'K = 2\n'] }],
    allow: 'message',
  },
  {
    name: 'star-import',
    files: { 'names.py': 'A = 1\nB = 2\n' },
    cells: ['from names import *', 'print(A + B)'],
    steps: [{ file: ['names.py', 'A = 1\nB = 3\n'] }],
    allow: 'message',
  },
  {
    name: 'star-import-read-in-same-cell',
    files: { 'names.py': 'A = 1\n' },
    cells: ['from names import *\nv = A', 'print(v)'],
    steps: [{ file: ['names.py', 'A = 2\n'] }],
    allow: 'message',
  },
  {
    name: 'relative-import-in-package',
    files: {
      'pkg/__init__.py': 'from .a import V\n',
      'pkg/a.py': 'from . import b\nV = b.W\n',
      'pkg/b.py': 'W = 1\n',
    },
    cells: ['from pkg import V\nv = V', 'print(v)'],
    steps: [{ file: ['pkg/b.py', 'W = 2\n'] }],
  },
  {
    name: 'class-of-module',
    files: { 'shapes.py': 'class Shape:\n    def area(self):\n        return 1\n' },
    cells: ['from shapes import Shape\ns = Shape()', 'print(s.area())'],
    steps: [{ file: ['shapes.py', 'class Shape:\n    def area(self):\n        return 2\n'] }],
  },
  {
    name: 'function-of-module-called-below',
    files: { 'calc.py': 'def f(x):\n    return x + 1\n' },
    cells: ['from calc import f', 'print(f(1))'],
    steps: [{ file: ['calc.py', 'def f(x):\n    return x + 2\n'] }],
  },
  {
    name: 'function-of-cell-that-calls-module',
    files: { 'calc.py': 'def f(x):\n    return x + 1\n' },
    cells: ['import calc\ndef g(x):\n    return calc.f(x)', 'y = g(1)', 'print(y)'],
    steps: [{ file: ['calc.py', 'def f(x):\n    return x + 2\n'] }],
  },
  {
    name: 'comment-in-module',
    files: { 'calc.py': 'def f(x):\n    return x + 1\n' },
    cells: ['from calc import f\ny = f(1)', 'print(y)'],
    steps: [{ file: ['calc.py', '# comment\ndef f(x):\n    return x + 1\n'] }],
  },
  {
    name: 'module-edited-and-back',
    files: { 'calc.py': 'K = 1\n' },
    cells: ['import calc\nk = calc.K', 'print(k)'],
    steps: [{ file: ['calc.py', 'K = 2\n'] }, { file: ['calc.py', 'K = 1\n'] }],
  },
  {
    name: 'module-added-later',
    cells: ['try:\n    import extra\n    k = extra.K\nexcept ImportError:\n    k = None', 'print(k)'],
    steps: [{ file: ['extra.py', 'K = 1\n'] }],
    allow: 'message',
  },
  {
    name: 'module-reads-file-in-function',
    files: { 'calc.py': "def f():\n    return open('data.txt').read()\n", 'data.txt': 'one' },
    cells: ['import calc\nt = calc.f()', 'print(t)'],
    steps: [{ file: ['data.txt', 'two'] }],
  },
  {
    name: 'module-reads-file-beside-it',
    files: {
      'pkg/__init__.py': "from pathlib import Path\nT = (Path(__file__).parent / 'v.txt').read_text()\n",
      'pkg/v.txt': 'one',
    },
    cells: ['import pkg\nt = pkg.T', 'print(t)'],
    steps: [{ file: ['pkg/v.txt', 'two'] }],
  },
  {
    name: 'module-edited-and-reopened',
    files: { 'calc.py': 'K = 1\n' },
    cells: ['import calc\nk = calc.K', 'print(k)'],
    steps: [{ file: ['calc.py', 'K = 2\n'] }, 'reopen'],
  },
  {
    name: 'module-deleted',
    files: { 'calc.py': 'K = 1\n' },
    cells: ['import calc\nk = calc.K', 'print(k)'],
    steps: [{ remove: 'calc.py' }],
    allow: 'refused',
  },
  {
    name: 'module-of-folder-by-path',
    files: { 'lib/zmod.py': 'V = 1\n' },
    cells: ["import sys\nsys.path.insert(0, 'lib')\nimport zmod\nv = zmod.V", 'print(v)'],
    steps: [{ file: ['lib/zmod.py', 'V = 2\n'] }],
  },
  {
    name: 'module-run-by-exec',
    files: { 'script.py': 'V = 1\n' },
    cells: ["ns = {}\nexec(open('script.py').read(), ns)\nv = ns['V']\ndel ns", 'print(v)'],
    steps: [{ file: ['script.py', 'V = 2\n'] }],
  },
  {
    name: 'module-run-by-runpy',
    files: { 'script.py': 'V = 1\n' },
    cells: ["import runpy\nv = runpy.run_path('script.py')['V']", 'print(v)'],
    steps: [{ file: ['script.py', 'V = 2\n'] }],
  },
];

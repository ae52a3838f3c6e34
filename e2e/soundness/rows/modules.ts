import type { Row } from './row.ts';

/** Rows of the soundness test: cells that import modules of the notebook's folder. */
export const MODULES: readonly Row[] = [
  {
    name: 'local-module',
    cells: ['import helper\nv=helper.f()', 'print(v)'],
    files: { 'helper.py': 'def f(): return 1\n' },
    steps: [{ file: ['helper.py', 'def f(): return 2\n'] }],
  },
  {
    name: 'local-package-transitive',
    cells: ['import pkg.a', 'print(pkg.a.g())'],
    files: {
      'pkg/__init__.py': '',
      'pkg/a.py': 'from .b import V\ndef g(): return V\n',
      'pkg/b.py': 'V=1\n',
    },
    steps: [{ file: ['pkg/b.py', 'V=2\n'] }],
  },
  {
    name: 'local-module-lazy-import',
    cells: ['def f():\n    import helper3\n    return helper3.V', 'print(f())'],
    files: { 'helper3.py': 'V=1\n' },
    steps: [{ file: ['helper3.py', 'V=2\n'] }],
  },
  {
    name: 'local-module-data-file',
    cells: ['import helper5\nv=helper5.V', 'print(v)'],
    files: { 'helper5.py': 'import json\nV=json.load(open("data5.json"))\n', 'data5.json': '1' },
    steps: [{ file: ['data5.json', '2'] }],
  },
  {
    name: 'relative-import-cell',
    cells: [
      "try:\n    from . import helper\n    print('ok')\nexcept ImportError as e:\n    print(type(e).__name__)",
    ],
  },
  {
    name: 'parts-of-a-package-in-two-cells',
    cells: ['import xml.dom', 'import xml.sax', 'print(hasattr(xml,"dom"),hasattr(xml,"sax"))'],
    steps: [{ edit: [0, 'import xml.dom\nx=1'] }],
  },
  {
    name: 'part-of-a-package-after-the-package',
    cells: [
      'import xml',
      'import xml.dom.minidom',
      'print(xml.dom.minidom.parseString("<a/>").documentElement.tagName)',
    ],
  },
  {
    name: 'part-of-a-package-imported-from-elsewhere',
    cells: ['import xml', 'from xml.dom import minidom', 'print(hasattr(xml,"dom"))'],
    allow: 'message',
  },
];

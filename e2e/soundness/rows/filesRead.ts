/**
 * Rows of the soundness test: the path of a file comes from a cell above and stays the same, while the file changes.
 */

import type { Row } from './row.ts';

const two = { file: ['data.txt', 'two'] } as const;
const one = { 'data.txt': 'one' } as const;

export const FILES_READ: readonly Row[] = [
  {
    name: 'path-string-of-cell-above',
    files: one,
    cells: ["p = 'data.txt'", 'print(open(p).read())'],
    steps: [two],
  },
  {
    name: 'path-string-upstream-edited-to-same-value',
    files: one,
    cells: ["p = 'data.txt'", 'print(open(p).read())'],
    steps: [two, { edit: [0, "p = 'data' + '.txt'"] }],
  },
  {
    name: 'path-object-of-cell-above',
    files: one,
    cells: ["from pathlib import Path\np = Path('data.txt')", 't = p.read_text()', 'print(t)'],
    steps: [two],
  },
  {
    name: 'path-object-upstream-edited',
    files: one,
    cells: ["from pathlib import Path\np = Path('data.txt')", 't = p.read_text()', 'print(t)'],
    steps: [two, { edit: [0, "from pathlib import Path\np = Path('.') / 'data.txt'"] }],
  },
  {
    name: 'writer-gives-same-path',
    cells: ["open('w.txt', 'w').write('v1')\np = 'w.txt'", 'print(open(p).read())'],
    steps: [{ edit: [0, "open('w.txt', 'w').write('v2')\np = 'w.txt'"] }],
  },
  {
    name: 'writer-gives-same-path-and-back',
    cells: ["open('w.txt', 'w').write('v1')\np = 'w.txt'", 'print(open(p).read())'],
    steps: [
      { edit: [0, "open('w.txt', 'w').write('v2')\np = 'w.txt'"] },
      { edit: [0, "open('w.txt', 'w').write('v1')\np = 'w.txt'"] },
    ],
  },
  {
    name: 'writer-gives-path-object',
    cells: [
      "from pathlib import Path\np = Path('w.txt')\np.write_text('v1')",
      't = p.read_text()',
      'print(t)',
    ],
    steps: [{ edit: [0, "from pathlib import Path\np = Path('w.txt')\np.write_text('v2')"] }],
  },
  {
    name: 'writer-gives-folder',
    cells: [
      "import os\nos.makedirs('out', exist_ok=True)\nopen('out/a', 'w').write('1')\nd = 'out'",
      'import os\nprint(sorted(os.listdir(d)), open(os.path.join(d, "a")).read())',
    ],
    steps: [
      {
        edit: [
          0,
          "import os\nos.makedirs('out', exist_ok=True)\nopen('out/a', 'w').write('2')\nopen('out/b', 'w').write('2')\nd = 'out'",
        ],
      },
    ],
  },
  {
    name: 'writer-gives-dict-with-path',
    cells: [
      "open('w.txt', 'w').write('v1')\ncfg = {'path': 'w.txt', 'n': 1}",
      "print(open(cfg['path']).read())",
    ],
    steps: [{ edit: [0, "open('w.txt', 'w').write('v2')\ncfg = {'path': 'w.txt', 'n': 1}"] }],
  },
  {
    name: 'writer-through-pass-on-cell',
    cells: ["open('w.txt', 'w').write('v1')\np = 'w.txt'", 'q = p', 'print(open(q).read())'],
    steps: [{ edit: [0, "open('w.txt', 'w').write('v2')\np = 'w.txt'"] }],
  },
  {
    name: 'writer-through-list-of-paths',
    cells: [
      "for i in range(2):\n    open(f'w{i}.txt', 'w').write('v1')\npaths = ['w0.txt', 'w1.txt']",
      'print([open(p).read() for p in paths])',
    ],
    steps: [
      {
        edit: [0, "for i in range(2):\n    open(f'w{i}.txt', 'w').write('v2')\npaths = ['w0.txt', 'w1.txt']"],
      },
    ],
  },
  {
    name: 'writer-gives-sqlite-path',
    cells: [
      "import sqlite3\nc = sqlite3.connect('d.db')\nc.execute('drop table if exists t')\nc.execute('create table t(a)')\nc.execute('insert into t values (1)')\nc.commit()\nc.close()\ndb = 'd.db'",
      "import sqlite3\nc2 = sqlite3.connect(db)\nprint(c2.execute('select sum(a) from t').fetchone())\nc2.close()\ndel c2",
    ],
    steps: [
      {
        edit: [
          0,
          "import sqlite3\nc = sqlite3.connect('d.db')\nc.execute('drop table if exists t')\nc.execute('create table t(a)')\nc.execute('insert into t values (7)')\nc.commit()\nc.close()\ndb = 'd.db'",
        ],
      },
    ],
    allow: 'message',
  },
  {
    name: 'reader-in-function',
    files: one,
    cells: ['def load(p):\n    return open(p).read()', "t = load('data.txt')", 'print(t)'],
    steps: [two],
  },
  {
    name: 'reader-in-function-without-argument',
    files: one,
    cells: [
      "def load():\n    with open('data.txt') as f:\n        return f.read()",
      't = load()',
      'print(t)',
    ],
    steps: [two],
  },
  {
    name: 'reader-in-method',
    files: one,
    cells: [
      'class Loader:\n    def __init__(self, p):\n        self.p = p\n    def text(self):\n        return open(self.p).read()',
      "l = Loader('data.txt')",
      'print(l.text())',
    ],
    steps: [two],
  },
  {
    name: 'reader-in-closure',
    files: one,
    cells: [
      'def make(p):\n    def get():\n        return open(p).read()\n    return get',
      "t = make('data.txt')()",
      'print(t)',
    ],
    steps: [two],
  },
  {
    name: 'reader-in-chain-of-functions',
    files: one,
    cells: [
      'def low(p):\n    return open(p).read()',
      'def high(p):\n    return low(p).upper()',
      "t = high('data.txt')",
      'print(t)',
    ],
    steps: [two],
  },
  {
    name: 'reader-in-default-argument',
    files: one,
    cells: ["def load(text=open('data.txt').read()):\n    return text", 'print(load())'],
    steps: [two],
    allow: 'message',
  },
  {
    name: 'reader-in-class-body',
    files: one,
    cells: ["class C:\n    TEXT = open('data.txt').read()", 'print(C.TEXT)'],
    steps: [two],
    allow: 'message',
  },
  {
    name: 'reader-in-comprehension',
    files: { 'a.txt': '1', 'b.txt': '2' },
    cells: ["names = ['a.txt', 'b.txt']", 'print([open(n).read() for n in names])'],
    steps: [{ file: ['b.txt', '3'] }],
  },
  {
    name: 'reader-under-condition',
    files: one,
    cells: ['flag = True', "t = open('data.txt').read() if flag else 'none'\nprint(t)"],
    steps: [two, { edit: [0, 'flag = False'] }, { edit: [0, 'flag = True'] }],
  },
  {
    name: 'json-load',
    files: { 'data.json': '{"a": 1}' },
    cells: ["import json\nwith open('data.json') as f:\n    j = json.load(f)", "print(j['a'])"],
    steps: [{ file: ['data.json', '{"a": 2}'] }],
  },
  {
    name: 'csv-reader',
    files: { 'data.csv': 'a,b\n1,2\n' },
    cells: [
      "import csv\nwith open('data.csv', newline='') as f:\n    rows = list(csv.reader(f))",
      'print(rows)',
    ],
    steps: [{ file: ['data.csv', 'a,b\n3,4\n'] }],
  },
  {
    name: 'pandas-read-csv',
    files: { 'data.csv': 'a,b\n1,2\n' },
    cells: ["import pandas as pd\ndf = pd.read_csv('data.csv')", 'print(df.a.tolist())'],
    steps: [{ file: ['data.csv', 'a,b\n3,4\n'] }],
  },
  {
    name: 'pandas-read-csv-through-name',
    files: { 'data.csv': 'a,b\n1,2\n' },
    cells: ["source = 'data.csv'", 'import pandas as pd\ndf = pd.read_csv(source)', 'print(df.a.tolist())'],
    steps: [{ file: ['data.csv', 'a,b\n3,4\n'] }],
  },
  {
    name: 'parquet-written-and-read',
    cells: [
      "import pandas as pd\npd.DataFrame({'a': [1]}).to_parquet('d.parquet')\np = 'd.parquet'",
      'import pandas as pd\nprint(pd.read_parquet(p).a.tolist())',
    ],
    steps: [
      { edit: [0, "import pandas as pd\npd.DataFrame({'a': [2]}).to_parquet('d.parquet')\np = 'd.parquet'"] },
    ],
  },
  {
    name: 'numpy-saved-and-loaded',
    cells: [
      "import numpy as np\nnp.save('d.npy', np.array([1, 2]))\np = 'd.npy'",
      'import numpy as np\nprint(np.load(p).tolist())',
    ],
    steps: [{ edit: [0, "import numpy as np\nnp.save('d.npy', np.array([3, 4]))\np = 'd.npy'"] }],
  },
  {
    name: 'pickle-file',
    cells: [
      "import pickle\npickle.dump([1], open('d.pkl', 'wb'))\np = 'd.pkl'",
      "import pickle\nprint(pickle.load(open(p, 'rb')))",
    ],
    steps: [{ edit: [0, "import pickle\npickle.dump([2], open('d.pkl', 'wb'))\np = 'd.pkl'"] }],
  },
  {
    name: 'linecache',
    files: { 'data.txt': 'one\n' },
    cells: ["import linecache\nprint(linecache.getline('data.txt', 1))"],
    steps: [{ file: ['data.txt', 'two\n'] }],
  },
  {
    name: 'os-open',
    files: one,
    cells: [
      "import os\nfd = os.open('data.txt', os.O_RDONLY)\nt = os.read(fd, 10)\nos.close(fd)",
      'print(t)',
    ],
    steps: [two],
  },
  {
    name: 'mmap',
    files: one,
    cells: [
      "import mmap\nwith open('data.txt', 'rb') as f, mmap.mmap(f.fileno(), 0, access=mmap.ACCESS_READ) as m:\n    t = m[:]",
      'print(t)',
    ],
    steps: [two],
  },
  {
    name: 'child-process-reads',
    files: one,
    cells: [
      "import subprocess\nt = subprocess.run(['cat', 'data.txt'], capture_output=True, text=True).stdout",
      'print(t)',
    ],
    steps: [two],
    allow: 'message',
  },
  {
    name: 'listing',
    files: { 'd/a': '1' },
    cells: ["import os\nnames = sorted(os.listdir('d'))", 'print(names)'],
    steps: [{ file: ['d/b', '2'] }, { remove: 'd/a' }],
  },
  {
    name: 'listing-by-glob',
    files: { 'd/a.txt': '1' },
    cells: ["import glob\nnames = sorted(glob.glob('d/*.txt'))", 'print(names)'],
    steps: [{ file: ['d/b.txt', '2'] }],
  },
  {
    name: 'listing-by-path-glob',
    files: { 'd/a.txt': '1' },
    cells: [
      "from pathlib import Path\nnames = sorted(p.name for p in Path('d').glob('*.txt'))",
      'print(names)',
    ],
    steps: [{ file: ['d/b.txt', '2'] }],
  },
  {
    name: 'listing-by-walk-in-function',
    files: { 'd/e/a.txt': '1' },
    cells: [
      'import os\ndef every(d):\n    return sorted(f for _, _, fs in os.walk(d) for f in fs)',
      "names = every('d')",
      'print(names)',
    ],
    steps: [{ file: ['d/e/b.txt', '2'] }],
  },
  {
    name: 'exists',
    cells: ["import os\nprint(os.path.exists('later.txt'))"],
    steps: [{ file: ['later.txt', '1'] }],
    allow: 'message',
  },
  {
    name: 'size-by-stat',
    files: one,
    cells: ["import os\nprint(os.stat('data.txt').st_size)"],
    steps: [{ file: ['data.txt', 'three'] }],
    allow: 'message',
  },
  {
    name: 'absent-file-handled',
    cells: ["try:\n    t = open('later.txt').read()\nexcept FileNotFoundError:\n    t = 'none'", 'print(t)'],
    steps: [{ file: ['later.txt', 'here'] }, { remove: 'later.txt' }],
  },
  {
    name: 'same-size-same-second',
    files: { 'data.txt': 'aaaa' },
    cells: ["t = open('data.txt').read()", 'print(t)'],
    steps: [{ file: ['data.txt', 'bbbb'] }, { file: ['data.txt', 'aaaa'] }],
  },
  {
    name: 'file-deleted-and-reader-run',
    files: one,
    cells: ["t = open('data.txt').read()", 'print(t)'],
    steps: [{ remove: 'data.txt' }],
    allow: 'refused',
  },
  {
    name: 'function-that-reads-passed-on',
    files: one,
    cells: [
      "def load():\n    return open('data.txt').read()",
      'def twice(f):\n    return f() * 2',
      'print(twice(load))',
    ],
    steps: [two],
  },
  {
    name: 'object-with-path-passed-on',
    files: one,
    cells: [
      'class Source:\n    def __init__(self, p):\n        self.p = p',
      "s = Source('data.txt')",
      'print(open(s.p).read())',
    ],
    steps: [two],
  },
  {
    name: 'dataclass-with-path-written-by-its-maker',
    cells: [
      'from dataclasses import dataclass\n@dataclass\nclass Source:\n    p: str',
      "open('w.txt', 'w').write('v1')\ns = Source('w.txt')",
      'print(open(s.p).read())',
    ],
    steps: [{ edit: [1, "open('w.txt', 'w').write('v2')\ns = Source('w.txt')"] }],
  },
  {
    name: 'reader-after-reopening',
    files: one,
    cells: ["p = 'data.txt'", 't = open(p).read()', 'print(t)'],
    steps: [two, 'reopen', { file: ['data.txt', 'three'] }, 'reopen'],
  },
  {
    name: 'symbolic-link-in-function',
    files: { 'a.txt': 'one', 'b.txt': 'two' },
    cells: [
      "import os\nif os.path.lexists('l'):\n    os.remove('l')\nos.symlink('a.txt', 'l')\np = 'l'",
      'print(open(p).read())',
    ],
    steps: [
      {
        edit: [
          0,
          "import os\nif os.path.lexists('l'):\n    os.remove('l')\nos.symlink('b.txt', 'l')\np = 'l'",
        ],
      },
    ],
  },
];

/**
 * Rows of the soundness test: cells that read the notebook's environment variables in every way, and changes of the
 * variables.
 */

import type { Row } from './row.ts';

const A = { env: { TRIP_MODE: 'b' } } as const;
const env = { TRIP_MODE: 'a' };

export const ENVIRONMENT: readonly Row[] = [
  { name: 'environ-get', env, cells: ["import os\nm = os.environ.get('TRIP_MODE')", 'print(m)'], steps: [A] },
  { name: 'environ-item', env, cells: ["import os\nm = os.environ['TRIP_MODE']", 'print(m)'], steps: [A] },
  { name: 'getenv', env, cells: ["import os\nm = os.getenv('TRIP_MODE')", 'print(m)'], steps: [A] },
  {
    name: 'from-os-import-environ',
    env,
    cells: ["from os import environ\nm = environ.get('TRIP_MODE', 'none')", 'print(m)'],
    steps: [A, { env: {} }],
  },
  {
    name: 'from-os-import-getenv-renamed',
    env,
    cells: ["from os import getenv as ge\nm = ge('TRIP_MODE')", 'print(m)'],
    steps: [A],
  },
  {
    name: 'in-function',
    env,
    cells: ["import os\ndef mode():\n    return os.environ.get('TRIP_MODE')", 'm = mode()', 'print(m)'],
    steps: [A],
  },
  {
    name: 'in-function-called-below',
    env,
    cells: ["import os\ndef mode():\n    return os.environ.get('TRIP_MODE')", 'print(mode())'],
    steps: [A, { env: {} }],
  },
  {
    name: 'in-chain-of-functions',
    env,
    cells: [
      "import os\ndef mode():\n    return os.environ.get('TRIP_MODE')",
      'def label():\n    return f"<{mode()}>"',
      'print(label())',
    ],
    steps: [A],
  },
  {
    name: 'in-method',
    env,
    cells: [
      "import os\nclass Settings:\n    def mode(self):\n        return os.environ.get('TRIP_MODE')",
      's = Settings()',
      'print(s.mode())',
    ],
    steps: [A],
  },
  {
    name: 'in-property-of-dataclass',
    env,
    cells: [
      "import os\nfrom dataclasses import dataclass\n@dataclass\nclass Settings:\n    n: int = 1\n    @property\n    def mode(self):\n        return os.environ['TRIP_MODE']",
      's = Settings()',
      'print(s.mode)',
    ],
    steps: [A],
  },
  {
    name: 'in-closure',
    env,
    cells: [
      'import os\ndef make(name):\n    def get():\n        return os.environ.get(name)\n    return get',
      "print(make('TRIP_MODE')())",
    ],
    steps: [A],
  },
  {
    name: 'in-default-argument',
    env,
    cells: ["import os\ndef mode(m=os.environ.get('TRIP_MODE')):\n    return m", 'print(mode())'],
    steps: [A],
    allow: 'message',
  },
  {
    name: 'in-decorator',
    env,
    cells: [
      "import os, functools\ndef tagged(f):\n    @functools.wraps(f)\n    def w(*a):\n        return (os.environ.get('TRIP_MODE'), f(*a))\n    return w",
      '@tagged\ndef g(x):\n    return x',
      'print(g(1))',
    ],
    steps: [A],
  },
  {
    name: 'in-class-body',
    env,
    cells: ["import os\nclass S:\n    TRIP_MODE = os.environ.get('TRIP_MODE')", 'print(S.TRIP_MODE)'],
    steps: [A],
    allow: 'message',
  },
  {
    name: 'name-computed',
    env: { TRIP_MODE_A: '1', TRIP_MODE_B: '2' },
    cells: ["import os\nsuffix = 'A'", "print(os.environ.get('TRIP_MODE_' + suffix))"],
    steps: [{ env: { TRIP_MODE_A: '3', TRIP_MODE_B: '2' } }],
    allow: 'message',
  },
  {
    name: 'name-from-loop',
    env: { TRIP_MODE_A: '1', TRIP_MODE_B: '2' },
    cells: ["import os\nprint([os.environ.get(f'TRIP_MODE_{s}') for s in 'AB'])"],
    steps: [{ env: { TRIP_MODE_A: '1', TRIP_MODE_B: '5' } }],
    allow: 'message',
  },
  {
    name: 'all-of-them',
    env,
    cells: ["import os\nd = dict(os.environ)\nprint(d.get('TRIP_MODE'))"],
    steps: [A],
    allow: 'message',
  },
  {
    name: 'all-of-them-by-prefix',
    env: { APP_X: '1' },
    cells: ["import os\nprint(sorted(k for k in os.environ if k.startswith('APP_')))"],
    steps: [{ env: { APP_X: '1', APP_Y: '2' } }],
    allow: 'message',
  },
  {
    name: 'membership',
    env,
    cells: ["import os\nprint('OTHER' in os.environ)"],
    steps: [{ env: { TRIP_MODE: 'a', OTHER: '1' } }],
  },
  {
    name: 'environ-passed-to-function',
    env,
    cells: ["def pick(e):\n    return e.get('TRIP_MODE')", 'import os\nprint(pick(os.environ))'],
    steps: [A],
    allow: 'message',
  },
  {
    name: 'environ-under-other-name',
    env,
    cells: ["import os\ne = os.environ\nm = e['TRIP_MODE']\ndel e", 'print(m)'],
    steps: [A],
  },
  {
    name: 'expandvars',
    env,
    cells: ["import os\nprint(os.path.expandvars('$TRIP_MODE'))"],
    steps: [A],
    allow: 'message',
  },
  {
    name: 'environb',
    env,
    cells: ["import os\nprint(os.environb.get(b'TRIP_MODE'))"],
    steps: [A],
    allow: 'message',
  },
  {
    name: 'inherited-by-child',
    env,
    cells: [
      "import subprocess\nprint(subprocess.run(['sh', '-c', 'echo $TRIP_MODE'], capture_output=True, text=True).stdout)",
    ],
    steps: [A],
    allow: 'message',
  },
  {
    name: 'in-local-module',
    env,
    files: { 'conf.py': "import os\ndef mode():\n    return os.environ.get('TRIP_MODE')\n" },
    cells: ['import conf\nm = conf.mode()', 'print(m)'],
    steps: [A],
  },
  {
    name: 'in-local-module-at-import',
    env,
    files: { 'conf.py': "import os\nTRIP_MODE = os.environ.get('TRIP_MODE')\n" },
    cells: ['import conf\nm = conf.TRIP_MODE', 'print(m)'],
    steps: [A],
  },
  {
    name: 'set-and-unset-and-set',
    env,
    cells: [
      "import os\ndef mode():\n    return os.environ.get('TRIP_MODE', 'none')",
      'm = mode()',
      'print(m)',
    ],
    steps: [{ env: {} }, A, { env: { TRIP_MODE: 'a' } }],
  },
  {
    name: 'after-reopening',
    env,
    cells: ["import os\ndef mode():\n    return os.environ.get('TRIP_MODE')", 'm = mode()', 'print(m)'],
    steps: [A, 'reopen'],
  },
  {
    name: 'reader-edited-to-equal-value',
    env,
    cells: ["import os\ndef mode():\n    return os.environ.get('TRIP_MODE')", 'm = mode()', 'print(m)'],
    steps: [A, { edit: [1, 'm = str(mode())'] }, { env: { TRIP_MODE: 'c' } }],
  },
  {
    name: 'cell-annotation',
    cells: ["# @env TRIP_MODE=a\nimport os\nm = os.environ.get('TRIP_MODE')", 'print(m)'],
    env: { TRIP_MODE: 'a' },
    steps: [{ edit: [0, "# @env TRIP_MODE=a\nimport os\nm = (os.environ.get('TRIP_MODE') or '') * 2"] }],
  },
  {
    name: 'function-that-reads-passed-on',
    env,
    cells: [
      "import os\ndef mode():\n    return os.environ.get('TRIP_MODE')",
      'def twice(f):\n    return f() * 2',
      'print(twice(mode))',
    ],
    steps: [A],
  },
  {
    name: 'instance-made-above',
    env,
    cells: [
      "import os\nclass S:\n    def __init__(self):\n        self.mode = os.environ.get('TRIP_MODE')",
      's = S()',
      'print(s.mode)',
    ],
    steps: [A],
  },
  {
    name: 'over-one-of-the-machine',
    env: { HOME: '/tmp/elsewhere' },
    cells: ["import os\nm = os.environ.get('HOME')", 'print(m)'],
    steps: [{ env: {} }, { env: { HOME: '/tmp/third' } }],
  },
];

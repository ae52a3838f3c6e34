import type { Row } from './row.ts';

/** Rows of the soundness test: every kind of process setting, each made in a separate cell. */
export const PROCESS_SETTINGS: readonly Row[] = [
  {
    name: 'seed-then-draw',
    cells: ['import random\nrandom.seed(1)', 'x = random.random()\nprint(x)'],
    allow: 'message',
  },
  {
    name: 'numpy-seed-in-function',
    cells: ['import numpy as np\ndef seed():\n    np.random.seed(3)\nseed()', 'print(np.random.rand())'],
    allow: 'message',
  },
  {
    name: 'environ-set',
    cells: ['import os\nos.environ["MODE"] = "set"', 'print(os.environ.get("MODE"))'],
    allow: 'message',
  },
  {
    name: 'environ-set-by-putenv',
    cells: ['import os\nos.environ.update(MODE="set")', 'import os\nprint(os.environ.get("MODE"))'],
    allow: 'message',
  },
  {
    name: 'locale',
    cells: [
      'import locale\nlocale.setlocale(locale.LC_ALL, "C.UTF-8")',
      'import locale\nprint(locale.setlocale(locale.LC_ALL))',
    ],
    allow: 'message',
  },
  {
    name: 'logging-level',
    cells: [
      'import logging\nlogging.getLogger("app").setLevel(10)',
      'import logging\nprint(logging.getLogger("app").level)',
    ],
    allow: 'message',
  },
  {
    name: 'logging-handler',
    cells: [
      'import logging\nlogging.getLogger("app").addHandler(logging.NullHandler())',
      'import logging\nprint(len(logging.getLogger("app").handlers))',
    ],
    allow: 'message',
  },
  {
    name: 'recursion-limit',
    cells: ['import sys\nsys.setrecursionlimit(5000)', 'import sys\nprint(sys.getrecursionlimit())'],
    allow: 'message',
  },
  {
    name: 'numpy-print-options',
    cells: [
      'import numpy as np\nnp.set_printoptions(precision=2)',
      'import numpy as np\nprint(np.array([1/3]))',
    ],
    allow: 'message',
  },
  {
    name: 'numpy-errstate',
    cells: [
      'import numpy as np\nnp.seterr(all="raise")',
      'import numpy as np\ntry:\n    np.array([1.0]) / 0\n    print("quiet")\nexcept FloatingPointError:\n    print("raised")',
    ],
    allow: 'message',
  },
  {
    name: 'pandas-float-format',
    cells: [
      'import pandas as pd\npd.set_option("display.precision", 1)',
      'import pandas as pd\nprint(pd.DataFrame({"a": [1/3]}))',
    ],
    allow: 'message',
  },
  {
    name: 'matplotlib-style',
    cells: [
      'import matplotlib.pyplot as plt\nplt.style.use("ggplot")',
      'import matplotlib.pyplot as plt\nprint(plt.rcParams["axes.facecolor"])',
    ],
    allow: 'message',
  },
  {
    name: 'module-attribute',
    cells: ['import json\njson.answer = 42', 'import json\nprint(getattr(json, "answer", None))'],
    allow: 'message',
  },
  {
    name: 'builtin-replaced',
    cells: ['import builtins\nbuiltins.answer = 42', 'print(answer)'],
    allow: 'message',
  },
  {
    name: 'time-zone',
    cells: [
      'import os, time\nos.environ["TZ"] = "Asia/Tokyo"\ntime.tzset()',
      'import time\nprint(time.tzname[0])',
    ],
    allow: 'message',
  },
  {
    name: 'umask',
    cells: ['import os\nos.umask(0o077)', 'import os\nold = os.umask(0)\nprint(old)'],
    allow: 'message',
  },
  {
    name: 'thread-left-running',
    cells: [
      'import threading, queue\nq = queue.Queue()',
      'import threading\nprint(threading.active_count())',
    ],
    allow: 'message',
  },
  {
    name: 'decimal-rounding',
    cells: [
      'import decimal\ndecimal.getcontext().rounding = decimal.ROUND_UP',
      'import decimal\nprint(decimal.Decimal("1.21").quantize(decimal.Decimal("0.1")))',
    ],
    allow: 'message',
  },
  {
    name: 'warnings-ignored',
    cells: [
      'import warnings\nwarnings.filterwarnings("error", category=DeprecationWarning)',
      'import warnings\ntry:\n    warnings.warn("old", DeprecationWarning)\n    print("quiet")\nexcept DeprecationWarning:\n    print("raised")',
    ],
    allow: 'message',
  },
  {
    name: 'chdir-and-read',
    cells: [
      'import os\nos.makedirs("sub", exist_ok=True)\nopen("sub/x.txt", "w").write("in sub")\nos.chdir("sub")',
      'print(open("x.txt").read())',
    ],
    allow: 'message',
  },
  {
    name: 'display-hook',
    cells: [
      'import sys\nsys.displayhook = lambda v: print("shown", v)',
      'print(sys.displayhook is sys.__displayhook__)',
    ],
    allow: 'message',
  },
  {
    name: 'socket-timeout',
    cells: ['import socket\nsocket.setdefaulttimeout(3)', 'import socket\nprint(socket.getdefaulttimeout())'],
    allow: 'message',
  },
  {
    name: 'gc-disabled',
    cells: ['import gc\ngc.disable()', 'import gc\nprint(gc.isenabled())'],
    allow: 'message',
  },
  {
    name: 'json-default-patched',
    cells: [
      'import json\njson.JSONEncoder.default = lambda self, o: str(o)',
      'import json\nprint(json.dumps({"a": {1}.__class__}))',
    ],
    allow: 'message',
  },
  {
    name: 'plt-figure-across',
    cells: [
      'import matplotlib\nmatplotlib.use("agg")\nimport matplotlib.pyplot as plt\nplt.plot([1, 2])',
      'import matplotlib.pyplot as plt\nprint(len(plt.get_fignums()))',
    ],
    allow: 'message',
  },
  {
    name: 'sklearn-config',
    cells: [
      'import sklearn\nsklearn.set_config(assume_finite=True)',
      'import sklearn\nprint(sklearn.get_config()["assume_finite"])',
    ],
    allow: 'message',
  },
  {
    name: 'seed-and-draw-in-one-cell',
    cells: ['import random\nrandom.seed(1)\nx = random.random()', 'print(x)'],
    steps: [{ edit: [0, 'import random\nrandom.seed(2)\nx = random.random()'] }],
  },
  {
    name: 'set-up-cell-seed',
    cells: ['# @setup\nimport random\nrandom.seed(1)', 'import random\nprint(random.random())'],
    steps: [{ edit: [0, '# @setup\nimport random\nrandom.seed(2)'] }],
    allow: 'message',
  },
  {
    name: 'set-up-cell-option',
    cells: [
      '# @setup\nimport pandas as pd\npd.set_option("display.max_rows", 3)',
      'import pandas as pd\nprint(pd.get_option("display.max_rows"))',
    ],
    steps: [{ edit: [0, '# @setup\nimport pandas as pd\npd.set_option("display.max_rows", 5)'] }],
  },
  {
    name: 'set-up-cell-path',
    cells: ['# @setup\nimport sys\nsys.path.insert(0, "lib")', 'import zmod\nprint(zmod.V)'],
    files: { 'lib/zmod.py': 'V = 1\n' },
    steps: [{ file: ['lib/zmod.py', 'V = 2\n'] }],
  },
  {
    name: 'set-up-cell-environment',
    cells: ['# @setup\nimport os\nos.environ["MODE"] = "a"', 'import os\nprint(os.environ.get("MODE"))'],
    steps: [{ edit: [0, '# @setup\nimport os\nos.environ["MODE"] = "b"'] }],
  },
];

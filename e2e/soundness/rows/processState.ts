import type { Row } from './row.ts';

/** Rows of the soundness test: process settings that an earlier cell makes for a later one. */
export const PROCESS_STATE: readonly Row[] = [
  {
    name: 'np-seed',
    cells: ['import numpy as np\nnp.random.seed(0)', 'v=np.random.rand()', 'print(round(float(v),4))'],
    allow: 'message',
  },
  {
    name: 'random-seed',
    cells: ['import random\nrandom.seed(1)', 'print(random.random())'],
    allow: 'message',
  },
  {
    name: 'pd-option',
    cells: [
      "import pandas as pd\npd.set_option('display.max_rows',3)",
      "print(pd.get_option('display.max_rows'))",
    ],
    allow: 'message',
  },
  {
    name: 'warnings-filter',
    cells: [
      "import warnings\nwarnings.simplefilter('error')",
      "import warnings\ntry:\n    warnings.warn('w')\n    print('warned')\nexcept UserWarning:\n    print('raised')",
    ],
    allow: 'message',
  },
  {
    name: 'chdir',
    cells: [
      "import os\nos.makedirs('sub',exist_ok=True)\nos.chdir('sub')",
      'print(os.path.basename(os.getcwd()))',
    ],
    allow: 'message',
  },
  {
    name: 'sys-path',
    cells: [
      "import os,sys\nos.makedirs('lib2',exist_ok=True)\nopen('lib2/zmod.py','w').write('V=1')\nsys.path.insert(0,'lib2')",
      'import zmod\nprint(zmod.V)',
    ],
    allow: 'message',
  },
  { name: 'monkeypatch-module-ref', cells: ['import math\nmath.pi=3', 'print(math.pi)'], allow: 'message' },
  {
    name: 'decimal-context',
    cells: ['import decimal\ndecimal.getcontext().prec=3', 'print(decimal.Decimal(1)/3)'],
    allow: 'message',
  },
  {
    name: 'plt-style',
    cells: [
      "import matplotlib\nmatplotlib.rcParams['lines.linewidth']=9",
      "print(matplotlib.rcParams['lines.linewidth'])",
    ],
    allow: 'message',
  },
  {
    name: 'plt-state-across',
    cells: ['import matplotlib.pyplot as plt\nplt.figure()\nplt.plot([1,2])', 'print(len(plt.gca().lines))'],
    allow: 'message',
  },
];

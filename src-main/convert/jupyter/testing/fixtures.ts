/**
 * Realistic Jupyter files for the tests of the import: the resulting cells, the findings, and the outputs before the
 * first run.
 */

import type { FindingKind } from '../findings.ts';
import { code, type GivenCell, oldFile, PNG, shown, stream, text, value } from './jupyterFiles.ts';

interface Fixture {
  readonly name: string;
  /** The cells of the Jupyter notebook, or a complete file. */
  readonly given: readonly GivenCell[] | string;
  readonly more?: Readonly<Record<string, unknown>>;
  /** The expected sources of its cells. */
  readonly cells?: readonly string[];
  /** The expected findings: cell from 1 (0: the whole notebook), kind, text. */
  readonly says?: readonly (readonly [cell: number, kind: FindingKind, words: RegExp])[];
  /** A kind without findings. */
  readonly silent?: FindingKind;
  /** The expected outputs, by position of the cell from 1. */
  readonly shows?: Readonly<Record<number, unknown>>;
}

const py2 = { metadata: { kernelspec: { name: 'python2', language: 'python' } } };
const W = 'warnings';
const plain = (words: string) => ({ type: 'text/plain', text: words });
const displays = (...list: readonly unknown[]) => ({ stdout: '', stderr: '', displays: list });
const PICTURE = {
  'p.png': { 'image/png': PNG },
  'a b.png': { 'image/png': PNG },
  'é (1).png': { 'image/png': PNG },
};
const DATA = `data:image/png;base64,${PNG}`;

export const FIXTURES: readonly Fixture[] = [
  // Commands
  {
    name: '! with a space',
    given: ['! ls -l\nz = 1'],
    cells: ['# svc: not run: !ls -l\nz = 1'],
    says: [[1, 'dropped_shells', /!ls -l/]],
  },
  {
    name: '! with a tab in a block',
    given: ['if True:\n    !\tls'],
    cells: ['if True:\n    pass\n    # svc: not run: !ls'],
  },
  {
    name: 'the result of ! with a space',
    given: ['x = ! ls\nlen(x)'],
    cells: ['# svc: not run: !ls\nx = []\nlen(x)'],
    says: [[1, W, /`x` is an empty list/]],
  },
  {
    name: '% with a space',
    given: ['% matplotlib inline\nz = 1'],
    cells: ['z = 1'],
    says: [[1, 'translated_magics', /%matplotlib inline/]],
  },
  { name: '%% with a space', given: ['%% time\nz = 1'], cells: ['z = 1'] },
  {
    name: 'an install with a space',
    given: ['! pip install tiny\nimport tiny'],
    says: [[1, 'captured_deps', /^tiny$/]],
  },
  {
    name: 'a quote in a command',
    given: ["!echo it's\nz = 1"],
    cells: ["# svc: not run: !echo it's\nz = 1"],
  },
  {
    name: 'the result of a magic without a counterpart',
    given: ['x = %who_knows'],
    cells: ['# svc: %who_knows is not supported\nx = None'],
    says: [[1, W, /`x` is None/]],
  },
  {
    name: '%pylab',
    given: ['%pylab inline\nplt.plot(x_)'],
    cells: ['import numpy as np\nimport matplotlib.pyplot as plt\nplt.plot(x_)'],
    says: [[1, W, /all names of numpy/]],
  },
  { name: '%env applies to one cell', given: ['%env MODE=quick\n1', '2'], says: [[1, W, /this cell only/]] },
  {
    name: 'help on a method',
    given: ['np.array?\n? len\nz = 1'],
    cells: ['# svc: np.array? asked for help\n# svc: ? len asked for help\nz = 1'],
  },
  { name: 'help on a magic', given: ['%timeit?'], cells: ['# svc: %timeit? asked for help'] },
  {
    name: '%%! is a shell',
    given: ['%%!\nls'],
    cells: ['# svc: %%! was not run\n# ls'],
    says: [[1, 'dropped_shells', /%%!/]],
  },
  {
    name: '%%sql is kept as comments',
    given: ['%%sql\nselect 1'],
    cells: ['# svc: %%sql is not supported\n# select 1'],
  },
  // Text
  {
    name: 'a cell indented as a whole',
    given: ['    z = 4\n    print(z)'],
    cells: ['z = 4\nprint(z)'],
    silent: W,
  },
  {
    name: 'indented with tabs, blank lines first',
    given: ['\n\n\tif 1:\n\t\tz = 4\n'],
    cells: ['if 1:\n\tz = 4'],
  },
  {
    name: 'an indented cell with a less indented line',
    given: ['    z = """a\nb"""\n    z'],
    cells: ['z = """a\nb"""\nz'],
  },
  { name: 'an indented magic', given: ['   %%time\n   z = 1'], cells: ['z = 1'] },
  {
    name: 'pasted prompts',
    given: ['>>> z = 1\n>>> for i in [1]:\n...     print(i)\n'],
    cells: ['z = 1\nfor i in [1]:\n    print(i)'],
  },
  { name: 'pasted prompts of IPython', given: ['In [3]: z = 1\n   ...: z'], cells: ['z = 1\nz'] },
  {
    name: 'Windows line breaks',
    given: ['if 1:\r\n    a = 2\r\nprint(a)\r\n'],
    cells: ['if 1:\n    a = 2\nprint(a)'],
  },
  // Measuring
  {
    name: '%%timeit with a set-up',
    given: ['%%timeit -n 10 -r3 xs = [1]\nsum(xs)'],
    cells: ['xs = [1]\nsum(xs)'],
    says: [[1, 'translated_magics', /set-up/]],
  },
  { name: '%%timeit with only options', given: ['%%timeit -n 10\nsum([1])'], cells: ['sum([1])'] },
  { name: '%%prun', given: ['%%prun -s cumulative\nz = 1'], cells: ['z = 1'] },
  { name: '%prun', given: ['%prun -l 5 -s time f()'], cells: ['f()'] },
  { name: '%lprun', given: ['%lprun -f f -f g f(1)'], cells: ['f(1)'] },
  { name: '%memit', given: ['%memit -r 1 z = 1'], cells: ['z = 1'] },
  {
    name: 'a measured result',
    given: ['t = %timeit -o 1 + 1'],
    cells: ['t = 1 + 1'],
    says: [[1, W, /not what %timeit measured/]],
  },
  { name: '%time passes the value on', given: ['t = %time 1 + 1'], cells: ['t = 1 + 1'], silent: W },
  // Capturing
  {
    name: '%%capture by itself',
    given: ['%%capture\nprint(1)'],
    cells: ['print(1)'],
    says: [[1, 'translated_magics', /is shown/]],
  },
  {
    name: '%%capture that is used',
    given: ['%%capture --no-stderr out\nprint(1)', 'out.show()', 'out()', 'print(out.stdout)'],
    cells: [
      '# svc: %%capture\nimport contextlib as _contextlib, io as _io, types as _types\n_stdout, _stderr, _captured = _io.StringIO(), _io.StringIO(), _contextlib.ExitStack()\n_captured.enter_context(_contextlib.redirect_stdout(_stdout))\nprint(1)\n_captured.close()\nout = _types.SimpleNamespace(stdout=_stdout.getvalue(), stderr=_stderr.getvalue(), outputs=[])',
      'print(out.stdout, end="")',
      'print(out.stdout, end="")',
      'print(out.stdout)',
    ],
    says: [
      [1, W, /not captured/],
      [2, 'translated_magics', /out\.show/],
    ],
  },
  // The kernel
  {
    name: 'get_ipython().magic',
    given: ["get_ipython().magic('matplotlib inline')\nz = 1"],
    cells: ['z = 1'],
  },
  {
    name: 'get_ipython().run_line_magic',
    given: ["get_ipython().run_line_magic('time', 'z = 1')"],
    cells: ['z = 1'],
  },
  {
    name: 'get_ipython().run_cell_magic',
    given: ["get_ipython().run_cell_magic('bash', '', 'ls\\npwd\\n')"],
    cells: ['# svc: %%bash was not run\n# ls\n# pwd'],
  },
  {
    name: 'get_ipython().system',
    given: ["get_ipython().system('ls \\'a\\'')"],
    cells: ["# svc: not run: !ls 'a'"],
    says: [[1, W, /was not run/]],
  },
  {
    name: 'get_ipython().getoutput',
    given: ['x = get_ipython().getoutput("ls")'],
    cells: ['# svc: not run: !ls\nx = []'],
  },
  {
    name: 'get_ipython() itself',
    given: ["'colab' in str(get_ipython())"],
    says: [[1, W, /get_ipython\(\)/]],
  },
  { name: 'Out by number', given: ['1 + 1', 'Out[1] * 2'], says: [[2, W, /`Out` is the history/]] },
  { name: 'the last output', given: ['1 + 1', '_ * 2'], says: [[2, W, /`_` is the history/]] },
  { name: 'an output by its name', given: ['1 + 1', 'print(_1)'], says: [[2, W, /`_1` is the history/]] },
  { name: '_ that the cell binds', given: ['for _ in [1]:\n    print(_)'], silent: W },
  {
    name: 'top-level await',
    given: ['import asyncio\nawait asyncio.sleep(0)'],
    says: [[1, W, /Top-level `await`/]],
  },
  {
    name: 'await in a function',
    given: ['import asyncio\nasync def f():\n    await asyncio.sleep(0)\n\n    return 1'],
    silent: W,
  },
  { name: 'a star import', given: ['from math import *', 'sqrt(4)'], says: [[1, W, /from math import \*/]] },
  { name: 'a question', given: ['x = input("name")'], says: [[1, W, /input\(\)/]] },
  {
    name: 'a private name of another cell',
    given: ['_k = 1', 'print(_k)'],
    says: [[2, W, /`_k` is not shared/]],
  },
  { name: 'controls', given: ['import ipywidgets as w\nw.IntSlider()'], says: [[1, W, /widget cell/]] },
  { name: 'Colab', given: ['from google.colab import drive'], says: [[1, W, /available only in Colab/]] },
  // Order
  {
    name: 'a name that a later cell defines',
    given: ['print(late)', 'late = 1'],
    says: [[1, W, /`late` is used here but first defined below, in cell 2/]],
  },
  {
    name: 'a name of a deleted cell',
    given: ['print(lost, gone)'],
    says: [[1, W, /`gone`, `lost` are used here but not defined in any cell/]],
  },
  {
    name: 'a function that calls one of a later cell',
    given: ['def f():\n    return g()', 'def g():\n    return 1', 'print(f())'],
    silent: W,
  },
  {
    name: 'a function that is called too early',
    given: ['def f():\n    return g()\nprint(f())', 'def g():\n    return 1'],
    says: [[1, W, /`g` is used here but first defined below, in cell 2/]],
  },
  {
    name: '_ in patterns and arguments',
    given: [
      'a, _ = (1, 2)',
      'f = lambda _: 1',
      'import gettext as _',
      'def g(_, x):\n    return x',
      'match a:\n    case _:\n        pass',
    ],
    silent: W,
  },
  // Settings
  {
    name: 'imports and a seed first',
    given: ['import random\nrandom.seed(0)', 'random.random()'],
    cells: ['# @setup\nimport random\nrandom.seed(0)', 'random.random()'],
    says: [[1, W, /restarts the random sequence/]],
  },
  {
    name: 'imports and settings first',
    given: [text('# T'), 'import pandas as pd\npd.set_option("display.max_rows", 5)\nN = 3', 'N'],
    cells: ['# T', '# @setup\nimport pandas as pd\npd.set_option("display.max_rows", 5)\nN = 3', 'N'],
    says: [[2, W, /setup cell/]],
  },
  {
    name: 'installs above the settings',
    given: ['!pip install pandas', 'import pandas as pd\npd.options.display.width = 9', 'pd'],
    cells: [
      '# @setup\n# svc: packages of the notebook: !pip install pandas\nimport pandas as pd\npd.options.display.width = 9',
      'pd',
    ],
    says: [[1, 'captured_deps', /pandas/]],
  },
  {
    name: 'settings with other work',
    given: ['import random\nrandom.seed(0)\nx = random.random()', 'x'],
    cells: ['import random\nrandom.seed(0)\nx = random.random()', 'x'],
    says: [[1, W, /this cell only/]],
  },
  {
    name: 'settings further down',
    given: ['x = 1', 'import os\nos.chdir("data")', 'x'],
    says: [[2, W, /`os\.chdir\("data"\)` applies to this cell only/]],
  },
  {
    name: 'imports alone do not make a set-up cell',
    given: ['import os', 'os.getcwd()'],
    cells: ['import os', 'os.getcwd()'],
    silent: W,
  },
  // Python 2
  {
    name: 'print of Python 2',
    given: ['x = 1', "print 'a', x\nprint x"],
    more: py2,
    says: [
      [0, W, /kernel is Python 2/],
      [2, W, /`print` without parentheses \(line 1\)/],
    ],
  },
  {
    name: 'except of Python 2',
    given: ['try:\n    pass\nexcept ValueError, e:\n    raise KeyError, "k"'],
    says: [[1, W, /`except X, e`.*`raise X/]],
  },
  {
    name: 'functions of Python 2',
    given: ['for i in xrange(3):\n    name = raw_input()'],
    says: [[1, W, /`raw_input` for `input`.*`xrange` for `range`|`xrange` for `range`.*`raw_input`/]],
  },
  {
    name: 'Python 3 that resembles Python 2',
    given: ['print (1)\nprint\nx = 3\nx <= 10'],
    silent: 'dropped_magics',
  },
  { name: 'text that is not Python', given: ['x = = 1'], says: [[1, W, /not valid Python/]] },
  // Pictures
  {
    name: 'a picture in an img',
    given: [text('<img src="attachment:p.png" alt="A B" width="10">', PICTURE)],
    cells: [`![A B](${DATA})`],
  },
  {
    name: 'encoded names',
    given: [text('![i](attachment:a%20b.png "t") ![j](attachment:%C3%A9%20(1).png)', PICTURE)],
    cells: [`![i](${DATA} "t") ![j](${DATA})`],
  },
  {
    name: 'names in angle brackets and definitions',
    given: [text('![i](<attachment:a b.png>)\n\n[r]: attachment:p.png', PICTURE)],
    cells: [`![i](${DATA})\n\n[r]: ${DATA}`],
  },
  {
    name: 'a picture that does not exist',
    given: [text('![i](attachment:no.png)', PICTURE)],
    cells: ['![i](attachment:no.png)'],
    says: [[1, W, /`no\.png` is missing from the file/]],
  },
  // Old formats
  {
    name: 'nbformat 3',
    given: oldFile([
      { cell_type: 'heading', level: 2, source: ['Title'] },
      {
        cell_type: 'code',
        language: 'python',
        input: ['print(1)'],
        prompt_number: 1,
        outputs: [
          { output_type: 'stream', stream: 'stdout', text: ['1\n'] },
          { output_type: 'pyout', text: ['2'] },
          { output_type: 'pyerr', ename: 'E', evalue: 'v', traceback: [] },
        ],
      },
      { cell_type: 'raw', source: 'x' },
    ]),
    cells: ['## Title', 'print(1)'],
    says: [
      [0, W, /nbformat 3/],
      [0, 'skipped_cells', /cell 3: raw/],
    ],
    shows: { 2: { stdout: '1\n', stderr: '', displays: [plain('2'), plain('E: v')] } },
  },
  {
    name: 'another kernel',
    given: ['println(1)'],
    more: { metadata: { language_info: { name: 'julia' } } },
    says: [[0, W, /kernel is julia/]],
  },
  {
    name: 'numbers that JSON does not allow',
    given:
      '{"cells": [{"cell_type": "code", "source": "a = \\"NaN\\"", "outputs": [{"output_type": "display_data", "data": {"application/json": [NaN, -Infinity, 1]}}]}]}',
    cells: ['a = "NaN"'],
    shows: { 1: displays({ type: 'json/object', value: [null, null, 1] }) },
  },
  // Outputs
  {
    name: 'streams',
    given: [code('1', [stream('a\n'), stream('w\n', 'stderr'), stream('b\n')])],
    shows: { 1: { stdout: 'a\nb\n', stderr: 'w\n', displays: [] } },
  },
  {
    name: 'a table',
    given: [code('df', [value({ 'text/html': ['<table><tr><td>1</td></tr></table>'], 'text/plain': '1' })])],
    shows: { 1: displays({ type: 'text/html', text: '<table><tr><td>1</td></tr></table>' }) },
  },
  {
    name: 'a figure with its size',
    given: [
      code('p', [
        shown(
          { 'image/png': `${PNG}\n`, 'text/plain': '<Figure>' },
          { 'image/png': { width: 4, height: 3 } },
        ),
      ]),
    ],
    shows: { 1: displays({ type: 'image/png', base64: PNG, width: 4, height: 3 }) },
  },
  {
    name: 'svg, markdown, latex, json',
    given: [
      code('p', [
        shown({ 'image/svg+xml': ['<svg/>'] }),
        shown({ 'text/markdown': '**a**' }),
        shown({ 'text/latex': '$a$', 'text/plain': 'a' }),
        shown({ 'application/json': { a: [1] } }),
      ]),
    ],
    shows: {
      1: displays(
        { type: 'image/svg+xml', text: '<svg/>' },
        { type: 'text/markdown', text: '**a**' },
        { type: 'text/latex', text: '$a$' },
        { type: 'json/object', value: { a: [1] } },
      ),
    },
  },
  {
    name: 'figures as data',
    given: [
      code('p', [
        shown({ 'application/vnd.plotly.v1+json': { data: [] }, 'text/html': '<div>plotly</div>' }),
        shown({ 'application/vnd.vegalite.v5+json': { mark: 'bar' }, 'image/png': PNG }),
        shown({ 'application/vnd.plotly.v1+json': 'no figure', 'text/plain': 'Figure' }),
      ]),
    ],
    shows: {
      1: displays(
        { type: 'application/vnd.plotly.v1+json', text: '{"data":[]}' },
        { type: 'application/vnd.vegalite.v5+json', text: '{"mark":"bar"}' },
        plain('Figure'),
      ),
    },
  },
  {
    name: 'HTML of only scripts',
    given: [code('p', [shown({ 'text/html': '<div></div><script>x()</script>', 'text/plain': 'Chart()' })])],
    shows: { 1: displays(plain('Chart()')) },
  },
  {
    name: 'a type that nothing shows',
    given: [code('p', [shown({ 'application/vnd.x+json': {} })])],
    shows: {
      1: displays(plain('[An output of type application/vnd.x+json is not shown. Run the cell to make it.]')),
    },
  },
  {
    name: 'an error',
    given: [
      code('1/0', [
        {
          output_type: 'error',
          ename: 'Z',
          evalue: 'v',
          traceback: ['\u001b[31mTraceback\u001b[0m', 'Z: v'],
        },
      ]),
    ],
    shows: { 1: displays(plain('Traceback\nZ: v')) },
  },
  {
    name: 'an output that is too large',
    given: [code('p', [value({ 'text/plain': 'x'.repeat(3_000_000) })])],
    shows: {
      1: displays(plain('[An output of 3.0 MB of the imported file was left out. Run the cell to make it.]')),
    },
  },
  {
    name: 'outputs of another shape',
    given: [
      {
        cell_type: 'code',
        source: 'p',
        outputs: [null, 5, { output_type: 'stream' }, { output_type: 'display_data', data: [] }],
      },
    ],
    shows: {},
  },
  { name: 'a cell without outputs', given: ['p = 1'], shows: {} },
];

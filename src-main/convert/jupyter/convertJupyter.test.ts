import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AppError } from '../../../src-shared/wire/errors.ts';
import { convertJupyter, NO_FOLDER_FACTS } from './convertJupyter.ts';

interface Given {
  readonly kind?: string;
  readonly source: string | readonly string[];
  readonly more?: Readonly<Record<string, unknown>>;
}

function notebook(cells: readonly Given[], metadata: unknown = {}): string {
  return JSON.stringify({
    nbformat: 4,
    nbformat_minor: 5,
    metadata,
    cells: cells.map(({ kind = 'code', source, more }) => ({
      cell_type: kind,
      source,
      metadata: {},
      ...more,
    })),
  });
}

const code = (...sources: readonly string[]) => notebook(sources.map((source) => ({ source })));

/** The source of the only cell, and the texts of one list. */
function one(source: string) {
  const { cells, findings, dependencies } = convertJupyter(code(source));
  const of = (kind: string) => findings.filter((finding) => finding.kind === kind).map(({ text }) => text);
  return { source: cells[0]?.source ?? '', of, dependencies };
}

describe('[TR-21] magics and shells', () => {
  const rows: readonly [name: string, given: string, made: string, kind?: string, said?: RegExp][] = [
    [
      '%matplotlib is removed',
      '%matplotlib inline\nx = 1',
      'x = 1',
      'translated_magics',
      /%matplotlib inline/,
    ],
    [
      '%autoreload is removed',
      '%load_ext autoreload\n%autoreload 2\nx',
      'x',
      'translated_magics',
      /autoreload/,
    ],
    ['%time is replaced by its statement', '%time x = f(1)', 'x = f(1)', 'translated_magics', /%time/],
    [
      '%timeit is replaced by its statement, without options',
      '%timeit -n 10 -r3 f(x)',
      'f(x)',
      'translated_magics',
      /%timeit/,
    ],
    ['%%time is replaced by its body', '%%time\nx = 1\ny = 2', 'x = 1\ny = 2', 'translated_magics', /%%time/],
    [
      '%%capture is replaced by its body',
      '%%capture out\nprint(1)',
      'print(1)',
      'translated_magics',
      /%%capture/,
    ],
    [
      'a magic below %%time',
      '%%time\n%matplotlib inline\nx = 1',
      'x = 1',
      'translated_magics',
      /%matplotlib/,
    ],
    [
      '%%bash becomes comments',
      '%%bash\nls -la\necho hi',
      '# svc: %%bash was not run\n# ls -la\n# echo hi',
      'dropped_shells',
      /%%bash/,
    ],
    [
      '%%html is not supported',
      '%%html\n<b>',
      '# svc: %%html is not supported\n# <b>',
      'dropped_magics',
      /%%html/,
    ],
    ['!ls is a comment', '!ls -la\nx = 1', '# svc: not run: !ls -la\nx = 1', 'dropped_shells', /!ls -la/],
    [
      'the output of a shell command is an empty list',
      'files = !ls *.csv',
      '# svc: not run: !ls *.csv\nfiles = []',
      'dropped_shells',
      /ls/,
    ],
    [
      '%env becomes an annotation',
      'x = 1\n%env MODE=quick',
      '# @env MODE=quick\nx = 1',
      'translated_magics',
      /@env/,
    ],
    ['%env without = is dropped', '%env MODE', '# svc: %env MODE is not supported', 'dropped_magics', /%env/],
    [
      '%run becomes the text of the file',
      '%run other.py',
      'exec(compile(open("other.py", encoding="utf-8").read(), "other.py", "exec"))',
      'translated_magics',
      /%run/,
    ],
    [
      'an unknown magic is dropped',
      '%foo bar',
      '# svc: %foo bar is not supported',
      'dropped_magics',
      /%foo bar/,
    ],
    [
      'a request for help is dropped',
      'len?\nx = 1',
      '# svc: len? asked for help\nx = 1',
      'dropped_magics',
      /len\?/,
    ],
    ['pip list is dropped', '!pip list', '# svc: not run: !pip list', 'dropped_shells', /pip list/],
    [
      'a block that is left empty gets pass',
      'if a:\n    !ls\nx = 1',
      'if a:\n    pass\n    # svc: not run: !ls\nx = 1',
      'dropped_shells',
      /ls/,
    ],
    [
      'a block that keeps something does not',
      'if a:\n    !ls\n    x = 1',
      'if a:\n    # svc: not run: !ls\n    x = 1',
    ],
    ['not inside a string', 'x = """\n%matplotlib inline\n!ls\n"""', 'x = """\n%matplotlib inline\n!ls\n"""'],
    ['not inside brackets', 'x = (\n%b\n)', 'x = (\n%b\n)'],
    ['a remainder is not a magic', 'x = a \\\n%b', 'x = a \\\n%b'],
    ['a comparison is not a shell command', 'x != y', 'x != y'],
    ['a shell over two lines', '!ls \\\n  -la\nx', '# svc: not run: !ls -la\nx', 'dropped_shells', /!ls -la/],
    [
      'a last ; hides the display',
      'plt.plot(x);',
      'plt.plot(x);\n# svc: nothing is shown\npass',
      'suppressed_outputs',
      /plot/,
    ],
    [
      'comments after it do not count',
      'f(x);  # quiet\n# more',
      'f(x);  # quiet\n# more\n# svc: nothing is shown\npass',
      'suppressed_outputs',
    ],
    ['an assignment needs no ; to show nothing', 'x = 1;', 'x = 1;', 'suppressed_outputs'],
    ['an augmented assignment needs none either', 'x <<= 1;', 'x <<= 1;', 'suppressed_outputs'],
    [
      'a comparison is an expression',
      'x == 1;',
      'x == 1;\n# svc: nothing is shown\npass',
      'suppressed_outputs',
    ],
    [
      'a keyword argument assigns nothing',
      'f(a=1);',
      'f(a=1);\n# svc: nothing is shown\npass',
      'suppressed_outputs',
    ],
    [
      '%%writefile writes a file',
      '%%writefile a.txt\nhi "you"',
      '_ = __import__("pathlib").Path("a.txt").write_text("hi \\"you\\"\\n", encoding="utf-8")',
      'translated_magics',
      /a\.txt/,
    ],
  ];
  for (const [name, given, made, kind, said] of rows) {
    it(name, () => {
      const { source, of } = one(given);
      expect(source).toBe(made);
      if (kind !== undefined) expect(of(kind).join('\n')).toMatch(said ?? /./);
    });
  }
});

describe('[TR-22] packages', () => {
  const rows: readonly [name: string, given: string, packages: readonly string[]][] = [
    ['!pip install', '!pip install -q pandas "numpy>=2"', ['pandas', 'numpy>=2']],
    ['%pip install', '%pip install --index-url https://x.example/ polars', ['polars']],
    ['python -m pip', '!python -m pip install -U duckdb', ['duckdb']],
    ['{sys.executable} -m pip', '!{sys.executable} -m pip install duckdb', ['duckdb']],
    ['uv pip', '!uv pip install altair', ['altair']],
    ['conda, with a channel', '%conda install -y -c conda-forge scipy=1.11', ['scipy==1.11']],
    ['text after a command', '!pip install pandas && echo done', ['pandas']],
    [
      'imports, without the standard library',
      'import os, numpy as np\nfrom sklearn.linear_model import Ridge',
      ['numpy', 'scikit-learn'],
    ],
    ['inside a block', 'try:\n    import torch\nexcept ImportError:\n    pass', ['torch']],
    [
      'Google’s',
      'from google.cloud import storage\nimport google.cloud.bigquery',
      ['google-cloud-storage', 'google-cloud-bigquery'],
    ],
    [
      'packages whose import name differs',
      'import skimage, cv2, mpl_toolkits, jose',
      ['scikit-image', 'opencv-python', 'matplotlib', 'jose'],
    ],
    ['no import in a string', 'x = """\nimport torch\n"""', []],
    ['the earlier of two requirements wins', '!pip install numpy==1.26\nimport numpy', ['numpy==1.26']],
  ];
  for (const [name, given, packages] of rows) {
    it(name, () => expect(one(given).dependencies).toEqual(packages));
  }

  it('requirement files take precedence over cells, and local modules are not packages', () => {
    const beside = { requirements: ['numpy==2.1'], isLocal: (module: string) => module === 'helpers' };
    expect(convertJupyter(code('import numpy, helpers'), beside).dependencies).toEqual(['numpy==2.1']);
  });

  it('[SG-26] a package from a URL, a path or a repository waits, and the report lists it', () => {
    const places = [
      'evil@file:///e',
      'far @ https://example.org/far.whl',
      'repo @ git+https://example.org/repo',
    ];
    const source = `%pip install apple ${places.map((place) => `"${place}"`).join(' ')}\nimport evil, far`;
    const { dependencies, waiting, findings } = convertJupyter(code(source));
    expect(dependencies).toEqual(['apple']);
    expect(waiting).toEqual(['evil @ file:///e', ...places.slice(1)]);
    const warnings = findings.filter(({ kind }) => kind === 'warnings').map(({ text }) => text);
    expect(warnings).toEqual(
      waiting.map((text) => expect.stringContaining(`\`${text}\` is not installed until`)),
    );
  });

  it('a line that names no package is a warning', () => {
    const { dependencies, of } = one('!pip install git+https://example.org/x.git ./local -r more.txt');
    expect(dependencies).toEqual([]);
    expect(of('warnings')).toHaveLength(3);
  });
});

describe('[TR-20] the file', () => {
  it('text and code cells keep their order, other cells are left out', () => {
    const { cells, findings } = convertJupyter(
      notebook([
        { kind: 'markdown', source: ['# Title\n', 'text\n'] },
        { kind: 'raw', source: 'x' },
        { source: '  x = 1  \n', more: { outputs: [{ output_type: 'stream', text: 'HUGE'.repeat(1000) }] } },
        { source: '' },
      ]),
    );
    expect(cells.map(({ language, source }) => [language, source])).toEqual([
      ['markdown', '# Title\ntext'],
      ['python', 'x = 1'],
    ]);
    for (const { id } of cells) expect(id).toMatch(/^[0-9a-f]{8}$/);
    expect(findings.map(({ kind, text }) => [kind, text])).toEqual([
      ['skipped_cells', 'cell 2: raw'],
      ['skipped_cells', 'cell 4: empty'],
    ]);
  });

  it('an R kernel makes R cells, unchanged', () => {
    const { cells, findings } = convertJupyter(
      notebook([{ source: '%x%\nx <- 1;' }], { kernelspec: { language: 'R', name: 'ir' } }),
    );
    expect(cells[0]).toMatchObject({ language: 'r', source: '%x%\nx <- 1;' });
    expect(findings).toMatchObject([{ kind: 'warnings' }]);
  });

  it('attached pictures are embedded in the text', () => {
    const more = {
      attachments: { 'a b.png': { 'image/png': 'AAAA' }, 'x.svg': { 'image/svg+xml': '<svg/>' } },
    };
    const source = '![p](attachment:a%20b.png) ![q](attachment:x.svg)';
    const { cells } = convertJupyter(notebook([{ kind: 'markdown', source, more }]));
    expect(cells[0]?.source).toBe('![p](data:image/png;base64,AAAA) ![q](attachment:x.svg)');
  });

  it.each([
    ['no JSON', '{"cells": ['],
    ['a list', '[]'],
    ['no cells', '{"metadata": {}}'],
    ['cells that are not objects', '{"cells": [1]}'],
    ['an old form without cells', '{"nbformat": 3, "worksheets": [{}]}'],
  ])('%s is refused with a message', (_name, text) => {
    expect(() => convertJupyter(text)).toThrow(AppError);
    expect(() => convertJupyter(text)).toThrow(/not a Jupyter notebook/);
  });

  it('a damaged file is refused or read, and nothing else happens', () => {
    const whole = code('%time x = 1', '!ls', 'if a:\n  %foo', 'f(x);');
    fc.assert(
      fc.property(fc.nat(whole.length), fc.nat(whole.length), fc.string(), (from, length, put) => {
        const text = whole.slice(0, from) + put + whole.slice(from + length);
        try {
          convertJupyter(text, NO_FOLDER_FACTS);
        } catch (error) {
          expect(error).toBeInstanceOf(AppError);
        }
      }),
      { numRuns: process.env['LONG'] === '1' ? 20_000 : 300 },
    );
  });

  it('IPython syntax is converted to valid Python', async () => {
    const part = fc.constantFrom(
      ...[
        '%matplotlib inline',
        '!ls',
        'x = !ls',
        '%time y = 1',
        'if a:',
        '    !ls',
        '    z = 2',
        '%foo',
        'f(1);',
        'a?',
        '# c',
      ],
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 6 }), (lines) => {
        const { source } = one(lines.join('\n'));
        expect(source.split('\n').filter((line) => /^\s*[!%]|\?$/.test(line))).toEqual([]);
      }),
    );
  });
});

import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { withSetupInFront } from './setupInFront.ts';

const SETUP = { source: '# @setup\nimport os\nos.environ["A"] = "1"', cellName: 'start' };
const STATEMENT = withSetupInFront('', SETUP);

/** A source, and the expected result, in which `§` is the statement of the set-up cell. */
const ROWS: readonly (readonly [what: string, source: string, expected: string])[] = [
  ['a simple statement', 'x = 1\ny = 2', '§; x = 1\ny = 2'],
  ['a comment', '# note\nx = 1', '§  # note\nx = 1'],
  ['annotations', '# @name a\n# @worker gpu\nx = 1', '# @name a\n§  # @worker gpu\nx = 1'],
  ['a blank line', '# @name a\n\n# why\nfor i in x:\n    i', '# @name a\n§\n# why\nfor i in x:\n    i'],
  ['a block', 'for i in x:\n    i', '§\nfor i in x:\n    i'],
  ['a decorator', '@f\ndef g(): ...', '§\n@f\ndef g(): ...'],
  ['a match', 'match x:\n    case 1: y', '§\nmatch x:\n    case 1: y'],
  ['a name like a keyword', 'match = 1', '§; match = 1'],
  ['a name that begins like a keyword', 'format(1)', '§; format(1)'],
  ['a docstring', '"""Doc\nmore"""\nx = 1', '"""Doc\nmore"""; §\nx = 1'],
  ['a docstring with a note', "'Doc'  # note\nx", "'Doc'; §  # note\nx"],
  ['a string that is not a docstring', '"a".join(x)', '§; "a".join(x)'],
  ['a future import', 'from __future__ import annotations\nx', 'from __future__ import annotations; §\nx'],
  [
    'future imports after a docstring',
    '# c\n"""Doc"""\n\nfrom __future__ import (\n  annotations,\n)\n# c\nfrom __future__ import division as d; y = 1',
    '# c\n"""Doc"""\n\nfrom __future__ import (\n  annotations,\n)\n# c\nfrom __future__ import division as d; §; y = 1',
  ],
  ['Windows line breaks', '# c\r\nx = 1\r\n', '§  # c\nx = 1\n'],
  ['a byte order mark', '\uFEFFx = 1', '§; x = 1'],
];

describe('[SO-175] a set-up cell in front of a source', () => {
  it.each(ROWS)('%s', (_what, source, expected) => {
    expect(withSetupInFront(source, SETUP)).toBe(expected.replace('§', () => STATEMENT));
  });

  it('is one line, whatever it contains', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string(), (source, cellName) => {
        expect(withSetupInFront('', { source, cellName })).not.toMatch(/[\n\r]/);
      }),
    );
  });
});

const python = process.env['CELLAR_TEST_PYTHON'];

/** What a plain interpreter prints for a cell with its set-up cell in front, with the traceback when it fails. */
function run(source: string, setup: string): string {
  const text = withSetupInFront(source, { source: setup, cellName: 'start' });
  const program = [
    'import sys, traceback',
    'try:',
    '    exec(compile(sys.argv[1], "<cell a>", "exec"), {"__name__": "__main__"})',
    'except Exception:',
    '    print(traceback.format_exc())',
  ].join('\n');
  const options = { encoding: 'utf8', env: { ...process.env, PYTHONIOENCODING: 'utf-8' } } as const;
  return execFileSync(python ?? '', ['-c', program, text], options);
}

describe.skipIf(python === undefined)('[SO-175] run by a plain interpreter', () => {
  const PROGRAMS: readonly (readonly [source: string, line: number])[] = [
    ['print("done")\n1 / 0', 2],
    ['# note\nprint("done")\n1 / 0', 3],
    ['"""Doc\nmore"""\nprint("done")\n1 / 0', 4],
    ['from __future__ import annotations\ndef f(x: y): ...\nprint("done")\n1 / 0', 4],
    ['"""Doc"""\nfrom __future__ import annotations; print("done")\n1 / 0', 3],
    ['\n@str\ndef f(): ...\nprint("done")\n1 / 0', 5],
    ['for _ in [1]:\n    print("done")\n1 / 0', 4],
  ];
  it.each(PROGRAMS)('%j fails in the line of the original source', (source, line) => {
    const output = run(source, SETUP.source);
    expect(output).toMatch(/^done\n/);
    expect(output).toContain(`File "<cell a>", line ${line}, in <module>`);
  });

  it('a docstring stays a docstring', () => {
    expect(run('"""Doc"""\nprint(__doc__)', SETUP.source)).toBe('Doc\n');
  });

  it('its state is kept, its names and output are not', () => {
    const setup =
      'import os, sys\nos.environ["A"] = "é\\"1"\nx = 1\nprint("out")\nprint("err", file=sys.stderr)\ndisplay(1)';
    const source = 'import os\nprint(os.environ["A"], "x" in globals(), "given" in globals())';
    expect(run(source, setup)).toBe('é"1 False False\n');
  });

  it('a stream that its code passes to a library prints to the console of the cell', () => {
    const setup =
      'import logging, sys\nlogging.basicConfig(stream=sys.stdout, format="%(message)s")\nlogging.error("a")';
    expect(run('import logging\nlogging.error("b")', setup)).toBe('b\n');
  });

  it('its failure names the set-up cell, and the cell does not run', () => {
    const output = run('print("ran")', 'x = 1\n1 / 0');
    expect(output).toContain('RuntimeError: The setup cell failed: ZeroDivisionError: division by zero');
    expect(output).toContain('File "<set-up cell start>", line 2');
    expect(output).not.toMatch(/^ran/m);
  });
});

/**
 * Jupyter commands typed into a Python cell (`!pip`, `%magic`): which lines are reported, and the fix offered
 * for each.
 */

import { beforeAll, describe, expect, it } from 'vitest';
import { diagnose } from '../../../src-shared/notebook/diagnostics.ts';
import { fixOf } from '../../../src-shared/notebook/fixes.ts';
import type { Diagnostic } from '../../../src-shared/wire/cell.ts';
import { analyzeCell, createAnalyzer } from '../analyzeCell.ts';
import type { CellAnalyzer } from '../cellAnalysis.ts';

let analyzer: CellAnalyzer;
beforeAll(async () => {
  analyzer = await createAnalyzer();
});

function faults(source: string): readonly Diagnostic[] {
  const { unseen } = analyzeCell(analyzer, { language: 'python', source });
  return unseen.magics.map(({ text, line }) => diagnose('magic_line', text, line, text));
}

/** The fix of the first command: the remaining source, and the packages to add. */
function fixOfFirst(source: string) {
  const [fault] = faults(source);
  return fault === undefined ? undefined : fixOf(source, fault, { defines: [], references: [] });
}

describe('[WI-275] Jupyter commands in a cell', () => {
  it.each<[string, string, string, string, (readonly string[])?]>([
    ['a package', '!pip install pandas\nx = 1', 'Add pandas', 'x = 1', ['pandas']],
    ['as a magic', '%pip install -q "pandas>=2"', 'Add pandas>=2', '', ['pandas>=2']],
    ['by python -m', '! python -m pip install --upgrade polars', 'Add polars', '', ['polars']],
    ['of conda', '%conda install -c conda-forge scipy', 'Add scipy', '', ['scipy']],
    ['several', '!pip install a b[x] c==1 a', 'Add a, b[x], c==1', '', ['a', 'b[x]', 'c==1']],
    ['in a block', 'if True:\n    !pip install a', 'Add a', 'if True:\n    pass', ['a']],
    ['inline figures', '%matplotlib inline\nx = 1', 'Remove the line', 'x = 1'],
    ['reloading', 'x = 1\n%load_ext autoreload', 'Remove the line', 'x = 1\n'],
    ['timing', '%%time\nx = 1', 'Remove the line', 'x = 1'],
    [
      'a program',
      '!ls -la "data"',
      'Run it with subprocess',
      'import subprocess\nsubprocess.run("ls -la \\"data\\"", shell=True)',
    ],
    [
      'a list of packages',
      '!pip install -r requirements.txt',
      'Run it with subprocess',
      'import subprocess\nsubprocess.run("pip install -r requirements.txt", shell=True)',
    ],
  ])('%s', (_name, source, title, remaining, adds) => {
    expect(faults(source)).toHaveLength(1);
    expect(fixOfFirst(source)).toEqual({ title, source: remaining, ...(adds === undefined ? {} : { adds }) });
  });

  it.each([
    ['a magic without a counterpart', '%who', 1],
    ['two commands', '%matplotlib inline\n!pip install a', 2],
    ['an expression over two lines', 'x = (7\n  %y)', 0],
    ['a string', 'x = """\n!pip install a\n"""', 0],
    ['a comment', '# !pip install a', 0],
  ])('%s', (_name, source, count) => {
    expect(faults(source)).toHaveLength(count);
  });

  it('a magic without a counterpart has no fix', () => {
    expect(fixOfFirst('%who')).toBeNull();
  });
});

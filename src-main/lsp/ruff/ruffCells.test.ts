import { afterAll, describe, expect, it } from 'vitest';
import { formatCell, lintCell } from './ruffCells.ts';
import { createRuff } from './ruffThread.ts';

const ruff = createRuff();
afterAll(() => ruff.close());

describe('formatting a cell', () => {
  it.each([
    ['spaces and quotes', "x=1\ny = 'a'", 'x = 1\ny = "a"'],
    ['annotations are unchanged', '# @name a\n# @timeout 60\nx=1', '# @name a\n# @timeout 60\nx = 1'],
    ['a `;` at the end stays', 'plot( );', 'plot();'],
    ['formatted code is unchanged', 'x = 1', 'x = 1'],
    ['no line break is added at the end', 'x=1', 'x = 1'],
    ['a line break at the end stays', 'x=1\n', 'x = 1\n'],
    ['it stays after a `;`, too', 'plot( );\n', 'plot();\n'],
    ['a Windows line break stays', 'x=1\r\ny=2\r\n', 'x = 1\r\ny = 2\r\n'],
    ['empty lines at the end are removed', 'x=1\n\n\n', 'x = 1\n'],
    ['no text', '  ', '  '],
  ])('[LS-12] %s', async (_what, source, text) => {
    expect(await formatCell(ruff, source)).toEqual({ text });
  });

  it('[LS-12] text that is not valid Python is unchanged, with the reason', async () => {
    expect(await formatCell(ruff, '!pip install x')).toEqual({ problem: expect.any(String) });
    expect(await formatCell(ruff, 'x = (')).toEqual({ problem: expect.any(String) });
    expect(await formatCell(ruff, 'x=2')).toEqual({ text: 'x = 2' });
  });
});

describe('mistakes in a cell', () => {
  it.each([
    ['an import that another cell uses', 'import os', []],
    ['a name of another cell', 'df.head()', []],
    ['a value that is shown', 'x == 1', []],
    ['a column compared with True', 'df[df.ok == True]', []],
    ['a text that cannot be read', 'x = (', []],
    ['a default that is changed', 'def f(a=[]):\n    a.append(1)\n    return a', ['B006']],
    ['an unused local', 'def f():\n    a = 1', ['F841']],
    ['is with a literal', 'x is "a"', ['F632']],
    ['a bare except', 'try:\n    f()\nexcept:\n    pass', ['E722']],
  ])('[LS-9] %s', async (_what, source, codes) => {
    expect((await lintCell(ruff, source)).map(({ code }) => code)).toEqual(codes);
  });

  it('[LS-9] include their fix', async () => {
    const [fault] = await lintCell(ruff, 'é = x is "a"');
    expect(fault).toMatchObject({
      span: { start: { line: 0, character: 4 }, end: { line: 0, character: 12 } },
      fix: { edits: [{ text: expect.stringContaining('==') }] },
    });
  });
});

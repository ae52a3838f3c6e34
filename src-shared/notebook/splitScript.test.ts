import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { splitScript } from './splitScript.ts';

describe('[ED-74] a script is split at blank lines between its top-level blocks', () => {
  it.each<[what: string, blocks: readonly string[]]>([
    ['nothing', []],
    ['one block', ['a = 1\nb = 2\n']],
    ['blocks', ['import os\n\n', 'a = 1\nb = a\n\n\n', 'print(b)']],
    ['blank lines of a function', ['def f():\n    a = 1\n\n    return a\n\n', 'f()\n']],
    ['a decorated class', ['import d\n\n', '@d.c(\n    x=1,\n)\n\nclass A:\n    pass\n\n', 'A()']],
    ['branches with blank lines', ['if a:\n    b\n\nelif c:\n    d\n\nelse:\n    e\n\n', 'f']],
    ['an exception', ['try:\n    a\n\nexcept E:\n    b\n\nfinally:\n    c\n']],
    ['a long string', ['sql = """\nSELECT\n\nFROM t\n"""\n\n', 'run(sql)']],
    ['quotes in strings', ['a = \'it\\\'s """ here\'\n\n', "b = \"'''\"\n\n", "c = r'\\\\'\n\n", 'd']],
    ['brackets', ['a = [\n  1,\n\n2,\n]\n\n', 'b']],
    ['brackets in strings and comments', ["a = '('  # [\n\n", 'b = 1 # (\n\n', 'c']],
    ['a backslash', ['a = 1 + \\\n\n\n', 'b']],
    ['a comment above its block', ['a = 1\n\n', '# About b\nb = 2\n\n', '# About c\n\n\nc = 3']],
    ['only comments', ['# one\n\n# two\n']],
    ['Windows line breaks', ['a = 1\r\n\r\n', 'b = 2\r\n']],
  ])('%s', (_what, blocks) => {
    expect(splitScript(blocks.join(''))).toEqual(blocks);
  });

  it('joined again the blocks are the text, and none begins inside a string or bracket', () => {
    const line = fc.constantFrom(
      ...[
        'a = 1',
        '',
        '',
        '    b',
        '"""',
        "'''x",
        '(',
        ')',
        '# c',
        'x = [',
        ']',
        '@d',
        'else:',
        'y \\',
        "'\\''",
        '\t',
      ],
    );
    const text = fc.array(fc.tuple(line, fc.constantFrom('\n', '\r\n', '\r')), { maxLength: 30 });
    fc.assert(
      fc.property(text, fc.string(), (lines, end) => {
        const whole = lines.map((one) => one.join('')).join('') + end;
        const blocks = splitScript(whole);
        expect(blocks.join('')).toBe(whole);
        expect(blocks.every((block) => block !== '')).toBe(true);
        // A block is not split any further.
        for (const block of blocks) expect(splitScript(block)).toEqual([block]);
      }),
    );
  });
});

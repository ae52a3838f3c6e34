import fc from 'fast-check';
import { expect, it } from 'vitest';
import { withoutPrompts } from './promptText.ts';

it.each<[string, string, string | null]>([
  ['a console of Python', '>>> x = 1\n>>> x + 1\n2\n>>> print("a")\na', 'x = 1\nx + 1\nprint("a")'],
  [
    'a block',
    '>>> for i in a:\n...     if i:\n...\n...         f(i)\n... \n1\n2',
    'for i in a:\n    if i:\n\n        f(i)',
  ],
  ['with Windows line breaks', '>>> x\r\n>>> y\r\n', 'x\ny'],
  ['indented, as in documentation', '    >>> x = 1\n    ... + 2\n    3', 'x = 1\n+ 2'],
  [
    'a console of IPython',
    'In [1]: def f():\n   ...:     return 1\n   ...: \n\nIn [12]: f()\nOut[12]: 1\n\n',
    'def f():\n    return 1\n\nf()',
  ],
  ['an empty input', '>>> \n>>> x', '\nx'],
  ['code', 'x = 1\n>>> y', null],
  ['an ellipsis', '...\nx = 1', null],
  ['a bit shift', '>>>x', null],
  ['nothing', '', null],
])('[WI-276] %s', (_what, text, code) => {
  expect(withoutPrompts(text)).toBe(code);
});

it('[WI-276] code with added prompts is restored unchanged', () => {
  const line = fc.string({ maxLength: 12 }).filter((text) => !/[\r\n\u2028\u2029\u0085]/.test(text));
  fc.assert(
    fc.property(fc.array(line, { minLength: 1, maxLength: 6 }), fc.boolean(), (lines, isIPython) => {
      const [first, more] = isIPython ? ['In [3]: ', '   ...: '] : ['>>> ', '... '];
      const shown = lines.map((text, at) => `${at === 0 ? first : more}${text}`).join('\n');
      expect(withoutPrompts(shown)).toBe(lines.join('\n').replace(/\n+$/, ''));
    }),
  );
});

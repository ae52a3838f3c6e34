import { describe, expect, it } from 'vitest';
import { diagnosticsOfNotebook } from './testing/testDiagnostics.ts';

const F = 'def f(x): return x + n';

describe('[SO-10] a function that reads a name which is assigned again before the call', () => {
  it.each<readonly [name: string, cells: readonly string[], expected: readonly string[]]>([
    ['by a cell in between', ['n = 7', F, 'n = 2', 'print(f(2))'], ['d warn keeps_earlier_value  n']],
    ['by the caller', ['n = 7', F, 'n = 2\nprint(f(2))'], ['c warn keeps_earlier_value  n']],
    ['below the call', ['n = 7', F, 'print(f(2))', 'n = 2'], []],
    ['above the definition', ['n = 7', 'n = 2', F, 'print(f(2))'], []],
    ['nowhere', ['n = 7', F, 'print(f(2))'], []],
    ['while only a default reads it', ['n = 7', 'def f(x=n): return x', 'n = 2', 'print(f())'], []],
    [
      'the cell of the function itself',
      [`n = 7\n${F}`, 'n = 2', 'print(f(2))'],
      ['c warn keeps_earlier_value  n'],
    ],
    [
      'computed in the cell of the function',
      [`n = len("ab")\n${F}`, 'n = 2\nprint(f(2))'],
      ['b warn keeps_earlier_value  n'],
    ],
    [
      'a helper of the function',
      ['def g(): return 1\ndef f(): return g()', 'def g(): return 2', 'print(f())'],
      ['c warn keeps_earlier_value  g'],
    ],
    ['in its own cell once, and nowhere else', [`n = 7\n${F}`, 'm = 2', 'print(f(m))'], []],
    [
      'an import that a later cell repeats',
      [`import math as n\n${F}`, 'import math as n', 'print(f(2))'],
      [],
    ],
    [
      'an import above that a later cell repeats',
      ['import math as n', F, 'import math as n', 'print(f(2))'],
      [],
    ],
    [
      'and an instance reads it',
      ['n = 7\nclass C:\n  def f(self): return n\nc = C()', 'n = 2', 'c.f()'],
      ['c warn keeps_earlier_value  n'],
    ],
    [
      'and an instance made by another cell reads it',
      ['n = 7\nclass C:\n  def f(self): return n', 'c = [C()]', 'n = 2', 'c[0].f()'],
      ['d warn keeps_earlier_value  n'],
    ],
    [
      'and a function in a dict reads it',
      ['n = 7', F, 'd = {"f": f}', 'n = 2', 'd["f"](1)'],
      ['e warn keeps_earlier_value  n'],
    ],
    ['and a value that a function returned', [`n = 7\n${F}\nv = f(1)`, 'n = 2', 'print(v)'], []],
    ['and a value that a function was applied to', [`n = 7\n${F}\nv = map(f, [1])`, 'n = 2', 'print(v)'], []],
    ['for a function that takes it', ['n = 7', 'def f(x, n): return x + n', 'n = 2', 'print(f(2, n))'], []],
  ])('%s', (_name, cells, expected) => {
    expect(diagnosticsOfNotebook(cells).map(({ row }) => row)).toEqual(expected);
  });
});

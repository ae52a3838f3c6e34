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
    ['for a function that takes it', ['n = 7', 'def f(x, n): return x + n', 'n = 2', 'print(f(2, n))'], []],
  ])('%s', (_name, cells, expected) => {
    expect(diagnosticsOfNotebook(cells).map(({ row }) => row)).toEqual(expected);
  });
});

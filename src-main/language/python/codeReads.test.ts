import { beforeAll, expect, test } from 'vitest';
import { loadPythonAnalyzer, type PythonAnalyzer } from './analyzer.ts';
import { codeReadsOf } from './codeReads.ts';

let python: PythonAnalyzer;
beforeAll(async () => {
  python = await loadPythonAnalyzer();
});

/** `name: late reads | early reads`; the names of values are in brackets. */
function rowsOf(source: string): readonly string[] {
  return [...codeReadsOf(python.analyze(source))]
    .map(([name, { isCode, late, early }]) => {
      const reads = `${[...late].sort().join(' ')} | ${[...early].sort().join(' ')}`;
      return `${isCode ? name : `[${name}]`}: ${reads}`.replaceAll(/ +/g, ' ').trim();
    })
    .sort();
}

const ROWS: readonly (readonly [source: string, given: readonly string[]])[] = [
  ['def f(): return g()', ['f: g |']],
  ['def f(x=d): return g(x)', ['f: g | d']],
  ['def f(): return g()\ndef g(): return h()', ['f: h |', 'g: h |']],
  ['class A(B):\n    def run(self): return helper(self)', ['A: helper | B']],
  ['@deco\ndef f(): return g()', ['f: g | deco']],
  ['import numpy as np\nK = 2\ndef f(): return np.a(g, K)', ['f: g |']],
  // A value holds the code it was made from; other values of the cell do not.
  ['class A:\n    def run(self): return g()\na = A()\nn = 3', ['A: g |', '[a]: g |']],
  ['def f(): return g()\nn = len("abc")\nm = n + k', ['[m]: | k len', '[n]: | k len', 'f: g |']],
  ['def f(): return g()\nall = []\nall.append(f)', ['[all]: g |', 'f: g |']],
  ['def f(): return g()\np = q = f', ['[p]: g |', '[q]: g |', 'f: g |']],
  ['def f(): return n + g()\nn = h(2)', ['[n]: | h', 'f: g n |']],
  // Without definitions, every value may hold anything the cell reads.
  ['import a\nx = f(y)\nz = 1', ['[x]: | f y', '[z]: | f y']],
  ['x = 1', []],
  ['print(f())', []],
];

test.each(ROWS)('[SO-130] code reads of %j', (source, expected) => {
  expect(rowsOf(source)).toEqual(expected);
});

import { describe, expect, it } from 'vitest';
import { diagnosticsOfNotebook } from './testing/testDiagnostics.ts';

const WARNED = 'changes_shared_object';

describe('[SO-250] a change in place of a value that has another name', () => {
  it.each<readonly [name: string, cells: readonly string[], expected: readonly string[]]>([
    ['a second name', ['a = [1]', 'b = a', 'b[0] = 2', 'print(a)'], [`c warn ${WARNED}  b`]],
    ['read in the same cell', ['a = [1]', 'b = a', 'b[0] = 2\nprint(a)'], [`c warn ${WARNED}  b`]],
    ['not read afterwards', ['a = [1]', 'b = a', 'b[0] = 2', 'print(b)'], []],
    ['a copy', ['a = [1]', 'b = a.copy()', 'b[0] = 2', 'print(a)'], []],
    ['a part', ['d = {"k": {}}', 'x = d["k"]', 'x["y"] = 1', 'print(d)'], [`c warn ${WARNED}  x`]],
    ['the origin', ['a = [1]', 'b = a', 'a[0] = 2', 'print(b)'], [`c warn ${WARNED}  a`]],
    ['through a third name', ['a = [1]', 'b = a', 'c = b', 'c[0] = 2', 'print(a)'], [`d warn ${WARNED}  c`]],
    [
      'two cells change it',
      ['a = [1]', 'b = a', 'b[0] = 2', 'b[0] = 3', 'print(a)'],
      [`c warn ${WARNED}  b`, `d warn ${WARNED}  b`],
    ],
    ['a view', ['a = zeros(4)', 'v = a[::2]', 'v[0] = 2', 'print(a)'], [`c warn ${WARNED}  v`]],
    [
      'a new column of a part of a frame',
      ['df = read()', 'part = df[:80]', 'part["x"] = 2', 'print(df)'],
      [],
    ],
    ['a mask', ['df = read()', 'part = df[df.a > 1]', 'part[0] = 2', 'print(df)'], []],
    ['siblings', ['d = {"a": [1], "b": [1]}', 'x = d["a"]', 'y = d["b"]', 'x[0] = 2', 'print(y)'], []],
    ['a row', ['g = [[1], [2]]', 'r = g[0]', 'g[0][0] = 5', 'print(r)'], [`c warn ${WARNED}  g`]],
    ['a row of an array', ['X = ones()', 'r = X[0]', 'X[0, 1] = 5', 'print(r)'], [`c warn ${WARNED}  X`]],
    ['a column of rows', ['X = ones()', 'r = X[0]', 'X[:, 1] += 5', 'print(r)'], [`c warn ${WARNED}  X`]],
    [
      'a row by a variable',
      ['X = ones()', 'r = X[0]', 'i = 0\nX[i][1] = 5', 'print(r)'],
      [`c warn ${WARNED}  X`],
    ],
    ['another row', ['g = [[1], [2]]', 'r = g[0]', 'g[1][0] = 5', 'print(r)'], []],
    ['another key', ['d = read()', 'r = d["a"]', "d['b']['c'] = 5", 'print(r)'], []],
    ['an entry that is replaced', ['d = {"a": 1}', 'r = d["a"]', 'd["a"] = 5', 'print(r)'], []],
    [
      'a part of an attribute',
      ['m = M()', 'w = m.layer', 'm.layer.bias = 5', 'print(w)'],
      [`c warn ${WARNED}  m`],
    ],
    ['another attribute', ['m = M()', 'w = m.layer', 'm.size = 5', 'print(w)'], []],
    ['compared only', ['g = [[1]]', 'r = g[0]', 'g[1] = g[0][0] == 5', 'print(r)'], []],
    [
      'one that is assigned again before it is read',
      ['a = [1]', 'b = a', 'b[0] = 2', 'a = 3', 'print(a)'],
      [],
    ],
  ])('%s', (_, cells, expected) => {
    const rows = diagnosticsOfNotebook(cells).map(({ row }) => row);
    expect(rows.filter((row) => row.includes(WARNED))).toEqual(expected);
  });
});

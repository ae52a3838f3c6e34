/** Which functions and classes the values of a cell may contain: `ops = {"a": f}` contains `f`. */

import { beforeAll, expect, test } from 'vitest';
import { loadPythonAnalyzer, type PythonAnalyzer } from './analyzer.ts';

let python: PythonAnalyzer;
beforeAll(async () => {
  python = await loadPythonAnalyzer();
});

/** `name: parts | calls` of every value that may hold a name. */
function rowsOf(source: string): readonly string[] {
  return [...python.analyze(source).heldNames].map(
    ([name, { parts, calls }]) => `${name}: ${[...parts].sort().join(' ')} | ${[...calls].sort().join(' ')}`,
  );
}

test.each<readonly [source: string, ...rows: readonly string[]]>([
  ['a = 1'],
  ['a = f', 'a: f | '],
  ['a = f(x)', 'a:  | f'],
  ['a = [f, (g, {h})]', 'a: f g h | '],
  ['a = {k: f, **more}', 'a: f more | '],
  ['a = f if c else g(1)', 'a: c f | g'],
  ['a = functools.partial(f, key=g)', 'a: f g | '],
  ['a = partial(f)', 'a: f | partial'],
  ['a = Model().predict', 'a:  | Model'],
  ['a = m.predict', 'a: m | '],
  ['a = m.predict(x)'],
  ['a = [Model(i) for i in r]', 'a:  | Model'],
  ['a = sorted(x, key=f)', 'a:  | sorted'],
  ['a = b = f', 'b: f | ', 'a: f | '],
  ['a, (b, c) = f, g', 'a: f g | ', 'b: f g | ', 'c: f g | '],
  ['if c:\n  a = f\nelse:\n  a = g', 'a: f g | '],
  ['def h():\n  a = f'],
  ['class C:\n  a = f'],
  ['a: F = f', 'a: f | '],
  ['a.b = f'],
])('names that the values of %j may contain', (source, ...rows) => {
  expect(rowsOf(source)).toEqual(rows);
});

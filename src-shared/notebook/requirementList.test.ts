import fc from 'fast-check';
import { expect, it } from 'vitest';
import { readRequirementList } from './requirementList.ts';

const MARKED = 'tomli; python_version < "3.11" and (sys_platform == "linux" or extra == \'x\')';

it.each<[typed: string, requirements: readonly string[]]>([
  ['pandas', ['pandas']],
  ['pandas numpy', ['pandas', 'numpy']],
  ['pandas, numpy,scipy', ['pandas', 'numpy', 'scipy']],
  ['pandas\nnumpy\r\n\n scipy ', ['pandas', 'numpy', 'scipy']],
  ['a>=1,<2 b', ['a>=1,<2', 'b']],
  ['a >= 1 , < 2, b', ['a >= 1 , < 2', 'b']],
  ['a (>=1,<2) b', ['a (>=1,<2)', 'b']],
  ['a[x,y] b[z]>=2', ['a[x,y]', 'b[z]>=2']],
  ['a [x, y] ==1.*, b', ['a [x, y] ==1.*', 'b']],
  [`${MARKED} numpy`, [MARKED, 'numpy']],
  [`${MARKED}, numpy`, [MARKED, 'numpy']],
  ['a; "linux" in sys_platform b', ['a; "linux" in sys_platform', 'b']],
  ['a; sys_platform not in "win32 cygwin" b', ['a; sys_platform not in "win32 cygwin"', 'b']],
  ['a @ https://example.org/a-1.whl, b', ['a @ https://example.org/a-1.whl', 'b']],
  ['pip install pandas numpy', ['pandas', 'numpy']],
  ['!pip install -q -U "pandas[excel]>=2" \'numpy\'', ['pandas[excel]>=2', 'numpy']],
  ['$ python3 -m pip install pandas \\\n  numpy', ['pandas', 'numpy']],
  ['uv add pandas # for frames\n# nothing\nuv pip install numpy', ['pandas', 'numpy']],
  ['pandas pandas', ['pandas']],
])('[EN-74] %j is read as %j', (typed, requirements) => {
  expect(readRequirementList(typed)).toEqual({ kind: 'read', requirements });
});

it.each<[typed: string, text: string, why: string]>([
  ['', '', 'names no package'],
  [' , \n', ',', 'names no package'],
  ['pip install', 'pip install', 'names no package'],
  ['numpy pandas=2', 'pandas=2', 'Use =='],
  ['numpy pandas = 2', 'pandas = 2', 'Use =='],
  ['numpy pandas==two.one', 'pandas==two.one', 'invalid version two.one'],
  ['pip install -r requirements.txt', '-r', 'Import that file'],
  ['pip install --index-url https://example.org a', '--index-url', 'is an option'],
  ['numpy -q', '-q', 'is an option'],
  ['git+https://example.org/a.git', 'git+https://example.org/a.git', 'name @ address'],
  ['numpy ./a.whl', './a.whl', 'name @ address'],
  ['a; python_version b', 'a; python_version', 'condition'],
  ['numpy pandas[excel', 'pandas[excel', 'not a valid'],
  ['numpy, @scope', '@scope', 'not a valid'],
  ['a>=1 A<2', 'A<2', 'listed twice: a>=1 and A<2'],
  ['x_y x-y', 'x-y', 'listed twice'],
  ['numpy >', 'numpy >', 'not a valid'],
  [Array.from({ length: 101 }, (_, at) => `p${at}`).join(' '), '101 packages', 'at most 100'],
])('[EN-74] %j is refused at %j', (typed, text, why) => {
  expect(readRequirementList(typed)).toEqual({ kind: 'wrong', text, why: expect.stringContaining(why) });
});

it('[EN-74] typed requirements are read correctly with any separators', () => {
  const part = fc.constantFrom('', '==1.0', '>=1,<2', '[x,y]', '[x]>=2', ' ~= 1.4', MARKED.slice(5));
  const list = fc.uniqueArray(fc.tuple(fc.stringMatching(/^[a-z][a-z0-9]{0,6}$/), part), {
    selector: ([name]) => name,
    minLength: 1,
    maxLength: 5,
  });
  const separator = fc.constantFrom(' ', ', ', ',', '\n', ' \n ', '\r\n');
  fc.assert(
    fc.property(list, separator, (entries, between) => {
      // Without the letter, a name may be `or` after a condition.
      const requirements = entries.map(([name, rest]) => `p${name}${rest}`);
      expect(readRequirementList(requirements.join(between))).toEqual({ kind: 'read', requirements });
    }),
  );
});

import { expect, it } from 'vitest';
import { MAX_REQUIREMENT, readRequirement, requirementText, singleRequirement } from './requirement.ts';

/** The typed text -> its form in a project file; null if it is not a single requirement. */
const TYPED: readonly (readonly [string, string | null])[] = [
  ['pandas', 'pandas'],
  ['  Pandas  ', 'Pandas'],
  ['pandas>=2', 'pandas>=2'],
  ['pandas >= 2 , < 3', 'pandas>=2,<3'],
  ['pandas (>=2,<3)', 'pandas>=2,<3'],
  ['pandas[excel, sql]~=2.1', 'pandas[excel,sql]~=2.1'],
  ['pandas[]', 'pandas'],
  ['zope.interface==5.*', 'zope.interface==5.*'],
  ['x===1.0+local.1', 'x===1.0+local.1'],
  ["tomli; python_version < '3.11'", "tomli ; python_version < '3.11'"],
  ['pkg @ https://example.org/pkg-1.0.whl', 'pkg @ https://example.org/pkg-1.0.whl'],
  ['', null],
  ['pandas numpy', null],
  ['pandas, numpy', null],
  ['pandas\nnumpy', null],
  ['--index-url https://example.org/simple', null],
  ['-r other.txt', null],
  ['./folder', null],
  ['https://example.org/pkg.whl', null],
  ['pandas>=', null],
  ['pandas=2', null],
  ['pandas==1; ', null],
  ['-pandas', null],
  ['_pandas', null],
  ['pandas\0', null],
  ['a'.repeat(MAX_REQUIREMENT), 'a'.repeat(MAX_REQUIREMENT)],
  ['a'.repeat(MAX_REQUIREMENT + 1), null],
];

it.each(TYPED)('[EN-30] %j is read as %j', (typed, expected) => {
  const result = singleRequirement(typed);
  expect(result === null ? null : requirementText(result)).toBe(expected);
});

it('[EN-30] a written requirement is parsed to the same value', () => {
  for (const [, text] of TYPED) {
    const result = text === null ? null : readRequirement(text);
    if (result !== null) expect(readRequirement(requirementText(result))).toEqual(result);
  }
});

import { expect, it } from 'vitest';
import { readRequirementList } from '../../src-shared/notebook/requirementList.ts';
import { joinLines, packageNameAtCaret, withPackageName } from './typedPackage.ts';

it.each([
  ['skl', 'skl', 'scikit-learn'],
  ['pandas, skl', 'skl', 'pandas, scikit-learn'],
  ['pandas>=2 skl', 'skl', 'pandas>=2 scikit-learn'],
  ['pip install skl', 'skl', 'pip install scikit-learn'],
])('[EN-75] the name at the end of %j is %j', (typed, name, taken) => {
  expect(packageNameAtCaret(typed)).toBe(name);
  expect(withPackageName(typed, 'scikit-learn')).toBe(taken);
});

it.each(['', 's', 'pandas ', 'pandas==', 'pandas == two', 'pandas>=2', 'a[ex', 'a; python_ve'])(
  '[EN-75] nothing is named at the end of %j',
  (typed) => expect(packageNameAtCaret(typed)).toBeNull(),
);

it.each([
  ['pandas\nnumpy>=1,<2\n', 'pandas "numpy>=1,<2"'],
  ['pip install \\\n  pandas\n# why\nnumpy', 'pandas numpy'],
  ['tomli; python_version < "3.11"\nnumpy', `"tomli; python_version < '3.11'" numpy`],
  ['pandas\n./numpy', 'pandas ./numpy'],
])('[EN-74] pasted lines %j become %j', (pasted, line) => {
  expect(joinLines(pasted)).toBe(line);
  const again = readRequirementList(line);
  const before = readRequirementList(pasted);
  expect(again.kind === 'read' ? again.requirements.length : again).toEqual(
    before.kind === 'read' ? before.requirements.length : before,
  );
});

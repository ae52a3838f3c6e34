import { expect, test } from 'vitest';
import { displayMath } from './displayMath.ts';

const ROWS = [
  ['sympy', '$\\displaystyle x^{2}$', '$$\nx^{2}\n$$'],
  ['Math', '$$\\frac{1}{2}$$', '$$\n\\frac{1}{2}\n$$'],
  ['an environment', '\\begin{align*}a &= b\\end{align*}', '$$\n\\begin{align*}a &= b\\end{align*}\n$$'],
  ['a formula without dollars', 'x^2', '$$\nx^2\n$$'],
  ['a blank line, which would end the block', '$$a\n\n b$$', '$$\na\n b\n$$'],
  ['a text with formulas', 'Let $a$ and $b$ be', 'Let $a$ and $b$ be'],
  ['two formulas', '$a$ and $b$', '$a$ and $b$'],
] as const;

test.each(ROWS)('[VA-50] %s', (_name, latex, markdown) => {
  expect(displayMath(latex)).toBe(markdown);
});

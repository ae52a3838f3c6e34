/**
 * Converts the LaTeX of a display (sympy, IPython's Math and Latex) to Markdown: a lone formula becomes a block, a text
 * with formulas in it stays text.
 */
export function displayMath(latex: string): string {
  const text = latex.trim();
  const alone = /^\$\$([\s\S]+)\$\$$|^\$([^$]+)\$$/.exec(text);
  const formula = alone?.[1] ?? alone?.[2];
  if (formula !== undefined) return block(formula);
  return /^\\begin\{[a-z]+\*?\}[\s\S]*\\end\{[a-z]+\*?\}$/.test(text) || !text.includes('$')
    ? block(text)
    : text;
}

function block(formula: string): string {
  return `$$\n${formula
    .replace(/^\s*\\displaystyle\s*/, '')
    .replaceAll(/\n\s*\n/g, '\n')
    .trim()}\n$$`;
}

/**
 * Text copied from a Python or IPython console: `>>> x = 1`, `... y`, `In [1]: x`, `   ...: y`, `Out[1]: 1`.
 */
const PYTHON = { first: /^\s*>>>(?: |$)/, more: /^\s*\.\.\.(?: |$)/ } as const;
const IPYTHON = { first: /^\s*In \[\d+\]:(?: |$)/, more: /^\s*\.{3,}:(?: |$)/ } as const;

/**
 * The code of a console's text, without its prompts and without what it printed; null where the text begins with no
 * prompt, and is to stay as it is.
 */
export function withoutPrompts(text: string): string | null {
  const lines = text.split(/\r\n|\r|\n/);
  const begin = lines.find((line) => line.trim() !== '') ?? '';
  const kind = [PYTHON, IPYTHON].find(({ first }) => first.test(begin));
  if (kind === undefined) return null;
  const code: string[] = [];
  let isCode = false;
  for (const line of lines) {
    if (kind.first.test(line)) {
      isCode = true;
      code.push(line.replace(kind.first, ''));
    } else if (isCode && kind.more.test(line)) code.push(line.replace(kind.more, ''));
    // What follows an input is what it printed, up to the next one.
    else isCode = false;
  }
  return code.join('\n').replace(/\n+$/, '');
}

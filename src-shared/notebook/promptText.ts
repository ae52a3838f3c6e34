/** Removes the prompts (`>>> `, `In [1]: `) from code that was copied from a Python or IPython console. */

/**
 * Text copied from a Python or IPython console: `>>> x = 1`, `... y`, `In [1]: x`, `   ...: y`, `Out[1]: 1`.
 */
const PYTHON = { first: /^\s*>>>(?: |$)/, more: /^\s*\.\.\.(?: |$)/ } as const;
const IPYTHON = { first: /^\s*In \[\d+\]:(?: |$)/, more: /^\s*\.{3,}:(?: |$)/ } as const;

/**
 * The code in a console's text, without prompts and output; null if the text does not begin with a prompt.
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
    // Lines after an input are its output, up to the next input.
    else isCode = false;
  }
  return code.join('\n').replace(/\n+$/, '');
}

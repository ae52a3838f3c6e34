/** Cleans the text of an imported Jupyter cell as IPython does: blank lines, indentation, pasted prompts. */

const PYTHON_PROMPT = /^(>>>|\.\.\.)( |$)/;
const IPYTHON_PROMPT = /^(In \[\d+\]: |\s*\.{3,}: ?)/;

/**
 * The text as IPython reads it: without blank lines around it, with the indentation of its first line removed
 * from every line that has it, and without pasted prompts.
 */
export function cleanCellText(text: string): string {
  const lines = text
    .replace(/\r\n?/g, '\n')
    .replace(/^(?:[ \t]*\n)+/, '')
    .trimEnd()
    .split('\n');
  const indent = /^[ \t]*/.exec(lines[0] ?? '')?.[0] ?? '';
  const level = lines.map((line) => (line.startsWith(indent) ? line.slice(indent.length) : line));
  return withoutPrompts(level).join('\n');
}

function withoutPrompts(lines: readonly string[]): readonly string[] {
  const [first = ''] = lines;
  if (/^>>>( |$)/.test(first)) return lines.map((line) => line.replace(PYTHON_PROMPT, ''));
  if (/^In \[\d+\]: /.test(first)) return lines.map((line) => line.replace(IPYTHON_PROMPT, ''));
  return lines;
}

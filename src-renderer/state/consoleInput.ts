/**
 * Decides whether Enter evaluates the text typed into a console or continues it on another line, and its indentation.
 */

/** Whether the input is incomplete, so that Enter inserts a line break instead of evaluating. */
export function isIncompleteInput(text: string): boolean {
  const lines = text.split('\n');
  const last = lines.at(-1) ?? '';
  if (last.trimEnd().endsWith('\\')) return true;
  if (openBrackets(text) > 0) return true;
  if (/:\s*(#.*)?$/.test(last)) return true;
  // A block ends with an empty line, or with a line that is not indented.
  return lines.length > 1 && /^\s+\S/.test(last);
}

/** The number of open brackets outside strings and comments; an open triple-quoted string counts as one. */
function openBrackets(text: string): number {
  let open = 0;
  let quote: string | null = null;
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at] ?? '';
    if (quote !== null) {
      if (sign === '\\') at += 1;
      else if (text.startsWith(quote, at)) {
        at += quote.length - 1;
        quote = null;
      } else if (sign === '\n' && quote.length === 1) quote = null;
      continue;
    }
    const three = text.slice(at, at + 3);
    if (three === '"""' || three === "'''") {
      quote = three;
      at += 2;
    } else if (sign === '"' || sign === "'") quote = sign;
    else if (sign === '#') {
      const end = text.indexOf('\n', at);
      if (end === -1) break;
      at = end - 1;
    } else if ('([{'.includes(sign)) open += 1;
    else if (')]}'.includes(sign)) open -= 1;
  }
  return open + (quote?.length === 3 ? 1 : 0);
}

/** The indentation of the next line: that of the last line, deeper after a colon. */
export function indentAfter(text: string): string {
  const last = text.split('\n').at(-1) ?? '';
  const indent = /^\s*/.exec(last)?.[0] ?? '';
  return /:\s*(#.*)?$/.test(last) ? `${indent}    ` : indent;
}

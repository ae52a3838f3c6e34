/** Rewrites a cell's Python source so that the grammar accepts unusual indentation inside brackets. */

const STRING_OPENING = /'''|"""|'|"/y;

/**
 * Replaces comments, and line ends inside brackets, by spaces, so that offsets stay the same. Python ignores
 * indentation inside brackets, but the grammar rejects such a line if it starts left of its block; so a source that the
 * grammar rejects is parsed again in this form.
 */
export function joinBrackets(text: string): string {
  const out: string[] = [];
  let depth = 0;
  let at = 0;
  while (at < text.length) {
    const character = text[at] ?? '';
    STRING_OPENING.lastIndex = at;
    const quote = STRING_OPENING.exec(text)?.[0];
    let end = at + 1;
    let output = character;
    if (quote !== undefined) {
      end = stringEnd(text, at, quote);
      output = text.slice(at, end);
    } else if (character === '#') {
      end = text.indexOf('\n', at) < 0 ? text.length : text.indexOf('\n', at);
      output = ' '.repeat(end - at);
    } else if (character === '\n' && depth > 0) output = ' ';
    else if (character === '\\' && text[at + 1] === '\n') {
      end = at + 2;
      output = depth > 0 ? '  ' : '\\\n';
    } else if ('([{'.includes(character)) depth += 1;
    else if (')]}'.includes(character)) depth = Math.max(0, depth - 1);
    out.push(output);
    at = end;
  }
  return out.join('');
}

/** The offset after a string's closing quote; an unclosed single-quoted string ends with its line. */
function stringEnd(text: string, start: number, quote: string): number {
  for (let at = start + quote.length; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1;
    else if (quote.length === 1 && text[at] === '\n') return at;
    else if (text.startsWith(quote, at)) return at + quote.length;
  }
  return text.length;
}

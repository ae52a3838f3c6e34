const STRING_OPENING = /'''|"""|'|"/y;

/**
 * The text with comments, and line ends inside brackets, turned into spaces; every offset is kept. Python
 * ignores indentation there; the grammar stumbles over such a line that starts left of its block, so a
 * text it refuses is tried once more like this.
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
    let shown = character;
    if (quote !== undefined) {
      end = stringEnd(text, at, quote);
      shown = text.slice(at, end);
    } else if (character === '#') {
      end = text.indexOf('\n', at) < 0 ? text.length : text.indexOf('\n', at);
      shown = ' '.repeat(end - at);
    } else if (character === '\n' && depth > 0) shown = ' ';
    else if (character === '\\' && text[at + 1] === '\n') {
      end = at + 2;
      shown = depth > 0 ? '  ' : '\\\n';
    } else if ('([{'.includes(character)) depth += 1;
    else if (')]}'.includes(character)) depth = Math.max(0, depth - 1);
    out.push(shown);
    at = end;
  }
  return out.join('');
}

/** The offset after a string's closing quote; a plain one that is not closed ends with its line. */
function stringEnd(text: string, start: number, quote: string): number {
  for (let at = start + quote.length; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1;
    else if (quote.length === 1 && text[at] === '\n') return at;
    else if (text.startsWith(quote, at)) return at + quote.length;
  }
  return text.length;
}

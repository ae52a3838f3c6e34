/**
 * Splits a Python script into blocks, one for each cell of a notebook. A block ends at a blank line where the
 * next line is at the top level and continues nothing: no bracket, string or backslash is open, no decorator
 * waits for its function, and it is not an `else`, `elif`, `except` or `finally`. Joined, the pieces are the
 * original text.
 */
export function splitScript(text: string): readonly string[] {
  const pieces: string[] = [];
  let piece = '';
  let isBlank = false;
  let state: State = START;
  let hasCode = false;
  for (const line of linesOf(text)) {
    const isOpen = state.quote !== '' || state.depth > 0 || state.continues;
    const bare = line.trim();
    const isTop = !isOpen && bare !== '' && !/^\s/.test(line);
    if (isTop && isBlank && hasCode && !CONTINUES.test(bare) && !state.decorates) {
      pieces.push(piece);
      piece = '';
      hasCode = false;
    }
    piece += line;
    if (!isOpen && bare === '') {
      isBlank = true;
      continue;
    }
    isBlank = false;
    // Comments above a block belong to it.
    if (isOpen || !bare.startsWith('#')) hasCode = true;
    state = after(state, line, isOpen);
  }
  if (piece !== '') pieces.push(piece);
  return pieces;
}

/** The syntax state at the end of a line. */
interface State {
  /** The quotes of an open string; empty: none. */
  readonly quote: '' | "'''" | '"""';
  readonly depth: number;
  /** A backslash ends the line. */
  readonly continues: boolean;
  /** The line is a decorator: the function below it belongs to it. */
  readonly decorates: boolean;
}

const START: State = { quote: '', depth: 0, continues: false, decorates: false };
const CONTINUES = /^(?:else|elif|except|finally)\b/;

function linesOf(text: string): readonly string[] {
  return text.match(/[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+$/g) ?? [];
}

/** The tokens that matter: comments, strings of a line, the quotes of longer ones, brackets. */
const TOKEN = /#.*|'''|"""|'(?:\\.|[^'\\\r\n])*'?|"(?:\\.|[^"\\\r\n])*"?|[([{]|[)\]}]/gs;

function after(before: State, line: string, wasOpen: boolean): State {
  let { quote, depth } = before;
  let rest = line.replace(/[\r\n]+$/, '');
  const decorates = wasOpen ? before.decorates : /^@/.test(rest);
  let isComment = false;
  while (rest !== '') {
    if (quote !== '') {
      const end = endOfString(rest, quote);
      if (end === -1) return { quote, depth, continues: false, decorates };
      rest = rest.slice(end);
      quote = '';
      continue;
    }
    TOKEN.lastIndex = 0;
    const match = TOKEN.exec(rest);
    if (match === null) break;
    const [token] = match;
    rest = rest.slice(match.index + token.length);
    if (token.startsWith('#')) {
      isComment = true;
      break;
    }
    if (token === "'''" || token === '"""') quote = token;
    else if ('([{'.includes(token)) depth += 1;
    else if (')]}'.includes(token)) depth = Math.max(0, depth - 1);
  }
  const continues =
    quote === '' && !isComment && /(?:^|[^\\])(?:\\\\)*\\$/.test(line.replace(/[\r\n]+$/, ''));
  return { quote, depth, continues, decorates };
}

/** The offset after the closing quotes of a string; -1 if the string continues. */
function endOfString(text: string, quote: string): number {
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1;
    else if (text.startsWith(quote, at)) return at + quote.length;
  }
  return -1;
}

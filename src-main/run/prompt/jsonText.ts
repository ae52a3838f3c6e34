/** Formats JSON values as Python would show them, for the text of a prompt. */

/**
 * Formats JSON text as Python shows the value: objects and lists indented by two, anything else as `str()`
 * gives it. Numbers keep their digits, because they are never parsed. @throws SyntaxError for invalid JSON
 * (NaN and Infinity are accepted, as Python writes them)
 */
export function pythonText(json: string): string {
  const tokens = tokensOf(json);
  const [first = '', ...more] = tokens;
  if (first === '{' || first === '[') return indented(tokens);
  if (more.length > 0 || first === '') throw new SyntaxError('no JSON value');
  if (first.startsWith('"')) return stringOf(first);
  return WORDS[first] ?? first;
}

const WORDS: Readonly<Record<string, string>> = {
  true: 'True',
  false: 'False',
  null: 'None',
  NaN: 'nan',
  Infinity: 'inf',
  '-Infinity': '-inf',
};

const SPACE = /\s*/y;
const TOKEN = /[{}[\],:]|-?Infinity|NaN|true|false|null|-?\d[\d.eE+-]*/y;

/** The tokens of a JSON text without the white space between them. */
function tokensOf(json: string): readonly string[] {
  const tokens: string[] = [];
  const end = json.trimEnd().length;
  let at = 0;
  while (at < end) {
    SPACE.lastIndex = at;
    SPACE.exec(json);
    const start = SPACE.lastIndex;
    at = json[start] === '"' ? endOfString(json, start) : endOfPlain(json, start);
    tokens.push(json.slice(start, at));
  }
  return tokens;
}

function endOfPlain(json: string, start: number): number {
  TOKEN.lastIndex = start;
  if (!TOKEN.test(json)) throw new SyntaxError('no JSON text');
  return TOKEN.lastIndex;
}

/** Searched with a loop: a regular expression over a text of millions of characters overflows the stack. */
function endOfString(json: string, start: number): number {
  let quote = start;
  for (;;) {
    quote = json.indexOf('"', quote + 1);
    if (quote === -1) throw new SyntaxError('the JSON text is cut off');
    let slashes = 0;
    while (json[quote - 1 - slashes] === '\\') slashes += 1;
    if (slashes % 2 === 0) return quote + 1;
  }
}

function stringOf(token: string): string {
  return JSON.parse(token) as string;
}

const DEPTH = '  ';

function indented(tokens: readonly string[]): string {
  const out: string[] = [];
  let depth = 0;
  for (const [at, token] of tokens.entries()) {
    const next = tokens[at + 1];
    if (token === '{' || token === '[') {
      out.push(token);
      if (next === '}' || next === ']') continue;
      depth += 1;
      out.push('\n', DEPTH.repeat(depth));
    } else if (token === '}' || token === ']') {
      const before = tokens[at - 1];
      if (before !== '{' && before !== '[') {
        depth -= 1;
        out.push('\n', DEPTH.repeat(Math.max(depth, 0)));
      }
      out.push(token);
    } else if (token === ',') out.push(',\n', DEPTH.repeat(depth));
    else if (token === ':') out.push(': ');
    // Non-ASCII letters are not escaped: escapes cost a model more tokens.
    else out.push(token.startsWith('"') ? JSON.stringify(stringOf(token)) : token);
  }
  if (depth !== 0) throw new SyntaxError('the JSON text is cut off');
  return out.join('');
}

/** A value's text, truncated to `room` characters with a note about the omitted part. */
export function truncateText(text: string, room: number): string {
  if (text.length <= room) return text;
  let end = room;
  // Do not cut a surrogate pair in half.
  if (/[\uD800-\uDBFF]/.test(text[end - 1] ?? '')) end -= 1;
  return `${text.slice(0, end)}\n… (cut: ${end.toLocaleString('en-US')} of ${text.length.toLocaleString('en-US')} characters)`;
}

/** Reads the `# @key argument` lines (directives) at the top of a cell's source. */

/** One `# @key argument` line of a cell's leading comment block. */
export interface Directive {
  /** Lowercased. */
  readonly key: string;
  /** Trimmed; may be empty. */
  readonly argument: string;
  /** 1-based line in the source. */
  readonly line: number;
}

const DIRECTIVE = /^#\s*@(\w+)\s*(.*?)\s*$/;
const LINE_END = /\r\n|\r|\n/;
const APP_HIDE = /^#\s*@app\s+hide\b/;

/**
 * The directives of a cell, in order. The leading block is made of blank and `#` lines and ends at the
 * first other one; only `#` starts a comment, whatever the language (docs/spec/annotations.md, 1.1).
 */
export function readDirectives(source: string): readonly Directive[] {
  const directives: Directive[] = [];
  for (const [index, raw] of source.split(LINE_END).entries()) {
    const line = raw.replace(/^\uFEFF/, '').trim();
    if (line !== '' && !line.startsWith('#')) break;
    const match = DIRECTIVE.exec(line);
    if (match === null) continue;
    directives.push({ key: (match[1] ?? '').toLowerCase(), argument: match[2] ?? '', line: index + 1 });
  }
  return directives;
}

/** `# @app hide` counts on every line, not only in the leading block (docs/spec/annotations.md, 1.2, 2). */
export function hidesFromApp(source: string): boolean {
  return source.includes('@app') && source.split(LINE_END).some((line) => APP_HIDE.test(line.trim()));
}

/** Words of an argument, split at white space. */
export function wordsOf(argument: string): readonly string[] {
  return argument.split(/\s+/).filter((word) => word !== '');
}

/** `key=value` at the first `=`, or null when there is none. */
export function pairOf(word: string): { readonly key: string; readonly value: string } | null {
  const at = word.indexOf('=');
  return at < 0 ? null : { key: word.slice(0, at).trim(), value: word.slice(at + 1).trim() };
}

const IDENTIFIER = /^[\p{L}_][\p{L}\p{N}_]*$/u;

/** Whether a text is a name that a variable can have. */
export function isIdentifier(text: string): boolean {
  return IDENTIFIER.test(text);
}

/** An integer written in digits, or null. */
export function integerOf(text: string): number | null {
  const value = /^[+-]?\d+$/.test(text) ? Number(text) : Number.NaN;
  return Number.isSafeInteger(value) ? value : null;
}

/** A finite decimal number, or null. */
export function decimalOf(text: string): number | null {
  if (!/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text)) return null;
  const value = Number(text);
  return Number.isFinite(value) ? value : null;
}

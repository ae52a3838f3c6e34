/** Makes the Markdown of text cells safe for exports that other programs will render. */

import MarkdownIt from 'markdown-it';

/** CommonMark as the window renders it: raw HTML is text. */
export const markdown = new MarkdownIt({ html: false, linkify: true, breaks: true });

const LIKE_TAG =
  /\\[\s\S]|(?<!`)(`+)(?!`)(?:[^`|\n]|(?<!`)(?!\1(?!`))`+(?!`))*(?<!`)\1(?!`)|<(?=[a-zA-Z/!?])/g;
/** What follows `](` in a link and `]:` in a definition. */
const DESTINATION = /(\]\(\s*<?|^ {0,3}\[[^\]\n]+\]:\s*<?)([^\s)>]+)/gm;
const UNSAFE = /^(?:javascript|vbscript|file|data(?!:image\/(?:png|jpeg|gif|webp)[;,])):/i;

/** A renderer like that of a program that allows raw HTML, to find what it would run. */
const careless = new MarkdownIt({ html: true });
careless.validateLink = () => true;

/**
 * Makes Markdown safe for any program: raw HTML becomes text, and links that would run code are removed. Code
 * is left unchanged if it is certainly code.
 */
export function safeMarkdown(text: string): string {
  const lines = text.replaceAll('\r\n', '\n').split('\n');
  const isCode = codeLines(lines);
  const written = (transform: (line: string) => string): string =>
    lines.map((line, at) => (isCode.has(at) ? line : transform(withoutUnsafeLinks(line)))).join('\n');
  const plain = written(escapeOutsideCode);
  if (!isRisky(plain)) return plain;
  const escaped = written(escapeAll);
  if (!isRisky(escaped)) return escaped;
  return escapeAll(lines.join('\n')).replaceAll('[', '\\[');
}

/** The lines of fenced and indented code, counted from 0. */
export function codeLines(lines: readonly string[]): ReadonlySet<number> {
  const isCode = new Set<number>();
  for (const { type, map } of markdown.parse(lines.join('\n'), {})) {
    if ((type !== 'fence' && type !== 'code_block') || map === null) continue;
    for (let at = map[0]; at < map[1]; at += 1) isCode.add(at);
  }
  return isCode;
}

function isRisky(text: string): boolean {
  return careless
    .parse(text, {})
    .some(
      ({ type, children }) =>
        type === 'html_block' ||
        children?.some(
          (child) =>
            child.type === 'html_inline' || isUnsafe(child.attrGet('href') ?? child.attrGet('src') ?? ''),
        ) === true,
    );
}

function withoutUnsafeLinks(line: string): string {
  return line.replace(DESTINATION, (all, before: string, target: string) =>
    isUnsafe(target) ? `${before}#` : all,
  );
}

function escapeOutsideCode(line: string): string {
  return line.replace(LIKE_TAG, (match, _ticks, offset: number) => {
    if (match !== '<') return match;
    return /^<(?:https?:\/\/|mailto:)[^\s<>]+>/i.test(line.slice(offset)) ? match : '&lt;';
  });
}

function escapeAll(text: string): string {
  return text.replaceAll('<', '&lt;');
}

function isUnsafe(target: string | number): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: browsers read over them
  return UNSAFE.test(markdown.utils.unescapeAll(String(target)).replace(/[\u0000-\u0020]/g, ''));
}

/** A fence longer than any run of backticks in the text. */
export function fenceText(text: string, language = ''): string {
  const longest = Math.max(2, ...Array.from(text.matchAll(/`+/g), ([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${text.replace(/\n$/, '')}\n${fence}`;
}

/** Escapes text for use within a line of Markdown. */
export function plainText(text: string): string {
  return text
    .replace(/[\r\n]+/g, ' ')
    .replace(/[\\`*_[\]|]/g, '\\$&')
    .replaceAll('<', '&lt;');
}

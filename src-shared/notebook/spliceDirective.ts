/** Adds, replaces and removes annotation lines in a cell's source. */

import { readDirectives } from './directives.ts';

/** Keys that may be on several lines, each with its own meaning. */
const REPEATABLE_KEYS: ReadonlySet<string> = new Set(['env', 'mount', 'table', 'fetch', 'dataset']);

/** A line with its end; the last one of a text may have no end. */
const LINE = /[^\r\n]*(?:\r\n|\r|\n|$)/g;

/** The lines of a text with their ends: joined they are the text. */
function linesOf(source: string): string[] {
  const lines = source.match(LINE) ?? [];
  // The pattern matches one more, empty, at the end of every text.
  return lines.slice(0, -1);
}

function endOf(line: string): string {
  return /[\r\n]*$/.exec(line)?.[0] ?? '';
}

/**
 * Changes one directive in a cell's source (docs/spec/annotations.md, 1.2, 2): the first line of that key is replaced,
 * further ones are removed; without one it is added after the last directive, or at the top. Every other byte
 * stays. @param argument null removes the directive @throws RangeError for a key that may be on several
 * lines, or a multi-line argument
 */
export function spliceDirective(source: string, key: string, argument: string | null): string {
  const directive = key.toLowerCase();
  if (REPEATABLE_KEYS.has(directive))
    throw new RangeError(`there may be several @${directive} lines, so it is unclear which one to change`);
  if (!/^\w+$/.test(directive)) throw new RangeError(`no directive is called ${JSON.stringify(key)}`);
  if (argument !== null && /[\r\n]/.test(argument)) throw new RangeError('a directive is one line');
  const lines = linesOf(source);
  const directives = readDirectives(source);
  const places = directives.filter((one) => one.key === directive).map(({ line }) => line - 1);
  const text = argument === null ? null : `# @${directive} ${argument}`.trimEnd();
  const [first] = places;
  if (first !== undefined) {
    return lines
      .flatMap((line, at) => {
        if (!places.includes(at)) return [line];
        return at === first && text !== null ? [`${bomOf(line)}${text}${endOf(line)}`] : [bomOf(line)];
      })
      .join('');
  }
  return text === null ? source : withLineAfter(source, directives.at(-1)?.line ?? 0, text);
}

function bomOf(line: string): string {
  return line.startsWith('\uFEFF') ? '\uFEFF' : '';
}

/** Inserts a line after line `after` (0: at the top), with the usual line end of the source. */
export function withLineAfter(source: string, after: number, text: string): string {
  const lines = linesOf(source);
  const usual = endOf(lines[0] ?? '') || '\n';
  const bom = after === 0 ? bomOf(source) : '';
  const head = after === 0 ? bom : lines.slice(0, after).join('');
  const rest = source.slice(head.length);
  // A carriage return before a line feed of an empty line would become one line end.
  const end = usual === '\r' && rest.startsWith('\n') ? '\n' : usual;
  if (after > 0 && endOf(head) === '') return `${head}${end}${text}`;
  return `${head}${text}${end}${rest}`;
}

/** A source without line `line`, counted from 1. */
export function withoutLine(source: string, line: number): string {
  return linesOf(source)
    .flatMap((text, at) => (at === line - 1 ? [bomOf(text)] : [text]))
    .join('');
}

/** Replaces line `line` (from 1) of a source; its end stays. */
export function withLineChanged(source: string, line: number, change: (text: string) => string): string {
  return linesOf(source)
    .map((text, at) => {
      if (at !== line - 1) return text;
      const end = endOf(text);
      return change(text.slice(0, text.length - end.length)) + end;
    })
    .join('');
}

/**
 * The argument of a `@fetch` line pinned to the received bytes: name, url, `sha256=`, then its other options.
 */
export function pinnedFetch(argument: string, sha256: string): string {
  const [name = '', url = '', ...options] = argument.split(/\s+/).filter((word) => word !== '');
  const others = options.filter((option) => !option.startsWith('sha256='));
  return [name, url, `sha256=${sha256}`, ...others].join(' ');
}

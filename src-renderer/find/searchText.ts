/** Looking for a text in texts, and replacing it. Pure. */
import type { FindOptions } from '../state/findStore.ts';

export type Pattern =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'wrong'; readonly problem: string }
  | { readonly kind: 'pattern'; readonly regexp: RegExp };

/** A query as a pattern; a regular expression that is none says why. */
export function patternOf(query: string, options: FindOptions): Pattern {
  if (query === '') return { kind: 'nothing' };
  const body = options.regex ? query : query.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
  // Not `\b`: a word may begin with a letter of any alphabet, and the query with a sign.
  const whole = options.wholeWord ? `(?<![\\p{L}\\p{N}_])(?:${body})(?![\\p{L}\\p{N}_])` : body;
  try {
    return { kind: 'pattern', regexp: new RegExp(whole, `gmu${options.matchCase ? '' : 'i'}`) };
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error);
    // "Invalid regular expression: /…/gmu: Unterminated group": what the person wrote is before them already.
    return { kind: 'wrong', problem: words.replace(/^.*\/[a-z]*: /s, '') };
  }
}

/** The part of a cell a text is in. */
export type Area = 'source' | 'stdout' | 'stderr' | 'error' | `display-${number}`;

export interface SearchText {
  readonly cellId: string;
  readonly area: Area;
  readonly text: string;
}

export interface Match {
  readonly cellId: string;
  readonly area: Area;
  readonly start: number;
  readonly end: number;
  /** Which match of its text it is, from 0. */
  readonly nth: number;
  /** The line it begins in, out of how many; from 0. */
  readonly line: number;
  readonly lines: number;
}

/** More are not counted: they would be of no use, and a window must not stop for them. */
export const MAX_MATCHES = 10_000;

/** Every match in order of the texts; matches of nothing (`a*`) are none. */
export function findMatches(texts: Iterable<SearchText>, regexp: RegExp): readonly Match[] {
  const matches: Match[] = [];
  for (const { cellId, area, text } of texts) {
    let nth = 0;
    let line = 0;
    let counted = 0;
    let lines: number | null = null;
    for (const found of text.matchAll(regexp)) {
      if (found[0] === '') continue;
      lines ??= lineEnds(text, 0, text.length) + 1;
      const start = found.index;
      line += lineEnds(text, counted, start);
      counted = start;
      matches.push({ cellId, area, start, end: start + found[0].length, nth, line, lines });
      nth += 1;
      if (matches.length >= MAX_MATCHES) return matches;
    }
  }
  return matches;
}

function lineEnds(text: string, from: number, to: number): number {
  let count = 0;
  for (let at = text.indexOf('\n', from); at !== -1 && at < to; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
}

export interface Replacing {
  readonly regexp: RegExp;
  readonly by: string;
  /** In a regular expression `$1` stands for a group; else a replacement is what it says. */
  readonly groups: boolean;
}

/** A text with every match replaced. */
export function replaceAll(text: string, { regexp, by, groups }: Replacing): string {
  if (groups) return text.replace(regexp, (found, ...rest) => (found === '' ? '' : expand(by, found, rest)));
  return text.replace(regexp, (found) => (found === '' ? '' : by));
}

/** A text with the match at `start` replaced; as it was where there is none any more. */
export function replaceAt(text: string, start: number, replacing: Replacing): string {
  const { regexp, by, groups } = replacing;
  return text.replace(regexp, (found: string, ...rest: unknown[]) => {
    const at = rest.find((one) => typeof one === 'number');
    if (at !== start || found === '') return found;
    return groups ? expand(by, found, rest) : by;
  });
}

/** `$1`, `$&` and `$$` of a replacement. */
function expand(by: string, found: string, groups: readonly unknown[]): string {
  return by.replace(/\$(\$|&|\d{1,2})/g, (whole, sign: string) => {
    if (sign === '$') return '$';
    if (sign === '&') return found;
    const group = groups[Number(sign) - 1];
    return Number(sign) === 0 || typeof group === 'number' ? whole : typeof group === 'string' ? group : '';
  });
}

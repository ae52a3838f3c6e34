/** Finds and replaces a pattern in texts of cells, for find and replace. Pure. */

import type { FindOptions } from '../state/findStore.ts';

export type Pattern =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'wrong'; readonly problem: string }
  /** `costly`: a regular expression of the person, which may take forever on some texts. */
  | { readonly kind: 'pattern'; readonly regexp: RegExp; readonly costly: boolean };

/** A query as a pattern; for an invalid regular expression, the problem. */
export function patternOf(query: string, options: FindOptions): Pattern {
  if (query === '') return { kind: 'nothing' };
  const body = options.regex ? query : query.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
  // Not `\b`: a word may begin with a letter of any alphabet, and the query with a sign.
  const whole = options.wholeWord ? `(?<![\\p{L}\\p{N}_])(?:${body})(?![\\p{L}\\p{N}_])` : body;
  try {
    const regexp = new RegExp(whole, `gmu${options.matchCase ? '' : 'i'}`);
    return { kind: 'pattern', regexp, costly: options.regex };
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error);
    // "Invalid regular expression: /…/gmu: Unterminated group": the bar shows the expression already.
    return { kind: 'wrong', problem: words.replace(/^.*\/[a-z]*: /s, '') };
  }
}

/** The part of a cell that contains a text. */
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
  /** The position of the match among those of its text, from 0. */
  readonly nth: number;
  /** The line on which the match begins, from 0, and the number of lines of its text. */
  readonly line: number;
  readonly lines: number;
}

/** More matches are not counted: they would be of no use, and counting them would block the window. */
export const MAX_MATCHES = 10_000;

/** Start and end of each match of a text, one after the other. Empty matches (as of `a*`) are left out. */
export function offsetsIn(text: string, regexp: RegExp, most: number): readonly number[] {
  const offsets: number[] = [];
  if (most <= 0) return offsets;
  for (const match of text.matchAll(regexp)) {
    if (match[0] === '') continue;
    offsets.push(match.index, match.index + match[0].length);
    if (offsets.length >= 2 * most) break;
  }
  return offsets;
}

/** The matches of all texts, in order, from the offsets of the matches in each text. */
export function placesOf(
  texts: readonly SearchText[],
  offsets: readonly (readonly number[])[],
): readonly Match[] {
  const matches: Match[] = [];
  for (const [at, { cellId, area, text }] of texts.entries()) {
    const offsetsInCell = offsets[at] ?? [];
    if (offsetsInCell.length === 0) continue;
    const lines = lineEnds(text, 0, text.length) + 1;
    let line = 0;
    let countedTo = 0;
    for (let pair = 0; pair < offsetsInCell.length; pair += 2) {
      const [start = 0, end = 0] = [offsetsInCell[pair], offsetsInCell[pair + 1]];
      line += lineEnds(text, countedTo, start);
      countedTo = start;
      matches.push({ cellId, area, start, end, nth: pair / 2, line, lines });
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
  /** In a regular expression `$1` inserts a group; otherwise the replacement is literal. */
  readonly groups: boolean;
}

/** A text with every match replaced. */
export function replaceAll(text: string, { regexp, by, groups }: Replacing): string {
  if (groups) return text.replace(regexp, (match, ...rest) => (match === '' ? '' : expand(by, match, rest)));
  return text.replace(regexp, (match) => (match === '' ? '' : by));
}

/** A text with the match at `start` replaced; unchanged if there is no match at `start` any more. */
export function replaceAt(text: string, start: number, replacing: Replacing): string {
  const { regexp, by, groups } = replacing;
  return text.replace(regexp, (match: string, ...rest: unknown[]) => {
    const at = rest.find((one) => typeof one === 'number');
    if (at !== start || match === '') return match;
    return groups ? expand(by, match, rest) : by;
  });
}

/** The replacement with `$1`, `$&` and `$$` expanded. */
function expand(by: string, match: string, groups: readonly unknown[]): string {
  return by.replace(/\$(\$|&|\d{1,2})/g, (whole, sign: string) => {
    if (sign === '$') return '$';
    if (sign === '&') return match;
    const group = groups[Number(sign) - 1];
    return Number(sign) === 0 || typeof group === 'number' ? whole : typeof group === 'string' ? group : '';
  });
}

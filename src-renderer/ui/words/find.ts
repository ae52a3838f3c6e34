import { countText } from '../strings.ts';

/** Words of the bar that looks for text in a notebook. */
export const FIND_WORDS = {
  title: 'Find in the notebook',
  query: 'Find',
  queryHint: 'Find in sources and output',
  replacement: 'Replace by',
  previous: 'Previous match',
  next: 'Next match',
  matchCase: 'Match case',
  wholeWord: 'Whole words',
  regex: 'Regular expression',
  showReplace: 'Show the line to replace by',
  replace: 'Replace',
  replaceAll: 'Replace all',
  close: 'Close',
  none: 'No match',
  searching: 'Searching…',
  slow: 'This expression takes too long. Try a simpler one: most often a repetition inside a repetition, as in (a+)+, is the reason.',
  failed: 'Regular expressions cannot be searched for in this window. Reload it, or search for plain text.',
  replaceSlow: 'This expression takes too long: nothing was replaced.',
  outputOnly: 'Output cannot be replaced',
  place: (at: number, of: number, more: boolean): string =>
    `${countText(at)} of ${countText(of)}${more ? ' or more' : ''}`,
  replaced: (count: number, cells: number): string =>
    `${countText(count)} replaced in ${cells === 1 ? 'one cell' : `${countText(cells)} cells`}`,
  wrong: (problem: string): string => `Not a regular expression: ${problem}`,
} as const;

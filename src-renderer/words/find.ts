import { countText } from './strings.ts';

/** UI texts of the find bar. */
export const FIND_WORDS = {
  title: 'Find in notebook',
  query: 'Find',
  queryHint: 'Find in code and output',
  replacement: 'Replace with',
  previous: 'Previous match',
  next: 'Next match',
  matchCase: 'Match case',
  wholeWord: 'Whole words',
  regex: 'Regular expression',
  showReplace: 'Show replace',
  replace: 'Replace',
  replaceAll: 'Replace all',
  close: 'Close',
  none: 'No matches',
  searching: 'Searching…',
  slow: 'This expression takes too long. Simplify it. Nested repetitions such as (a+)+ are the usual cause.',
  failed:
    'Regular expression search is not available in this window. Reload the window, or search for plain text.',
  replaceSlow: 'This expression takes too long. Nothing was replaced.',
  outputOnly: 'Output cannot be replaced',
  place: (at: number, of: number, more: boolean): string =>
    `${countText(at)} of ${countText(of)}${more ? ' or more' : ''}`,
  replaced: (count: number, cells: number): string =>
    `${countText(count)} replaced in ${cells === 1 ? 'one cell' : `${countText(cells)} cells`}`,
  wrong: (problem: string): string => `Invalid regular expression: ${problem}`,
} as const;

/** Finds comparisons of a cell's language with a name in the text of a source file. Used by languageNames.test.ts. */

import { LANGUAGES } from '../../src-shared/notebook/languages/languages.ts';

const NAMES = Object.keys(LANGUAGES).join('|');
const COMPARISON = new RegExp(
  `\\b(?:language|lang)\\s*[!=]==\\s*'(${NAMES})'|'(${NAMES})'\\s*[!=]==\\s*[\\w.?]*\\b(?:language|lang)\\b`,
  'g',
);

/** The languages that a file's text compares a language with, one entry per comparison. */
export function comparedNames(text: string): readonly string[] {
  return Array.from(text.matchAll(COMPARISON), ([, left, right]) => left ?? right ?? '');
}

/** Whether a file belongs to a language: it is in a folder of that name, or its name starts with it. */
export function isOwnFile(path: string, language: string): boolean {
  return new RegExp(`/${language}/|/${language}[A-Z.][^/]*$`).test(path);
}

/** The comparisons of a file with the names of languages that it does not belong to. */
export function foreignNames(path: string, text: string): readonly string[] {
  return comparedNames(text).filter((language) => !isOwnFile(path, language));
}

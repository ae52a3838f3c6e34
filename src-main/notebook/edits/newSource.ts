import { LANGUAGES } from '../../../src-shared/notebook/languages/languages.ts';
import type { Language } from '../../../src-shared/wire/cell.ts';

/**
 * The initial source of a new cell: for a widget cell a sample control (widgets-and-app-view), otherwise
 * empty.
 */
export function newSourceOf(language: Language): string {
  return LANGUAGES[language].newSource;
}

import { LANGUAGES } from '../../../src-shared/notebook/languages/languages.ts';
import type { Language } from '../../../src-shared/wire/cell.ts';

/**
 * The initial source of a new cell: for a widget cell a sample control (docs/spec/widgets-and-app-view.md, 1),
 * otherwise empty.
 */
export function newSourceOf(language: Language): string {
  return LANGUAGES[language].newSource;
}

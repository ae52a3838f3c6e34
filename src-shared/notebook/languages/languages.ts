/** The table of all languages of cells with their facts. */

import type { Language } from '../../wire/cell.ts';
import type { LanguageFacts } from './languageFacts.ts';
import { MARKDOWN } from './markdown.ts';
import { PROMPT } from './prompt.ts';
import { PYTHON } from './python.ts';
import { R } from './r.ts';
import { SQL } from './sql.ts';
import { WIDGET } from './widget.ts';

/** The languages of cells. */
export const LANGUAGES: Readonly<Record<Language, LanguageFacts>> = {
  python: PYTHON,
  prompt: PROMPT,
  markdown: MARKDOWN,
  sql: SQL,
  r: R,
  widget: WIDGET,
};

/** The facts about a cell's language; undefined without a cell. */
export function factsOf(cell: { readonly language: Language } | undefined): LanguageFacts | undefined {
  return cell === undefined ? undefined : LANGUAGES[cell.language];
}

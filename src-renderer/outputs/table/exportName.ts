import { LANGUAGES } from '../../../src-shared/notebook/languages/languages.ts';
import type { Language } from '../../../src-shared/wire/cell.ts';

/** `df`, alone on the last line of a cell: what the cell shows. */
const LAST_NAME = /(?:^|\n)[ \t]*([\p{L}_][\p{L}\p{N}_]*)[ \t]*;?[ \t]*(?:#[^\n]*)?\s*$/u;
/** What not every file system takes in a name. */
const UNFIT = /[/\\:*?"<>|\s]+/g;

/**
 * The name, without suffix, of the file a table is saved as: that of the variable a Python cell ends with, the name of
 * another cell, or else the cell's id.
 */
export function exportNameOf({
  id,
  language,
  source,
  name,
}: {
  readonly id: string;
  readonly language: Language;
  readonly source: string;
  readonly name: string | null;
}): string {
  const variable = LANGUAGES[language].endsWithValue ? LAST_NAME.exec(source)?.[1] : undefined;
  return (variable ?? name ?? id).replaceAll(UNFIT, '-');
}

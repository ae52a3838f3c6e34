/** Chooses the file name under which a table result is exported. */

import { LANGUAGES } from '../../../src-shared/notebook/languages/languages.ts';
import type { Language } from '../../../src-shared/wire/cell.ts';

/** `df`, alone on the last line of a cell: what the cell shows. */
const LAST_NAME = /(?:^|\n)[ \t]*([\p{L}_][\p{L}\p{N}_]*)[ \t]*;?[ \t]*(?:#[^\n]*)?\s*$/u;
/** Characters that not every file system allows in a name. */
const UNFIT = /[/\\:*?"<>|\s]+/g;

/**
 * The name, without extension, of the file in which a table is saved: for a Python cell, the variable on its last line;
 * for other cells, the cell's name; otherwise the cell's id.
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

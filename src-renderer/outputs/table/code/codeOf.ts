/** Writes the cell (pandas, polars or SQL) that reproduces the current view of a table result. */

import { LANGUAGES } from '../../../../src-shared/notebook/languages/languages.ts';
import type { Language } from '../../../../src-shared/wire/cell.ts';
import { TABLE_CODE_WORDS } from '../../../words/tableCode.ts';
import type { TableQuery } from '../tableQuery.ts';
import type { CodeStyle, CodeTable } from './codeTable.ts';
import { NotWritable } from './codeTable.ts';
import { pandasCode } from './pandasCode.ts';
import { polarsCode } from './polarsCode.ts';
import { sqlCode } from './sqlCode.ts';

/** The code of a cell, or why it cannot be written. */
type CodeResult =
  | { readonly kind: 'code'; readonly language: 'python' | 'sql'; readonly source: string }
  | { readonly kind: 'none'; readonly words: string };

const WRITERS = {
  pandas: { language: 'python', write: pandasCode },
  polars: { language: 'python', write: polarsCode },
  sql: { language: 'sql', write: sqlCode },
} as const;

/** The cell that reproduces the current view of a table. */
export function codeOf(style: CodeStyle, table: CodeTable, query: TableQuery): CodeResult {
  const { language, write } = WRITERS[style];
  return tryWriteCode(language, () => write(table, query));
}

/** The code that a writer returns, or its reason for not writing it. */
export function tryWriteCode(language: 'python' | 'sql', write: () => string): CodeResult {
  try {
    return { kind: 'code', language, source: write() };
  } catch (error) {
    if (!(error instanceof NotWritable)) throw error;
    return { kind: 'none', words: error.message };
  }
}

/** `df`, alone on the last line of a cell. */
const LAST_NAME = /(?:^|\n)[ \t]*([\p{L}_][\p{L}\p{N}_]*)[ \t]*;?[ \t]*(?:#[^\n]*)?\s*$/u;
const NO_NAMES: ReadonlySet<string> = new Set(['None', 'True', 'False', 'pass', 'break', 'continue']);

/** The variable whose value a cell shows; null if it shows something else. */
export function shownVariable(cell: {
  readonly language: Language;
  readonly source: string;
  readonly defines: readonly string[];
}): string | null {
  if (LANGUAGES[cell.language].storesTable)
    return cell.defines.length === 1 ? (cell.defines[0] ?? null) : null;
  if (!LANGUAGES[cell.language].endsWithValue) return null;
  const name = LAST_NAME.exec(cell.source)?.[1] ?? null;
  return name === null || NO_NAMES.has(name) ? null : name;
}

/** Whether some cell may create frames other than pandas ones: then the written code checks the kind of the frame. */
export function holdsOtherFrames(cells: readonly { readonly cell: { readonly source: string } }[]): boolean {
  return cells.some(({ cell }) => /\b(?:polars|pyarrow)\b/.test(cell.source));
}

/** The message for a cell that shows no variable, for which no code can be written. */
export const NO_VARIABLE = TABLE_CODE_WORDS.noVariable;

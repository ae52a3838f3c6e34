/** Maps the language of a cell, and the database of a SQL cell, to the id of a Monaco language. */

import { LANGUAGES } from '../../src-shared/notebook/languages/languages.ts';
import type { Language } from '../../src-shared/wire/cell.ts';
import { CELL_LANGUAGES } from '../state/cellLanguages.ts';
import type { SqlDialect } from './languages/sql.ts';

/** Monaco's language ids for SQL, by dialect. */
export const SQL_DIALECTS: Readonly<Record<string, SqlDialect>> = {
  'cellar-sql': { backslash: false, hash: false, dollar: true },
  'cellar-sql-sqlite': { backslash: false, hash: false, dollar: false },
  'cellar-sql-snowflake': { backslash: true, hash: false, dollar: true },
  'cellar-sql-bigquery': { backslash: true, hash: true, dollar: false },
};

/**
 * Monaco's id of a cell's language.
 * @param driver of the connection that a SQL cell names; null if it names none or an unknown one
 */
export function editorLanguage(language: Language, driver: string | null = null): string {
  const ofDriver = `${CELL_LANGUAGES[language].editor}-${driver}`;
  return LANGUAGES[language].connects && ofDriver in SQL_DIALECTS
    ? ofDriver
    : CELL_LANGUAGES[language].editor;
}

import type { Language } from '../../src-shared/wire/cell.ts';
import type { SqlDialect } from './languages/sql.ts';

/** Monaco's language ids for SQL, by dialect. */
export const SQL_DIALECTS: Readonly<Record<string, SqlDialect>> = {
  'cellar-sql': { backslash: false, hash: false, dollar: true },
  'cellar-sql-sqlite': { backslash: false, hash: false, dollar: false },
  'cellar-sql-snowflake': { backslash: true, hash: false, dollar: true },
  'cellar-sql-bigquery': { backslash: true, hash: true, dollar: false },
};

const EDITOR_LANGUAGE: Record<Language, string> = {
  python: 'python',
  prompt: 'cellar-prompt',
  markdown: 'markdown',
  sql: 'cellar-sql',
  r: 'r',
  widget: 'cellar-widget',
};

/**
 * The editor's name of a cell's language.
 * @param driver of the connection an SQL cell names; null where it names none or one that is not known
 */
export function editorLanguage(language: Language, driver: string | null = null): string {
  const ofDriver = `${EDITOR_LANGUAGE.sql}-${driver}`;
  return language === 'sql' && ofDriver in SQL_DIALECTS ? ofDriver : EDITOR_LANGUAGE[language];
}

/** What people read beside a cell's name. */
export const LANGUAGE_NAME: Record<Language, string> = {
  python: 'Python',
  prompt: 'Prompt',
  markdown: 'Text',
  sql: 'SQL',
  r: 'R',
  widget: 'Widget',
};

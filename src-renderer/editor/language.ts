import type { Language } from '../../src-shared/wire/cell.ts';

/** The editor's name of a cell language. */
export const EDITOR_LANGUAGE: Record<Language, string> = {
  python: 'python',
  prompt: 'markdown',
  markdown: 'markdown',
  sql: 'sql',
  r: 'r',
  widget: 'python',
};

/** What people read beside a cell's name. */
export const LANGUAGE_NAME: Record<Language, string> = {
  python: 'Python',
  prompt: 'Prompt',
  markdown: 'Text',
  sql: 'SQL',
  r: 'R',
  widget: 'Widget',
};

/** The facts about SQL cells by which other code decides what such a cell can do. */

import type { LanguageFacts } from './languageFacts.ts';
import { NOT_PYTHON } from './notPython.ts';

export const SQL: LanguageFacts = {
  ...NOT_PYTHON,
  // The annotations are Python comments: the file of a SQL cell is read as Python text.
  suffix: 'py',
  newSource: '',
  fence: 'sql',
  ignores: new Set(['timeout']),
  runs: true,
  runsCode: false,
  startsPython: 'never',
  storesReply: true,
  asksModel: false,
  readsValues: true,
  storesTable: true,
  hasControls: false,
  connects: true,
  whyNoConsole: null,
};

/** The facts about Markdown cells by which other code decides what such a cell can do. */

import type { LanguageFacts } from './languageFacts.ts';
import { NOT_PYTHON } from './notPython.ts';

export const MARKDOWN: LanguageFacts = {
  ...NOT_PYTHON,
  suffix: 'md',
  newSource: '',
  fence: 'markdown',
  ignores: new Set(),
  runs: false,
  runsCode: false,
  startsPython: 'never',
  storesReply: false,
  asksModel: false,
  readsValues: false,
  storesTable: false,
  hasControls: false,
  whyNoConsole: 'A text cell has no values to inspect.',
};

/** The facts about prompt cells by which other code decides what such a cell can do. */

import type { LanguageFacts } from './languageFacts.ts';
import { NOT_PYTHON } from './notPython.ts';

export const PROMPT: LanguageFacts = {
  ...NOT_PYTHON,
  suffix: 'py',
  newSource: '',
  fence: 'text',
  ignores: new Set(['timeout']),
  runs: true,
  runsCode: false,
  startsPython: 'values',
  storesReply: true,
  asksModel: true,
  readsValues: true,
  storesTable: false,
  hasControls: false,
  whyNoConsole: null,
};

/** Facts about prompt cells. */

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

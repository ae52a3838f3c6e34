/** The facts about R cells by which other code decides what such a cell can do. */

import type { LanguageFacts } from './languageFacts.ts';
import { NOT_PYTHON } from './notPython.ts';

export const R: LanguageFacts = {
  ...NOT_PYTHON,
  suffix: 'r',
  newSource: '',
  fence: 'r',
  ignores: new Set(),
  runs: true,
  runsCode: true,
  startsPython: 'never',
  packages: 'r',
  storesReply: false,
  asksModel: false,
  readsValues: true,
  storesTable: false,
  hasControls: false,
  namesFromProgram: true,
  whyNoConsole:
    'Consoles are available only in Python cells. To inspect a value of an R cell, open a Python cell that reads it.',
};

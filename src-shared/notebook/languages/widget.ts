/** The facts about widget cells by which other code decides what such a cell can do. */

import type { LanguageFacts } from './languageFacts.ts';
import { NOT_PYTHON } from './notPython.ts';

export const WIDGET: LanguageFacts = {
  ...NOT_PYTHON,
  suffix: 'widget',
  // A sample control (docs/spec/widgets-and-app-view.md, 1).
  newSource: 'alpha = slider(0, 1, step=0.01, default=0.5)',
  fence: 'python',
  ignores: new Set(['timeout']),
  runs: true,
  runsCode: false,
  startsPython: 'never',
  storesReply: false,
  asksModel: false,
  readsValues: false,
  storesTable: false,
  hasControls: true,
  whyNoConsole: null,
};

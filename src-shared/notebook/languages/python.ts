/** The facts about Python cells by which other code decides what such a cell can do. */

import type { LanguageFacts } from './languageFacts.ts';

export const PYTHON: LanguageFacts = {
  suffix: 'py',
  newSource: '',
  fence: 'python',
  ignores: new Set(),
  runs: true,
  runsCode: true,
  startsPython: 'always',
  packages: 'python',
  storesReply: false,
  asksModel: false,
  readsValues: true,
  storesTable: false,
  hasControls: false,
  sharesCode: true,
  isObserved: true,
  fansOut: true,
  setsUp: true,
  hasTests: true,
  hasServices: true,
  connects: false,
  endsWithValue: true,
  hasClient: true,
  namesFromProgram: false,
  whyNoConsole: null,
};

import type { LanguageFacts } from './languageFacts.ts';

/** What no language but Python has: a language takes these, and says what else is true of it. */
export const NOT_PYTHON = {
  packages: 'python',
  sharesCode: false,
  isObserved: false,
  fansOut: false,
  setsUp: false,
  hasTests: false,
  hasServices: false,
  connects: false,
  endsWithValue: false,
  hasClient: false,
  namesFromProgram: false,
} as const satisfies Partial<LanguageFacts>;

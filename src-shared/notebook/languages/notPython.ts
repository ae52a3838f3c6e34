/** The facts that all languages of cells except Python have in common. */

import type { LanguageFacts } from './languageFacts.ts';

/** The facts that hold for every language except Python; each language spreads them and adds its own. */
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

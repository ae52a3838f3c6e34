/** The preferences of a person for every window: theme, fonts and so on, as stored in the browser. */

/**
 * A person's preferences for every window, stored in localStorage. Stored values may be old, foreign or damaged: they
 * are read one by one, and an invalid one is replaced by the default. `public/early.js` reads the same record before
 * the first paint and must use the same names.
 */
export interface Preferences {
  /** `auto` follows the system. */
  readonly theme: 'auto' | 'light' | 'dark';
  /** `auto` follows the system; `more` is high contrast regardless of the system. */
  readonly contrast: 'auto' | 'more';
  /** `auto` follows the system; `reduced` moves nothing. */
  readonly motion: 'auto' | 'reduced';
  /** Size of code, in CSS px. */
  readonly codeSize: number;
  /** Ligatures in code (=> as one arrow). */
  readonly codeLigatures: boolean;
  /** Line numbers beside code, and marks that fold its blocks. */
  readonly codeLines: boolean;
  /** Vim's keys in the editor. */
  readonly vimKeys: boolean;
  /** Suggestions of the AI model at the caret, for which typed text is sent to its provider. */
  readonly inlineSuggestions: boolean;
  /** Prices of AI models as text, in the form that `state/assistant/prices.ts` reads. */
  readonly aiPrices: string;
  /** A notification when a long run ends while the window is hidden; a browser asks for its permission first. */
  readonly notifyRuns: boolean;
}

export const DEFAULT_PREFERENCES: Preferences = {
  theme: 'auto',
  contrast: 'auto',
  motion: 'auto',
  codeSize: 12.5,
  codeLigatures: false,
  codeLines: false,
  vimKeys: false,
  inlineSuggestions: false,
  aiPrices: '',
  notifyRuns: true,
};

/** The code sizes offered in the settings, in CSS px. */
export const CODE_SIZES: readonly number[] = [11, 12, 12.5, 13, 14, 15, 16, 18, 20, 24];

export const PREFERENCES_KEY = 'cellar.preferences';

/** Reads stored preferences. @param stored the JSON text, null if there is none */
export function parsePreferences(stored: string | null): Preferences {
  const record = recordOf(stored);
  const choice = <K extends keyof Preferences>(key: K, choices: readonly Preferences[K][]): Preferences[K] =>
    choices.find((one) => one === record[key]) ?? DEFAULT_PREFERENCES[key];
  return {
    theme: choice('theme', ['auto', 'light', 'dark']),
    contrast: choice('contrast', ['auto', 'more']),
    motion: choice('motion', ['auto', 'reduced']),
    codeSize: choice('codeSize', CODE_SIZES),
    codeLigatures: choice('codeLigatures', [true, false]),
    codeLines: choice('codeLines', [true, false]),
    vimKeys: choice('vimKeys', [true, false]),
    inlineSuggestions: choice('inlineSuggestions', [true, false]),
    aiPrices: text(record['aiPrices']),
    notifyRuns: choice('notifyRuns', [true, false]),
  };
}

const MAX_TEXT = 10_000;

function text(value: unknown): string {
  return typeof value === 'string' ? value.slice(0, MAX_TEXT) : '';
}

function recordOf(stored: string | null): Readonly<Record<string, unknown>> {
  if (stored === null) return {};
  try {
    const value: unknown = JSON.parse(stored);
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch (error) {
    console.warn('the stored preferences could not be read; the defaults are used', error);
    return {};
  }
}

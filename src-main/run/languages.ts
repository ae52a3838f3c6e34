import type { LanguageSteps } from './languageStep.ts';

/** How each language beside Python runs in this program: one line a language. */
export function createLanguageSteps(): LanguageSteps {
  return {};
}

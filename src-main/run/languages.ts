import type { LanguageSteps } from './languageStep.ts';
import { widgetStep } from './widget/widgetStep.ts';

/** How each language beside Python runs in this program: one line a language. */
export function createLanguageSteps(): LanguageSteps {
  return { widget: widgetStep };
}

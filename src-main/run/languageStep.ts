/** The type of a language's step function, and the table of those that a program has. */

import type { Language } from '../../src-shared/wire/cell.ts';
import type { StepLanguage, StepOf, StepOutcome } from './step.ts';
import type { StepOptions, StepTools } from './stepParts.ts';

/**
 * Runs one planned cell of a language: looks up its result under its own key, or else makes and publishes it. Never
 * throws for failures of a cell, a server or a disk: those are outcomes.
 */
export type LanguageStep<L extends StepLanguage> = (
  tools: StepTools,
  request: StepOf<L>,
  options: StepOptions,
) => Promise<StepOutcome>;

/** The languages this program runs besides Python, each by its own step; Markdown has nothing to run. */
export type LanguageSteps = {
  readonly [L in Exclude<StepLanguage, 'python'>]?: LanguageStep<L>;
};

export const NO_LANGUAGES: LanguageSteps = {};

/** The languages a program with these steps can run. */
export function supportedLanguages(steps: LanguageSteps): ReadonlySet<Language> {
  return new Set<Language>(['python', ...(Object.keys(steps) as (keyof LanguageSteps)[])]);
}

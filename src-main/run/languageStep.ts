import type { Language } from '../../src-shared/wire/cell.ts';
import type { StepOutcome, StepRequest } from './step.ts';
import type { StepOptions, StepTools } from './stepParts.ts';

/**
 * Runs one planned cell of a language without a process of the notebook's Python: looks up its result under
 * its own key, or else makes and publishes it. Like `runStep` it never throws for failures of a cell, a
 * server or a disk.
 */
export type LanguageStep = (
  tools: StepTools,
  request: StepRequest,
  options: StepOptions,
) => Promise<StepOutcome>;

/** The languages this program runs besides Python, each by its own step; Markdown has nothing to run. */
export type LanguageSteps = Readonly<Partial<Record<Exclude<Language, 'python' | 'markdown'>, LanguageStep>>>;

export const NO_LANGUAGES: LanguageSteps = {};

/** The languages a program with these steps can run. */
export function spokenLanguages(steps: LanguageSteps): ReadonlySet<Language> {
  return new Set<Language>(['python', ...(Object.keys(steps) as (keyof LanguageSteps)[])]);
}

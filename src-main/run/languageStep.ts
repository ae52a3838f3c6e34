import type { Language } from '../../src-shared/wire/cell.ts';
import type { StepOutcome, StepRequest } from './step.ts';
import type { StepOptions, StepTools } from './stepParts.ts';

/**
 * Runs one planned cell of a language that has no process of the notebook's Python: looks its result up under a key
 * of its own, else makes it and publishes. Like `runStep` it never throws for what a cell, a server or a disk can do.
 */
export type LanguageStep = (
  tools: StepTools,
  request: StepRequest,
  options: StepOptions,
) => Promise<StepOutcome>;

/** The languages this program runs beside Python, each by a step of its own; Markdown has nothing to run. */
export type LanguageSteps = Readonly<Partial<Record<Exclude<Language, 'python' | 'markdown'>, LanguageStep>>>;

export const NO_LANGUAGES: LanguageSteps = {};

/** What a program with these steps can run. */
export function spokenLanguages(steps: LanguageSteps): ReadonlySet<Language> {
  return new Set<Language>(['python', ...(Object.keys(steps) as (keyof LanguageSteps)[])]);
}

/** Creates the table of step functions of all languages besides Python: R, SQL, prompts and widgets. */

import { promptStep } from './prompt/promptStep.ts';
import { createSqlStep } from './sql/sqlStep.ts';
import type { SqlStepOptions } from './sql/sqlStepOptions.ts';
import type { LanguageStep, LanguageSteps } from './stepTools.ts';
import { widgetStep } from './widget/widgetStep.ts';

/** What the languages besides Python need from the program. */
interface LanguageServices {
  readonly r: LanguageStep<'r'>;
  readonly sql: SqlStepOptions;
}

/** How each language besides Python runs in this program: one entry per language. */
export function createLanguageSteps(services: LanguageServices): LanguageSteps {
  return { prompt: promptStep, r: services.r, sql: createSqlStep(services.sql), widget: widgetStep };
}

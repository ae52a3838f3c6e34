/** Runs one planned cell by the step function of its language. */

import { pythonRunner } from './codeRunner.ts';
import { runInProcess } from './runInProcess.ts';
import type { StepLanguage, StepOutcome, StepRequest } from './step.ts';
import type { LanguageStep, StepOptions, StepTools } from './stepTools.ts';

/**
 * Executes one planned cell by the step of its language: from the cache if allowed, else by running it, then
 * publishes. Never throws for failures of a cell or a disk: those are outcomes.
 * @throws if this program has no step for the language; the session refuses such cells before.
 */
export async function runStep(
  tools: StepTools,
  request: StepRequest,
  options: StepOptions,
): Promise<StepOutcome> {
  const { languages } = tools;
  switch (request.language) {
    case 'python':
      return pythonStep(tools, request, options);
    case 'r':
      return stepOf('r', languages.r)(tools, request, options);
    case 'prompt':
      return stepOf('prompt', languages.prompt)(tools, request, options);
    case 'sql':
      return stepOf('sql', languages.sql)(tools, request, options);
    case 'widget':
      return stepOf('widget', languages.widget)(tools, request, options);
    default:
      return request satisfies never;
  }
}

/** Runs Python cells in a process of the notebook's interpreter, or on a worker. */
const pythonStep: LanguageStep<'python'> = (tools, request, options) =>
  runInProcess({ ...tools, runner: pythonRunner(tools.executor, request.interpreter) }, request, options);

function stepOf<L extends StepLanguage>(language: L, step: LanguageStep<L> | undefined): LanguageStep<L> {
  if (step === undefined) throw new Error(`this program does not run ${language} cells`);
  return step;
}

/** The outcome of a step that failed. */

import { suggestInstall } from '../../src-shared/notebook/suggestInstall.ts';
import type { PreparedData } from '../mount/dataAccess.ts';
import type { StepOutcome } from './step.ts';

/**
 * The outcome of a cell whose external data is unavailable: it fails before it starts
 * (docs/spec/analysis-and-graph.md, 3.6; docs/spec/outside-data.md).
 */
export function notStarted(
  { message, errorCode }: Extract<PreparedData, { kind: 'failed' }>,
  durationMs: number,
): StepOutcome {
  return {
    ...failedStep(message, null),
    suggestInstall: null,
    ...(errorCode === undefined ? {} : { errorCode }),
    durationMs,
  };
}

/** A failure; the caller adds the output before it and the duration. */
export function failedStep(error: string, traceback: string | null) {
  return {
    kind: 'failed',
    error: bounded(error),
    traceback: traceback === null ? null : bounded(traceback),
    suggestInstall: suggestInstall(error),
    stdout: '',
    stderr: '',
    method: 'error',
  } as const;
}

/**
 * An exception may have a text of any length; its beginning and end show what happened, and every frame and
 * file repeats it.
 */
const MAX_AT_EACH_END = 50_000;

function bounded(text: string): string {
  const omitted = text.length - 2 * MAX_AT_EACH_END;
  if (omitted <= 0) return text;
  const start = text.slice(0, MAX_AT_EACH_END);
  return `${start}\n… ${omitted} characters left out …\n${text.slice(-MAX_AT_EACH_END)}`;
}

/** Wraps an executor so that the texts of its runs contain no secrets. */

import type { ExecOutcome, ExecRequest } from '../../exec/executor.ts';
import type { Redactor } from '../../lib/redactor.ts';
import { hideInStream } from '../../lib/redactor.ts';

/** The interface that runs here and on workers share. */
interface Runs<R, O> {
  run(request: R, options: O): Promise<ExecOutcome>;
}

/**
 * Wraps an executor so that known secret values are hidden in its texts (output, errors, previews) and never
 * reach the disk: not in console files, logs, results' previews or the runtime record. Files that cells
 * write, which are their values and displays, are not changed.
 */
export function hidingRuns<R extends Pick<ExecRequest, 'consoleLog'>, O>(
  runs: Runs<R, O>,
  redactorNow: () => Redactor,
): Runs<R, O> {
  return {
    async run(request, options) {
      const redactor = redactorNow();
      if (redactor.isIdle) return runs.run(request, options);
      const { consoleLog } = request;
      const hidden =
        consoleLog === undefined
          ? request
          : { ...request, consoleLog: { ...consoleLog, hide: redactor.stream } };
      return hideInOutcome(await runs.run(hidden, options), redactor);
    },
  };
}

/** An outcome with the known values hidden in its texts. */
function hideInOutcome(outcome: ExecOutcome, redactor: Redactor): ExecOutcome {
  const printed = {
    stdout: hideInStream(outcome.stdout, redactor),
    stderr: hideInStream(outcome.stderr, redactor),
  };
  if (outcome.kind !== 'finished') return { ...outcome, ...printed, message: redactor.text(outcome.message) };
  const { result } = outcome;
  const variables = Object.fromEntries(
    Object.entries(result.variables).map(([name, output]) => [name, hideInTexts(output, redactor)]),
  );
  const hidden = { ...result, variables } as typeof result; // the same outputs with other texts
  if (hidden.success) return { ...outcome, ...printed, result: hidden };
  const { error, traceback } = hidden;
  const words = { error: redactor.text(error), traceback: redactor.text(traceback) };
  return { ...outcome, ...printed, result: { ...hidden, ...words } };
}

const TEXTS = new Set(['preview', 'text', 'error']);

function hideInTexts<T extends object>(output: T, redactor: Redactor): T {
  const entries = Object.entries(output).map(([key, value]) => [
    key,
    TEXTS.has(key) ? deep(value, redactor) : value,
  ]);
  return Object.fromEntries(entries) as T; // its keys
}

function deep(value: unknown, redactor: Redactor): unknown {
  if (typeof value === 'string') return redactor.text(value);
  if (Array.isArray(value)) return value.map((item) => deep(item, redactor));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [redactor.text(key), deep(item, redactor)]),
  );
}

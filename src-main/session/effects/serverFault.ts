/** Makes the outcome of a step that failed because of an error inside the server. */

import type { StepOutcome } from '../../run/step.ts';

/**
 * The outcome of a run that failed inside the server: the cell shows an error, and the log has the details
 * under the same incident number.
 */
export function serverFault(incident: string): StepOutcome {
  return {
    kind: 'failed',
    error: `Cellar itself failed while running this cell (incident ${incident}; the server log has the details).`,
    traceback: null,
    suggestInstall: null,
    stdout: '',
    stderr: '',
    method: 'error',
    durationMs: 0,
  };
}

import type { StepOutcome } from '../../run/step.ts';

/** A run that broke inside the server: its cell fails in words, and the log has the details under the same number. */
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

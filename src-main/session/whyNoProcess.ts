import { AppError, type ErrorContext } from '../../src-shared/wire/errors.ts';
import type { SessionState } from './state.ts';
import { whyUntrusted } from './untrusted.ts';

/** Why no process of the notebook's environment may be started now, or null. */
export function whyNoProcess(state: SessionState, context: ErrorContext): AppError | null {
  const { environment, interpreter, job } = state.environment;
  if (state.closing) return new AppError('conflict', 'The session is closing.');
  const untrusted = whyUntrusted(state);
  if (untrusted !== null) return untrusted;
  if (job?.status === 'running' || environment.sync_state === 'pending') {
    return new AppError(
      'ENVIRONMENT_BUSY',
      'The environment is being prepared; the cell can run when it is ready.',
      { ...context, environment_job: job },
    );
  }
  if (interpreter === null) {
    return new AppError(
      'ENVIRONMENT_BUSY',
      `No Python can run this notebook: ${environment.sync_error ?? 'the environment has not been made yet'}`,
      { ...context, environment_job: job },
    );
  }
  return null;
}

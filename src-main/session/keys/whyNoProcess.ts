/** Says why nothing of a notebook may run now, or why no process of its Python environment can start. */

import { AppError, type ErrorContext } from '../../../src-shared/wire/errors.ts';
import type { SessionState } from '../state/state.ts';
import { whyUntrusted } from '../state/untrusted.ts';

/** Why no process of the notebook's environment may be started now, or null. */
export function whyNoProcess(state: SessionState, context: ErrorContext): AppError | null {
  const refused = whyNoRun(state, context);
  if (refused !== null || state.environment.interpreter !== null) return refused;
  const message = whyNoPython(state);
  return new AppError('ENVIRONMENT_BUSY', message, { ...context, environment_job: state.environment.job });
}

/** Why nothing of the notebook may run now, in any language, or null. */
export function whyNoRun(state: SessionState, context: ErrorContext): AppError | null {
  const { environment, job } = state.environment;
  if (state.closing) return new AppError('conflict', 'The session is closing.');
  const untrusted = whyUntrusted(state);
  if (untrusted !== null) return untrusted;
  const refusal = whyFolderMissing(state);
  if (refusal !== null) return refusal;
  if (job?.status === 'running' || environment.sync_state === 'pending') {
    return new AppError(
      'ENVIRONMENT_BUSY',
      'The environment is being prepared; the cell can run when it is ready.',
      { ...context, environment_job: job },
    );
  }
  return null;
}

/** New results could not be stored: a missing folder is not created again (NF-44). */
export function whyFolderMissing({ folderGone }: SessionState): AppError | null {
  return folderGone ? new AppError('conflict', FOLDER_MISSING) : null;
}

/** Shown with the banner that names the folder. */
const FOLDER_MISSING = 'Cells can’t run because the notebook folder is missing. Restore the folder first.';

/** Why the notebook has no Python, as a message. */
export function whyNoPython({ environment: { environment } }: Pick<SessionState, 'environment'>): string {
  return `No Python can run this notebook: ${environment.sync_error ?? 'the environment has not been created yet'}`;
}

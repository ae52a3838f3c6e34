/** Decides whether a change of a notebook's settings must be refused because of the session's state. */

import { AppError } from '../../../src-shared/wire/errors.ts';
import { WORKER_NAME, whyNoWorkers } from '../../notebook/workers.ts';
import type { SettingsChange } from '../state/requests.ts';
import type { SessionState } from '../state/state.ts';
import { workerNamed } from './workers.ts';

/** Why the notebook cannot have the setting, from the session's state; null if it can. */
export function whyNotSet(state: SessionState, change: SettingsChange): AppError | null {
  switch (change.of) {
    case 'workers':
      return whyNotDefined(state, change.workers);
    case 'worker':
      return change.worker === null ? null : whyNotChosen(state, change.worker);
    default:
      return null;
  }
}

function whyNotDefined(
  state: SessionState,
  workers: Extract<SettingsChange, { of: 'workers' }>['workers'],
): AppError | null {
  if (!state.options.serverWorkers.notebooksDefine) {
    const message =
      'Only the server’s administrator can configure workers. A notebook on this server cannot define its own.';
    return new AppError('forbidden', message);
  }
  const problem = whyNoWorkers(workers);
  return problem === null ? null : new AppError('bad_request', problem);
}

function whyNotChosen(state: SessionState, worker: string): AppError | null {
  if (!WORKER_NAME.test(worker))
    return new AppError('bad_request', `'${worker}' is not a valid worker name.`);
  if (state.options.serverWorkers.notebooksDefine || workerNamed(state, worker) !== null) return null;
  return new AppError('forbidden', `This server does not offer the worker '${worker}'.`);
}

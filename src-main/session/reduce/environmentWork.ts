/** The part of the session's reducer that starts and cancels environment jobs. */

import { singleRequirement } from '../../../src-shared/notebook/requirement.ts';
import { AppError } from '../../../src-shared/wire/errors.ts';
import { startJob } from '../../environment/environmentJob.ts';
import { type EnvironmentWork, shownWork } from '../../environment/environmentWork.ts';
import { whyFolderMissing } from '../keys/whyNoProcess.ts';
import type { Reducer } from '../state/events.ts';
import type { SessionState } from '../state/state.ts';
import { whyUntrusted } from '../state/untrusted.ts';
import { toAll } from '../view/frames.ts';
import { reduction, refuse } from './reductions.ts';

/** Why no job may begin now, or null (docs/spec/rest-notebooks.md, 2.6). */
function whyNoJob(state: SessionState): AppError | null {
  if (state.closing) return new AppError('conflict', 'The session is closing.');
  const untrusted = whyUntrusted(state);
  if (untrusted !== null) return untrusted;
  const refusal = whyFolderMissing(state);
  if (refusal !== null) return refusal;
  const { job } = state.environment;
  const busy = (message: string) => new AppError('ENVIRONMENT_BUSY', message, { environment_job: job });
  if (job?.status === 'running') return busy('An environment job is running. Wait until it is done.');
  if (state.running !== null)
    return busy('A cell is running. Stop it or wait before you change the environment.');
  if (state.testing.size > 0)
    return busy('Tests are running. Stop them or wait before you change the environment.');
  return null;
}

/** In place of a package, uv also accepts options and files: only one plain requirement is passed on. */
function whyNotSingle(work: EnvironmentWork): AppError | null {
  const texts = work.action === 'add' ? work.requirements : work.action === 'remove' ? [work.name] : [];
  const wrong = texts.find((text) => singleRequirement(text) === null);
  if (wrong !== undefined) {
    return new AppError('bad_request', `Not a single package requirement: ${wrong.slice(0, 200)}`);
  }
  const keys = texts.map((text) => singleRequirement(text)?.key);
  const twice = texts.find((_, at) => keys.indexOf(keys[at]) !== at);
  return twice === undefined ? null : new AppError('bad_request', `Named twice in the list: ${twice}`);
}

/** The job is in the state, and all clients have it, before it begins: nothing can come between. */
export const startEnvironmentJob: Reducer<'start_environment_job'> = (state, event, tools) => {
  const refused = whyNotSingle(event.work) ?? whyNoJob(state);
  if (refused !== null) return refuse(state, event, refused);
  const { work, waits, ticket } = event;
  const job = startJob({ id: tools.newJobId(), now: event.atMs, ...shownWork(work) });
  const { environment } = state.environment;
  const next: SessionState = {
    ...state,
    environment: { ...state.environment, job, environment: { ...environment, sync_state: 'pending' } },
  };
  const reply = { type: 'reply', ticket, reply: { kind: 'environment', ended: null } } as const;
  return reduction(
    next,
    [toAll({ type: 'environment_job_started', payload: { environment_job: job } })],
    [{ type: 'do_environment_work', job, work, ticket: waits ? ticket : null }, ...(waits ? [] : [reply])],
  );
};

/** If the job has ended in the meantime, stopping it is not an error. */
export const cancelEnvironmentJob: Reducer<'cancel_environment_job'> = (state, event) => {
  const isOn = state.environment.job?.status === 'running';
  return reduction(
    state,
    [],
    [
      ...(isOn ? [{ type: 'stop_environment_work' } as const] : []),
      { type: 'reply', ticket: event.ticket, reply: { kind: 'cancelled', cancelled: isOn } },
    ],
  );
};

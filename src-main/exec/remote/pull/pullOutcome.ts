/** Waits until a worker has delivered the result of a pull run, even if its answer to the request is lost. */

import { setTimeout as delay } from 'node:timers/promises';
import type { Build, BuildEnd } from '../../../builds/build.ts';
import { refusalOf } from '../call/dispatch.ts';
import { mayStillRun, type RunElsewhere, reattach, releaseBundle } from '../call/reattach.ts';
import { RemoteFailure } from '../call/remoteRequest.ts';

/** How long to wait for the worker's answer after the build has ended. */
const ANSWER_MS = 1_000;
/** How long a run that was found again may take to deliver its bundle. */
const DELIVERY_MS = 60_000;

/**
 * Waits for the end of a build. The state of the build takes precedence over the worker's answer. When that answer is
 * lost, the run may still deliver: then asks the worker about the run, and waits for the build.
 * @param run `quit` ends the request once its answer is not needed
 * @returns a function to call when the bundle is not needed any more, so that the worker deletes its copy
 * @throws RemoteFailure
 */
export async function outcomeOf(
  sending: Promise<boolean>,
  build: Build,
  run: RunElsewhere & { readonly quit: () => void },
): Promise<() => Promise<void>> {
  const buildEnd = build.ended.then(() => null);
  const settle = (work: Promise<unknown>): Promise<{ readonly error: unknown } | null> =>
    work.then(
      () => null,
      (error: unknown) => ({ error }),
    );
  let wasReattached = false;
  let failure = await Promise.race([settle(sending), buildEnd]);
  if (failure !== null && build.end() === null && mayStillRun(failure.error)) {
    failure = await Promise.race([settle(waitForRun(run, failure.error)), buildEnd]);
    wasReattached = failure === null;
  }
  const end = build.end();
  if (end !== null) {
    const forgetRun = async (): Promise<void> => {
      const hasCopy = wasReattached || (await Promise.race([hasCopyOf(sending), answerTimeout()]));
      run.quit();
      if (hasCopy === true) await releaseBundle(run);
    };
    if (end.state === 'ready') return forgetRun;
    void forgetRun();
    throw failureOf(end, run.worker);
  }
  if (failure !== null) throw failure.error;
  const text = `Worker '${run.worker}' reports that the cell is done, but did not finalize build ${build.buildId}, so nothing was stored.`;
  throw new RemoteFailure('FINALIZE_FAILED', text);
}

/** Whether the worker has a copy of what it delivered; false when it did not answer. */
const hasCopyOf = (sending: Promise<boolean>): Promise<boolean> => sending.catch(() => false);

const answerTimeout = (): Promise<null> => delay(ANSWER_MS, null, { ref: false });

/** Waits until the run has ended on its worker. @throws `answerError` when the worker cannot be asked; RemoteFailure */
async function waitForRun(run: RunElsewhere, answerError: unknown): Promise<void> {
  const answer = await reattach(run);
  if (answer === null) throw answerError;
  if (answer.statusCode !== 200) throw await refusalOf(answer, run.worker);
  answer.destroy();
  // The worker has the bundle and is about to deliver it.
  await delay(DELIVERY_MS, undefined, { signal: run.signal, ref: false });
}

function failureOf(
  { code, message }: Extract<BuildEnd, { readonly state: 'failed' }>,
  worker: string,
): RemoteFailure {
  const text = `The result from worker '${worker}' is not valid: ${message}`;
  return new RemoteFailure(code === 'CANCELLED' ? 'BUILD_FAILED' : code, text);
}

import { setTimeout as delay } from 'node:timers/promises';
import type { Build, BuildEnd } from '../../../builds/build.ts';
import { refusalOf } from '../call/dispatch.ts';
import { forget, mayRunOn, type RunElsewhere, reattach } from '../call/reattach.ts';
import { RemoteFailure } from '../call/remoteRequest.ts';

/** Once a build has ended its worker has only to say so; who is gone by then is not waited for. */
const ANSWER_MS = 1_000;
/** How long a run that was found again may take to carry its bundle here. */
const DELIVERY_MS = 60_000;

/**
 * How it ended: what the build says counts before what its worker says. Where the worker's answer is lost the run may
 * go on and deliver: it is asked for, and the build waited for.
 * @param run `quit` ends the request, once nobody asks for its answer
 * @returns to be called when the bundle is needed no more, so that the worker forgets what it keeps of it
 * @throws RemoteFailure
 */
export async function outcomeOf(
  sent: Promise<boolean>,
  build: Build,
  run: RunElsewhere & { readonly quit: () => void },
): Promise<() => Promise<void>> {
  const ended = build.ended.then(() => null);
  const failing = (done: Promise<unknown>): Promise<{ readonly error: unknown } | null> =>
    done.then(
      () => null,
      (error: unknown) => ({ error }),
    );
  let wasReattached = false;
  let failed = await Promise.race([failing(sent), ended]);
  if (failed !== null && build.end() === null && mayRunOn(failed.error)) {
    failed = await Promise.race([failing(delivered(run, failed.error)), ended]);
    wasReattached = failed === null;
  }
  const end = build.end();
  if (end !== null) {
    const forgotten = async (): Promise<void> => {
      const isKeptThere = wasReattached || (await Promise.race([keptBy(sent), soon()]));
      run.quit();
      if (isKeptThere === true) await forget(run);
    };
    if (end.state === 'ready') return forgotten;
    void forgotten();
    throw failureOf(end, run.worker);
  }
  if (failed !== null) throw failed.error;
  const words = `Worker '${run.worker}' reports that the cell is done, but did not finalize build ${build.buildId}, so nothing was stored.`;
  throw new RemoteFailure('FINALIZE_FAILED', words);
}

/** Whether the worker keeps what it delivered; nothing where it did not say. */
const keptBy = (sent: Promise<boolean>): Promise<boolean> => sent.catch(() => false);

const soon = (): Promise<null> => delay(ANSWER_MS, null, { ref: false });

/** Until the run has ended on its worker. @throws `lost` where the worker cannot be asked; RemoteFailure */
async function delivered(run: RunElsewhere, lost: unknown): Promise<void> {
  const answer = await reattach(run);
  if (answer === null) throw lost;
  if (answer.statusCode !== 200) throw await refusalOf(answer, run.worker);
  answer.destroy();
  // It has its bundle, and is about to deliver it.
  await delay(DELIVERY_MS, undefined, { signal: run.signal, ref: false });
}

function failureOf(
  { code, message }: Extract<BuildEnd, { readonly state: 'failed' }>,
  worker: string,
): RemoteFailure {
  const words = `The result from worker '${worker}' is not valid: ${message}`;
  return new RemoteFailure(code === 'CANCELLED' ? 'BUILD_FAILED' : code, words);
}

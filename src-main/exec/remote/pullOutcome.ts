import { setTimeout as delay } from 'node:timers/promises';
import type { Build, BuildEnd } from '../../builds/build.ts';
import { refusalOf } from './dispatch.ts';
import { forget, mayRunOn, type RunElsewhere, reattach } from './reattach.ts';
import { RemoteFailure } from './remoteRequest.ts';

/** Once a build has ended its worker has only to say so; who is gone by then is not waited for. */
const ANSWER_MS = 1_000;
/** How long a run that was found again may take to carry its bundle here. */
const DELIVERY_MS = 60_000;

/**
 * How it ended: what the build says counts before what its worker says. Where the worker's answer is lost the run may
 * go on and deliver: it is asked for, and the build waited for. @throws RemoteFailure
 */
export async function outcomeOf(sent: Promise<boolean>, build: Build, run: RunElsewhere): Promise<void> {
  const ended = build.ended.then(() => null);
  const failureOf = (done: Promise<unknown>): Promise<{ readonly error: unknown } | null> =>
    done.then(
      () => null,
      (error: unknown) => ({ error }),
    );
  let wasReattached = false;
  let failed = await Promise.race([failureOf(sent), ended]);
  if (failed !== null && build.end() === null && mayRunOn(failed.error)) {
    failed = await Promise.race([failureOf(delivered(run, failed.error)), ended]);
    wasReattached = failed === null;
  }
  const end = build.end();
  if (end !== null) {
    // Its worker has only to say so, and keeps nothing for a build that has ended.
    const isKeptThere = wasReattached || (await Promise.race([keptBy(sent), soon()]));
    if (isKeptThere === true) void forget(run);
    return settled(end, run.worker);
  }
  if (failed !== null) throw failed.error;
  const words = `Worker '${run.worker}' says that the cell is done, but never finalized build ${build.buildId}: nothing of it was kept.`;
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

function settled(end: BuildEnd, worker: string): void {
  if (end.state === 'ready') return;
  const { code } = end;
  const words = `What worker '${worker}' delivered cannot be used: ${end.message}`;
  throw new RemoteFailure(code === 'CANCELLED' ? 'BUILD_FAILED' : code, words);
}

import type { IncomingMessage } from 'node:http';
import { removeTree } from '../../../lib/guardedFolder/names.ts';
import { makeFolder } from '../../../lib/makeFolder.ts';
import { refusalOf } from '../call/dispatch.ts';
import { forget, isKept, mayRunOn, type RunElsewhere, reattach, wasLost } from '../call/reattach.ts';
import type { HadRun, RemoteRequest } from '../call/remoteRequest.ts';
import { bundleOf } from '../call/takeBundle.ts';

export interface TakeOptions {
  readonly request: RemoteRequest;
  readonly maxMemberBytes: number;
  readonly run: RunElsewhere;
}

/**
 * What came of a run from the answer of its request. Where that is lost on its way and the worker offers it, the run is
 * asked for by its build id instead of being run twice (docs/extensions.md). What the worker keeps of it is forgotten
 * there when it is let go.
 * @throws RemoteFailure
 */
export async function takeAnswer(
  first: () => Promise<IncomingMessage>,
  { request, maxMemberBytes, run }: TakeOptions,
): Promise<HadRun> {
  for (let next = first; ; ) {
    let lost: unknown;
    try {
      const answer = await next();
      if (!wasLost(answer)) return await take(answer, { request, maxMemberBytes, run });
      lost = await refusalOf(answer, run.worker);
    } catch (error) {
      if (!mayRunOn(error)) throw error;
      lost = error;
    }
    const found = await reattach(run);
    if (found === null) throw lost;
    await emptied(request.outputDir);
    next = async () => found;
  }
}

async function take(answer: IncomingMessage, { request, maxMemberBytes, run }: TakeOptions): Promise<HadRun> {
  if (answer.statusCode !== 200) {
    if (isKept(answer)) void forget(run);
    throw await refusalOf(answer, run.worker);
  }
  const bundle = await bundleOf(answer, { maxMemberBytes }, request);
  const letGo = async (): Promise<void> => (isKept(answer) ? forget(run) : undefined);
  return { bundle, buildId: run.buildId, letGo };
}

/** Of what a broken bundle left. */
export async function emptied(dir: string): Promise<void> {
  await removeTree(dir);
  makeFolder(dir);
}

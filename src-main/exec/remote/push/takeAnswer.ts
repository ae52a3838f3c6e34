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
 * Reads the result of a run from the answer to its request. When that is lost and the worker supports it, fetches the
 * run by its build id instead of running it twice (docs/extensions.md). `letGo` of the result lets the worker delete its
 * copy.
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
    const laterAnswer = await reattach(run);
    if (laterAnswer === null) throw lost;
    await emptied(request.outputDir);
    next = async () => laterAnswer;
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

/** Empties the folder of what a broken bundle left. */
export async function emptied(dir: string): Promise<void> {
  await removeTree(dir);
  makeFolder(dir);
}

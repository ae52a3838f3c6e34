/** Reads the result of a push run from the worker's answer. */

import type { IncomingMessage } from 'node:http';
import { removeTree } from '../../../lib/guardedFolder/names.ts';
import { makePrivateFolder } from '../../../lib/makePrivateFolder.ts';
import { readAnsweredBundle } from '../call/answeredBundle.ts';
import { refusalOf } from '../call/dispatch.ts';
import {
  isBundleStored,
  isWorkerLost,
  mayStillRun,
  type RunElsewhere,
  reattach,
  releaseBundle,
} from '../call/reattach.ts';
import type { RemoteRequest, RemoteResult } from '../call/remoteRequest.ts';

interface TakeOptions {
  readonly request: RemoteRequest;
  readonly maxMemberBytes: number;
  readonly run: RunElsewhere;
}

/**
 * Reads the result of a run from the answer to its request. When that is lost and the worker supports it, fetches the
 * run by its build id instead of running it twice (docs/extensions.md). `discard` of the result lets the worker delete
 * its copy.
 * @throws RemoteFailure
 */
export async function readAnsweredResult(
  first: () => Promise<IncomingMessage>,
  { request, maxMemberBytes, run }: TakeOptions,
): Promise<RemoteResult> {
  for (let next = first; ; ) {
    let refusal: unknown;
    try {
      const answer = await next();
      if (!isWorkerLost(answer)) return await take(answer, { request, maxMemberBytes, run });
      refusal = await refusalOf(answer, run.worker);
    } catch (error) {
      if (!mayStillRun(error)) throw error;
      refusal = error;
    }
    const laterAnswer = await reattach(run);
    if (laterAnswer === null) throw refusal;
    await emptyFolder(request.outputDir);
    next = async () => laterAnswer;
  }
}

async function take(
  answer: IncomingMessage,
  { request, maxMemberBytes, run }: TakeOptions,
): Promise<RemoteResult> {
  if (answer.statusCode !== 200) {
    if (isBundleStored(answer)) void releaseBundle(run);
    throw await refusalOf(answer, run.worker);
  }
  const bundle = await readAnsweredBundle(answer, { maxMemberBytes }, request);
  const discard = async (): Promise<void> => (isBundleStored(answer) ? releaseBundle(run) : undefined);
  return { bundle, buildId: run.buildId, discard };
}

/** Empties the folder of what a broken bundle left. */
export async function emptyFolder(dir: string): Promise<void> {
  await removeTree(dir);
  makePrivateFolder(dir);
}

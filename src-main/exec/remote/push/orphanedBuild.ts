/** Fetches the result of a push run that was sent before the program was restarted. */

import { createReadStream } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import type { OrphanedBuild } from '../../../builds/build.ts';
import { type ReadBundle, readBundle } from '../../outputBundle/readBundle.ts';
import { moveLogs } from '../call/answeredBundle.ts';
import { reattach, releaseBundle } from '../call/reattach.ts';
import type { RemoteRequest, RemoteResult } from '../call/remoteRequest.ts';
import { emptyFolder, readAnsweredResult } from './answeredResult.ts';

/** How long to wait for a delivery when the worker does not know the run any more: it may have just delivered. */
const DELIVERY_MS = 3_000;

/**
 * The result of a run whose program ended: from the worker if it still has it, or from this server, to which the worker
 * delivers by the URLs it got. Takes whichever comes first. Both copies stay until `discard` is called.
 * @returns null when neither has it
 */
export async function orphanedResult(
  build: OrphanedBuild | null,
  { request, maxMemberBytes, run }: Parameters<typeof readAnsweredResult>[1],
): Promise<RemoteResult | null> {
  const asking = new AbortController();
  const signal = AbortSignal.any([run.signal, asking.signal]);
  const end = build?.end() ?? null;
  const delivery = build === null ? NEVER : build.ended.then((how) => ({ end: how }));
  const fromWorker =
    end === null
      ? reattach({ ...run, signal }).then((answer) => ({ answer }))
      : Promise.resolve({ answer: null });
  const discard = async (): Promise<void> => {
    await Promise.all([releaseBundle(run), build?.release()]);
  };
  let result: RemoteResult | null = null;
  try {
    const first = end === null ? await Promise.race([delivery, fromWorker]) : { end };
    if ('answer' in first && first.answer !== null) {
      const { answer } = first;
      const { bundle, buildId } = await readAnsweredResult(async () => answer, {
        request,
        maxMemberBytes,
        run,
      });
      result = { bundle, buildId, discard };
      return result;
    }
    const last = 'end' in first ? first : await Promise.race([delivery, deliveryTimeout(build, run.signal)]);
    if (build === null || last === null || last.end.state === 'failed') return null;
    result = {
      bundle: await readDelivered(build.file, { request, maxMemberBytes }),
      buildId: run.buildId,
      discard,
    };
    return result;
  } finally {
    fromWorker.catch(() => undefined);
    asking.abort(new Error('what it left is here'));
    if (result === null) await build?.release();
  }
}

const NEVER = new Promise<never>(() => undefined);

async function deliveryTimeout(build: OrphanedBuild | null, signal: AbortSignal): Promise<null> {
  return build === null ? null : delay(DELIVERY_MS, null, { ref: false, signal });
}

async function readDelivered(
  file: string,
  { request, maxMemberBytes }: { readonly request: RemoteRequest; readonly maxMemberBytes: number },
): Promise<ReadBundle> {
  await emptyFolder(request.outputDir);
  const bundle = await readBundle(createReadStream(file), { dir: request.outputDir, maxMemberBytes });
  if (request.consoleLog !== undefined) moveLogs(bundle, request.consoleLog);
  return bundle;
}

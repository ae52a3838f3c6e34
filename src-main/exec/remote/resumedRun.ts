import type { Builds } from '../../builds/builds.ts';
import { authorizationOf, cancellably, limitSeconds, sendCancel } from './call/dispatch.ts';
import { forget } from './call/reattach.ts';
import {
  type HadRun,
  RemoteFailure,
  type RemoteRequest,
  type RemoteRunOptions,
} from './call/remoteRequest.ts';
import { workerUrls } from './call/workerUrls.ts';
import { forgetRun, holdRun, lastRun } from './heldRun.ts';
import { leftResult } from './push/leftBuild.ts';
import type { PushTools } from './push/pushRun.ts';
import { emptied } from './push/takeAnswer.ts';
import { watchConsole } from './push/watchConsole.ts';

/** Its worker may have ended with the program that knew of the run. */
const PATIENCE_MS = 3_000;

/**
 * The result of a run that was under way when the program before this one ended (or gave its worker up), where it is
 * of the same cell, source and inputs: it is waited for instead of being run twice. One of other inputs is stopped, and
 * one whose result the store has is let go.
 * @returns null where there is none to be had: the cell is run
 */
export async function resumedRun(
  tools: Pick<PushTools, 'environments' | 'maxMemberBytes' | 'consoleAfterMs'> & {
    readonly builds: Pick<Builds, 'left'> | null;
  },
  request: RemoteRequest,
  options: RemoteRunOptions & { readonly url: string; readonly token: string | null },
): Promise<HadRun | null> {
  const { cwd, cellId, worker, provenanceHash, sourceHash } = request;
  const last = await lastRun(cwd, cellId);
  if (last === null) return null;
  // The file may be anybody's: nothing goes to an address it names.
  if (last.worker !== worker.name || last.url !== options.url) {
    forgetRun(cwd, cellId);
    return null;
  }
  const { build_id: buildId } = last;
  const urls = workerUrls(options.url);
  const authorization = authorizationOf(options.token);
  const cancel = (): Promise<void> => sendCancel(urls.cancel(buildId), authorization);
  const isOfAnother = last.provenance_hash !== provenanceHash || last.source_hash !== sourceHash;
  // Nothing of it is missing but that its worker was told so.
  const isKept = last.run_id !== undefined && request.keptRuns.has(last.run_id);
  if (isOfAnother || isKept) {
    forgetRun(cwd, cellId);
    await (await tools.builds?.left(buildId))?.release();
    void cancel().then(() => forget({ urls, buildId, authorization }));
    return null;
  }
  holdRun(cwd, cellId, { ...last, run_id: request.runId });
  const { environments: features, maxMemberBytes } = tools;
  const left = (await tools.builds?.left(buildId)) ?? null;
  const unwatch = watchConsole({
    ...{ worker: worker.name, urls, buildId, authorization, features },
    afterMs: tools.consoleAfterMs,
    onConsole: (text) => options.onConsole(text),
  });
  let had: HadRun | null = null;
  try {
    had = await cancellably(options.signal, cancel, async (signal) => {
      const idleMs = Math.max(limitSeconds(request) + 5, 30) * 1000;
      const run = {
        ...{ worker: worker.name, urls, buildId, authorization, features, idleMs, signal },
        patienceMs: PATIENCE_MS,
      };
      options.onProgress({ buildId, state: 'running', position: null, detail: null });
      return leftResult(left, { request, maxMemberBytes, run });
    });
    return had;
  } catch (error) {
    if (!(error instanceof RemoteFailure)) throw error;
    // What failed there is no result: the cell was asked for anew, and is run anew.
    await emptied(request.outputDir);
    return null;
  } finally {
    await unwatch();
    if (had === null) forgetRun(cwd, cellId);
  }
}

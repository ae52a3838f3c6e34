/** Fetches the result of a run that was on a worker when the program ended, instead of running the cell again. */

import type { Builds } from '../../builds/builds.ts';
import { notebookFolder } from '../../notebook/folder/notebookFolder.ts';
import { authorizationOf, limitSeconds, sendCancel, withCancellation } from './call/dispatch.ts';
import { releaseBundle } from './call/reattach.ts';
import {
  RemoteFailure,
  type RemoteRequest,
  type RemoteResult,
  type RemoteRunOptions,
} from './call/remoteRequest.ts';
import { workerUrls } from './call/workerUrls.ts';
import { emptyFolder } from './push/answeredResult.ts';
import { orphanedResult } from './push/orphanedBuild.ts';
import type { PushTools } from './push/pushRun.ts';
import { watchConsole } from './push/watchConsole.ts';
import { forgetRun, readRecordedRun, recordRun } from './recordedRun.ts';

/** How long to wait for the worker; short, because it may have ended together with the program that started the run. */
const PATIENCE_MS = 3_000;

/**
 * The result of a run that was under way when the program ended or lost its worker. When the cell, source and inputs
 * are the same, waits for that run instead of running the cell twice. Stops a run of other inputs, and releases one
 * whose result is already stored.
 * @returns null when there is no such run: the cell must be run
 */
export async function resumeRun(
  tools: Pick<PushTools, 'environments' | 'maxMemberBytes' | 'consoleAfterMs'> & {
    readonly builds: Pick<Builds, 'left'> | null;
  },
  request: RemoteRequest,
  options: RemoteRunOptions & { readonly url: string; readonly token: string | null },
): Promise<RemoteResult | null> {
  const { cellId, worker, provenanceHash, sourceHash } = request;
  const dir = notebookFolder(request.cwd);
  const last = await readRecordedRun(dir, cellId);
  if (last === null) return null;
  // Other programs can write the file, so no request goes to a URL in it.
  if (last.worker !== worker.name || last.url !== options.url) {
    forgetRun(dir, cellId);
    return null;
  }
  const { build_id: buildId } = last;
  const urls = workerUrls(options.url);
  const authorization = authorizationOf(options.token);
  const cancel = (): Promise<void> => sendCancel(urls.cancel(buildId), authorization);
  const isOutdated = last.provenance_hash !== provenanceHash || last.source_hash !== sourceHash;
  // The result is stored; only the worker has not been informed yet.
  const isStored = last.run_id !== undefined && request.keptRuns.has(last.run_id);
  if (isOutdated || isStored) {
    forgetRun(dir, cellId);
    await (await tools.builds?.left(buildId))?.release();
    void cancel().then(() => releaseBundle({ urls, buildId, authorization }));
    return null;
  }
  recordRun(dir, cellId, { ...last, run_id: request.runId });
  const { environments: features, maxMemberBytes } = tools;
  const build = (await tools.builds?.left(buildId)) ?? null;
  const unwatch = watchConsole({
    worker: worker.name,
    urls,
    buildId,
    authorization,
    features,
    afterMs: tools.consoleAfterMs,
    onConsole: (text) => options.onConsole(text),
  });
  let result: RemoteResult | null = null;
  try {
    result = await withCancellation(options.signal, cancel, async (signal) => {
      const idleMs = Math.max(limitSeconds(request) + 5, 30) * 1000;
      const run = {
        worker: worker.name,
        urls,
        buildId,
        authorization,
        features,
        idleMs,
        signal,
        patienceMs: PATIENCE_MS,
      };
      options.onProgress({ buildId, state: 'running', position: null, detail: null });
      return orphanedResult(build, { request, maxMemberBytes, run });
    });
    return result;
  } catch (error) {
    if (!(error instanceof RemoteFailure)) throw error;
    // A failed run is no result: the user asked to run the cell again.
    await emptyFolder(request.outputDir);
    return null;
  } finally {
    await unwatch();
    if (result === null) forgetRun(dir, cellId);
  }
}

/** Runs a cell on a worker by pull: the worker fetches the inputs and uploads the output bundle by signed URLs. */

import { createReadStream } from 'node:fs';
import { OutputProblem } from '../../../builds/buildRefusal.ts';
import { removeTree } from '../../../lib/guardedFolder/names.ts';
import { ConsoleFeed } from '../../consoleFeed.ts';
import { BundleProblem } from '../../outputBundle/bundleProblem.ts';
import { type ReadBundle, readBundle } from '../../outputBundle/readBundle.ts';
import { moveLogs } from '../call/answeredBundle.ts';
import { cellParamsOf } from '../call/cellParamsOf.ts';
import { authorizationOf, sendCancel, withCancellation } from '../call/dispatch.ts';
import { PATIENCE_MS } from '../call/reattach.ts';
import type { RemoteRequest, RemoteResult } from '../call/remoteRequest.ts';
import { workerUrls } from '../call/workerUrls.ts';
import type { SendOptions } from '../push/pushRun.ts';
import { beginPull } from './beginPull.ts';
import { pullInputs } from './pullInputs.ts';
import { outcomeOf } from './pullOutcome.ts';
import type { PullTools } from './pullTools.ts';
import { idleOf, sendManifest } from './sendManifest.ts';

/**
 * Lets a worker fetch a cell's inputs and deliver its bundle by signed URLs (docs/spec/worker-protocol.md, 5.1, 5.2).
 * The result counts as soon as the build is finalized, even if the worker's answer is lost after that. The delivered
 * bundle stays until `discard` is called.
 * @throws RemoteFailure; the signal's reason when it is aborted, after the worker was asked to cancel
 */
export async function pullRun(
  tools: PullTools,
  request: RemoteRequest,
  options: SendOptions,
): Promise<RemoteResult> {
  const { signal, url, token } = options;
  const { worker, language } = request;
  const urls = workerUrls(url);
  const { specs, files } = await pullInputs(request.notebookId, request.inputs);
  const { block: environment, notice } = await tools.environments.blockFor({
    language,
    notebookDir: request.cwd,
    worker: worker.name,
    healthUrl: urls.health,
    signal,
  });
  if (notice !== null) options.onNotice(notice);
  const dir = `${request.outputDir}-build`;
  const feed = new ConsoleFeed({
    onConsole: (text) => options.onConsole(text),
    onPressure: () => undefined,
    log: null,
  });
  let accepted: ReadBundle | null = null;
  let accepting: Promise<unknown> = Promise.resolve();
  const build = await beginPull(tools, request, {
    params: { ...cellParamsOf(request, environment), input_specs: specs },
    inputs: files,
    dir,
    signal,
    trace: options.trace ?? {},
    onConsole: (stream, chunk) => feed.push(stream, chunk),
    accept(file) {
      const reading = accept(file, tools, request).then((bundle) => {
        accepted = bundle;
      });
      accepting = reading.catch(() => undefined);
      return reading;
    },
  });
  options.onBuild(build.buildId);
  const release = async (): Promise<void> => {
    await build.release();
    await accepting;
    await removeTree(dir);
  };
  try {
    const authorization = authorizationOf(token);
    const cancel = (): Promise<void> => sendCancel(urls.cancel(build.buildId), authorization);
    const forgetRun = await withCancellation(signal, cancel, async (connectionSignal) => {
      const quitting = new AbortController();
      const connection = AbortSignal.any([connectionSignal, quitting.signal]);
      const answer = sendManifest(tools, request, {
        build,
        urls,
        authorization,
        connection,
        cancel,
        options,
      });
      const idleMs = idleOf(request);
      const run = {
        worker: worker.name,
        urls,
        buildId: build.buildId,
        authorization,
        idleMs,
        signal: connection,
        features: tools.environments,
        patienceMs: tools.patienceMs ?? PATIENCE_MS,
      };
      const quit = (): void => quitting.abort(new Error('its build has ended'));
      return outcomeOf(answer, build, { ...run, quit });
    });
    // A build only ends after its output was accepted.
    if (accepted === null) throw new Error(`build ${build.buildId} ended without an output`);
    const discard = async (): Promise<void> => void (await Promise.all([forgetRun(), release()]));
    return { bundle: accepted, buildId: build.buildId, discard };
  } catch (error) {
    await release();
    throw error;
  } finally {
    await feed.end();
  }
}

/** Unpacks and checks the bundle in the output folder of the run. @throws OutputProblem */
async function accept(
  file: string,
  { maxMemberBytes }: PullTools,
  request: RemoteRequest,
): Promise<ReadBundle> {
  try {
    const bundle = await readBundle(createReadStream(file), { dir: request.outputDir, maxMemberBytes });
    if (request.consoleLog !== undefined) moveLogs(bundle, request.consoleLog);
    return bundle;
  } catch (error) {
    throw error instanceof BundleProblem ? new OutputProblem(error.message) : error;
  }
}

/** Shows the output of a push run in the window while the cell runs on the worker. */

import { setTimeout as delay } from 'node:timers/promises';
import {
  CONSOLE_FEATURE,
  consoleLine,
  extensionPaths,
} from '../../../../src-shared/wire/worker/extensions.ts';
import { sendHttpRequest } from '../../../lib/http/request.ts';
import { ConsoleFeed } from '../../consoleFeed.ts';
import type { ConsoleText } from '../../executor.ts';
import { JsonLines } from '../../local/jsonLines.ts';
import type { LockedEnvironments } from '../call/lockedEnvironment.ts';
import { RemoteFailure } from '../call/remoteRequest.ts';
import type { WorkerUrls } from '../call/workerUrls.ts';

interface WatchedRun {
  readonly worker: string;
  readonly urls: WorkerUrls;
  readonly buildId: string;
  readonly authorization: Readonly<Record<string, string>>;
  readonly features: Pick<LockedEnvironments, 'offers'>;
  /** For tests: how long a cell runs before its console is requested. */
  readonly afterMs?: number | undefined;
  onConsole(text: ConsoleText): void;
}

/** Longer than any cell: the time limits of the run end it. */
const IDLE_MS = 24 * 60 * 60 * 1000;
/** Twice what a worker stores, with every character escaped; a longer line is invalid and is not buffered. */
const MAX_LINE_BYTES = 1024 * 1024;
/** A cell that has ended by then has its console in its result, so the worker is not asked. */
const AFTER_MS = 150;

/**
 * Shows the output of a pushed cell while it runs, if its worker supports that (docs/extensions.md). The run does not
 * wait for this and does not fail with it: the whole console comes with the bundle.
 * @returns a function to call when the run has ended
 */
export function watchConsole(run: WatchedRun): () => Promise<void> {
  const stop = new AbortController();
  const feed = new ConsoleFeed({
    onConsole: (text) => {
      if (!stop.signal.aborted) run.onConsole(text);
    },
    onPressure: () => undefined,
    log: null,
  });
  const watching = watch(run, feed, stop.signal).catch((error: unknown) => {
    const isExpected = stop.signal.aborted || error instanceof RemoteFailure || hasCode(error);
    if (!isExpected) throw error;
  });
  return async () => {
    stop.abort();
    await watching;
    await feed.end();
  };
}

async function watch(run: WatchedRun, feed: ConsoleFeed, signal: AbortSignal): Promise<void> {
  const { worker, urls, buildId, authorization, features } = run;
  await delay(run.afterMs ?? AFTER_MS, undefined, { signal });
  if (!(await features.offers(CONSOLE_FEATURE, { worker, healthUrl: urls.health, signal }))) return;
  const url = urls.extension(extensionPaths(buildId).console);
  const answer = await sendHttpRequest({
    method: 'GET',
    url,
    headers: authorization,
    idleMs: IDLE_MS,
    signal,
  });
  if (answer.statusCode !== 200) {
    answer.destroy();
    return;
  }
  const lines = new JsonLines({
    limit: MAX_LINE_BYTES,
    onLine: (value) => {
      const line = consoleLine.safeParse(value);
      if (line.success) feed.push(line.data.stream, Buffer.from(line.data.text));
    },
    onBroken: () => answer.destroy(),
  });
  for await (const piece of answer as AsyncIterable<Buffer>) lines.push(piece);
}

/** Whether it is a network or system error. */
function hasCode(error: unknown): boolean {
  return error instanceof Error && 'code' in error;
}

/** Follows one run of a cell on this machine from start to result, in any language. */

import { join } from 'node:path';
import { HARNESS_RESULT_FILE, type HarnessResult } from '../../../src-shared/wire/harness.ts';
import { removeFile } from '../../lib/guardedFolder/names.ts';
import {
  CANCEL_LADDER,
  PATIENT_LADDER,
  type SignalStep,
  type StopSignal,
  sendSignals,
  TIMEOUT_LADDER,
} from '../../lib/processGroup.ts';
import type { StopPatience } from '../../lib/stop.ts';
import { ConsoleFeed } from '../consoleFeed.ts';
import type { ExecOutcome, ExecRequest, RunOptions } from '../executor.ts';
import { readResult, writeManifest } from '../runFiles.ts';
import { explainCrash } from './explainCrash.ts';
import type { GpuMemory } from './gpuMemory.ts';
import { KeepableRun } from './keepableRun.ts';
import type { KeptConnections } from './keptConnections.ts';
import type { OnOutput, RunEnd, RunningCell } from './runningCell.ts';

/** The longest delay that a timer accepts. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** How a run gets its own process. */
export interface RunStarts {
  /** A warm process, or null when none is ready. */
  warm(request: ExecRequest, manifest: string, onOutput: OnOutput): RunningCell | null;
  cold(request: ExecRequest, manifest: string, onOutput: OnOutput): RunningCell;
  /** Absent: GPU memory is not measured. */
  readonly gpu?: GpuMemory;
  /** Where processes that stay for their widgets connect; absent: no process stays. */
  readonly kept?: KeptConnections;
}

/**
 * One run from its manifest to its outcome, in any language: starts it in a process, forwards what it prints, stops it
 * on request or at its time limit, and reads its result.
 */
export async function followRun(
  request: ExecRequest,
  runOptions: RunOptions,
  starts: RunStarts,
): Promise<ExecOutcome> {
  const startedAt = performance.now();
  const { signal } = runOptions;
  let cell: RunningCell | null = null;
  const { consoleLog } = request;
  const feed = new ConsoleFeed({
    onConsole: (text) => runOptions.onConsole(text),
    onPressure: (paused) => cell?.pause(paused),
    log: consoleLog ?? null,
  });
  const toFeed: OnOutput = (stream, bytes) => feed.push(stream, bytes);
  const endFeed = async (method: 'warm' | 'cold') => ({
    method,
    ...(await feed.end()),
    durationMs: performance.now() - startedAt,
  });
  const cancelled = async (method: 'warm' | 'cold'): Promise<ExecOutcome> => ({
    kind: 'cancelled',
    message: 'The run was cancelled.',
    ...(await endFeed(method)),
  });
  if (signal.aborted) return cancelled('cold');
  removeOldResult(request.outputDir);
  const keepable =
    runOptions.onKept === undefined || starts.kept === undefined
      ? null
      : await KeepableRun.at(starts.kept, toFeed);
  const onOutput = keepable?.onOutput ?? toFeed;
  const manifest = await writeManifest(request, keepable?.manifest);
  if (signal.aborted) return cancelled('cold');
  const warm = request.mode === 'auto' ? starts.warm(request, manifest, onOutput) : null;
  const gpu = starts.gpu?.follow() ?? null;
  cell = warm ?? starts.cold(request, manifest, onOutput);
  const limits = {
    signal,
    timeoutSeconds: request.timeoutSeconds,
    cancelLadder: runOptions.cancelLadder ?? null,
    patience: runOptions.patience ?? null,
    onStopSignal: (name: StopSignal) => runOptions.onStopSignal?.(name),
  };
  const asRun = (one: RunningCell): RunningCell => keepable?.asRun(one) ?? one;
  let runEnd = await endOf(asRun(cell), limits);
  if (runEnd.end.kind === 'not_started' && runEnd.stoppedBy === null) {
    cell = starts.cold(request, manifest, onOutput);
    runEnd = await endOf(asRun(cell), limits);
  }
  const { end, stoppedBy } = runEnd;
  const gpuPeak = gpu?.end(cell.pid) ?? null;
  const keptProcess = keepable?.kept(cell) ?? null;
  // Stopped just as its process was kept: it ends like every stopped run.
  if (keptProcess !== null && stoppedBy !== null) await keptProcess.close();
  if (stoppedBy === 'cancel') return cancelled(cell.method);
  if (stoppedBy === 'timeout') {
    const message = `The cell ran longer than its limit of ${request.timeoutSeconds} s and was stopped.`;
    return { kind: 'timeout', message, ...(await endFeed(cell.method)) };
  }
  const resultFile = await readResult(request.outputDir);
  const printed = await endFeed(cell.method);
  if (resultFile.kind === 'result') {
    if (keptProcess !== null) runOptions.onKept?.(keptProcess);
    return { kind: 'finished', result: withGpuPeak(resultFile.result, gpuPeak), ...printed };
  }
  await keptProcess?.close();
  const message = resultFile.kind === 'unusable' ? resultFile.message : explainCrash(end, printed.stderr);
  return { kind: 'crashed', message, ...printed };
}

function withGpuPeak(result: HarnessResult, bytes: number | null): HarnessResult {
  if (bytes === null || result.usage === undefined) return result;
  return { ...result, usage: { ...result.usage, gpu_peak_bytes: bytes } };
}

/** Waits for the end of a run; stops it on request or at its time limit. */
async function endOf(
  cell: RunningCell,
  limits: {
    readonly signal: AbortSignal;
    readonly timeoutSeconds: number;
    readonly cancelLadder: readonly SignalStep[] | null;
    readonly patience: StopPatience | null;
    readonly onStopSignal: (signal: StopSignal) => void;
  },
): Promise<{ readonly end: RunEnd; readonly stoppedBy: 'cancel' | 'timeout' | null }> {
  let stoppedBy: 'cancel' | 'timeout' | null = null;
  const ladders: { stop(): void }[] = [];
  const { patience } = limits;
  const stop = (why: 'cancel' | 'timeout') => {
    if (stoppedBy === 'cancel') return;
    stoppedBy = why;
    // Before cell code runs nothing can be interrupted gently.
    const send = (name: StopSignal): void => {
      cell.signal(name);
      limits.onStopSignal(name);
    };
    if (why === 'timeout') ladders.push(sendSignals(TIMEOUT_LADDER, send));
    else if (!cell.started) send('SIGKILL');
    else {
      const defaultLadder = patience?.isPatient() ? PATIENT_LADDER : CANCEL_LADDER;
      const ladder = sendSignals(limits.cancelLadder ?? defaultLadder, send);
      const unsubscribe = patience?.onHarder(() => ladder.next());
      ladders.push(ladder, { stop: () => unsubscribe?.() });
    }
  };
  const onAbort = () => stop('cancel');
  limits.signal.addEventListener('abort', onAbort, { once: true });
  if (limits.signal.aborted) onAbort();
  const timer =
    limits.timeoutSeconds > 0
      ? setTimeout(() => stop('timeout'), Math.min(MAX_TIMER_MS, limits.timeoutSeconds * 1000))
      : null;
  const end = await cell.ended;
  if (timer !== null) clearTimeout(timer);
  limits.signal.removeEventListener('abort', onAbort);
  for (const ladder of ladders) ladder.stop();
  return { end, stoppedBy };
}

/** A result file from before the run must never count as its result. */
function removeOldResult(outputDir: string): void {
  removeFile(join(outputDir, HARNESS_RESULT_FILE));
}

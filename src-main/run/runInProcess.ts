/**
 * Runs a Python or R cell as one step of a run: from the store if possible, else in a process whose results it stores.
 */

import { join } from 'node:path';
import { type ArtifactStore, StoreError } from '../artifacts/artifact.ts';
import type { ExecOutcome } from '../exec/executor.ts';
import { answerFromStore } from './answerFromStore.ts';
import { execRequestOf, type InputFiles } from './execRequest.ts';
import { loopStep } from './loop/loopStep.ts';
import { namesToStore } from './namesToStore.ts';
import { dataToCopyHere, runnerOf } from './onWorker.ts';
import { publishRun } from './publish.ts';
import { runFanOut } from './runFanOut.ts';
import { makeScratch, removeScratch } from './scratchFolder.ts';
import { type CodeRequest, type StepOutcome, variantOf } from './step.ts';
import { prepareData, type ReadyData } from './stepData.ts';
import { failedStep, notStarted } from './stepFailure.ts';
import { lostInput, readableInputs } from './stepInputs.ts';
import type { CodeTools, StepOptions } from './stepTools.ts';
import { warningParams } from './storedWarnings.ts';
import { findTeamResult } from './team/findTeamResult.ts';
import { publishToTeam } from './team/publishToTeam.ts';
import { processSharing } from './team/sharing.ts';
import { withUnmatchableKeys } from './unmatchableKeys.ts';

/**
 * Executes one planned cell of code: from the cache if allowed, else in a process of `tools.runner`, then
 * publishes. Never throws for failures of a cell or a disk: those are outcomes.
 */
export async function runInProcess(
  tools: CodeTools,
  request: CodeRequest,
  options: StepOptions,
): Promise<StepOutcome> {
  const startedAt = performance.now();
  const durationMs = () => performance.now() - startedAt;
  try {
    if (request.shape === 'fan_out') {
      return await runFanOut(request, options, {
        answer: (one) => answerOnce(tools, one, options),
        execute: async (one, own) => shared(tools, one, await executeOnce(tools, one, own)),
        keepLog: (printed) => tools.inBackground(tools.logs.end(request.cellId, options.runId, printed)),
      });
    }
    const answer = await answerOnce(tools, request, options);
    if (answer !== null) return answer;
    // It may have been stopped during a download.
    if (options.signal.aborted)
      return { kind: 'cancelled', stdout: '', stderr: '', durationMs: durationMs() };
    if (request.shape === 'loop') return await loopStep(tools, request, options);
    return shared(tools, request, await executeOnce(tools, request, options));
  } catch (error) {
    // A full disk, a store locked by another process: the cell shows an error and the notebook continues.
    if (!isNotKept(error)) throw error;
    return {
      ...failedStep(`Couldn’t store the result: ${error.message}`, null),
      durationMs: durationMs(),
    };
  }
}

/** The result that is stored here or in the team's cache; null: the cell has to run. */
async function answerOnce(
  tools: CodeTools,
  request: CodeRequest,
  options: StepOptions,
): Promise<Extract<StepOutcome, { kind: 'hit' }> | null> {
  if (!request.useCache || !request.cacheable) return null;
  const startedAt = performance.now();
  const { store, team } = tools;
  const hit =
    (await answerFromStore(store, request)) ??
    (team === undefined
      ? null
      : await findTeamResult(team, tools, { request, options, sharing: processSharing(request) }));
  return hit === null ? null : { ...hit, durationMs: performance.now() - startedAt };
}

/** Sends the results of a run to the team's cache; nothing waits for it. */
function shared(tools: CodeTools, request: CodeRequest, outcome: StepOutcome): StepOutcome {
  const { team, store } = tools;
  if (team !== undefined)
    tools.inBackground(publishToTeam(team, store, { request, outcome, sharing: processSharing(request) }));
  return outcome;
}

async function executeOnce(
  tools: CodeTools,
  request: CodeRequest,
  options: StepOptions,
): Promise<StepOutcome> {
  const startedAt = performance.now();
  const inputs = await readableInputs(tools.store, request.inputs);
  if (inputs.kind === 'ready') return execute(tools, request, { ...options, files: inputs.files });
  return { ...lostInput(inputs), durationMs: performance.now() - startedAt };
}

/** Whether a store or a disk failed to take a result. */
function isNotKept(error: unknown): error is StoreError | NodeJS.ErrnoException {
  return error instanceof StoreError || (error instanceof Error && 'code' in error && 'syscall' in error);
}

async function execute(
  tools: CodeTools,
  request: CodeRequest,
  options: StepOptions & { readonly files: InputFiles },
): Promise<StepOutcome> {
  const startedAt = performance.now();
  const { runId } = options;
  const outputDir = join(tools.scratchDir, `run-${runId}`);
  makeScratch(outputDir);
  try {
    const outside = await prepareData(
      tools,
      { data: dataToCopyHere(request) },
      { scratchDir: outputDir, signal: options.signal },
    );
    if (options.signal.aborted) {
      return { kind: 'cancelled', stdout: '', stderr: '', durationMs: performance.now() - startedAt };
    }
    if (outside?.kind === 'failed') return notStarted(outside, performance.now() - startedAt);
    const runOutcome = await runnerOf(tools, request, options).run(
      {
        ...execRequestOf(request, options.files, outside),
        runId,
        ...namesToStore(request),
        outputDir,
        // The runs of a fan-out have one log, written when all have ended.
        ...(variantOf(request) === null ? { consoleLog: tools.logs.begin(request.cellId, runId) } : {}),
      },
      options,
    );
    // A failure is logged; it loses a log, not the result.
    if (variantOf(request) === null) tools.inBackground(tools.logs.end(request.cellId, runId, runOutcome));
    const discard = (): void => {
      if (runOutcome.discard !== undefined) tools.inBackground(runOutcome.discard());
    };
    const keep = async (): Promise<StepOutcome> => {
      const isCurrent = runOutcome.kind !== 'finished' || ((await options.isCurrent?.()) ?? true);
      return settle(tools.store, {
        request: isCurrent ? request : withUnmatchableKeys(request),
        ended: runOutcome,
        outputDir,
        startedAt,
        runId,
        outside,
        signal: options.signal,
      });
    };
    const outcome = await keep().catch((error: unknown) => {
      // After a refusal by a disk or a store, keep the result for another attempt; delete a dropped run's result.
      if (!isNotKept(error)) discard();
      throw error;
    });
    discard();
    return {
      ...outcome,
      logRun: runId,
      ...(runOutcome.remote === undefined ? {} : { remote: runOutcome.remote }),
    };
  } finally {
    tools.inBackground(removeScratch(outputDir));
  }
}

async function settle(
  store: ArtifactStore,
  run: {
    readonly request: CodeRequest;
    readonly ended: ExecOutcome;
    readonly outputDir: string;
    readonly startedAt: number;
    readonly runId: string;
    readonly outside: ReadyData | null;
    readonly signal: AbortSignal;
  },
): Promise<StepOutcome> {
  const { request, ended: runEnd } = run;
  const printed = { stdout: runEnd.stdout, stderr: runEnd.stderr };
  const durationMs = () => performance.now() - run.startedAt;
  const failure = (error: string, traceback: string | null): StepOutcome => ({
    ...failedStep(error, traceback),
    ...printed,
    durationMs: durationMs(),
  });
  switch (runEnd.kind) {
    case 'cancelled':
      return { kind: 'cancelled', ...printed, durationMs: durationMs() };
    case 'timeout':
    case 'crashed':
      return failure(runEnd.message, null);
    case 'finished': {
      const { result } = runEnd;
      if (!result.success) return failure(result.error, result.traceback || null);
      const unwritten = (await run.outside?.writeBack(run.signal)) ?? null;
      if (run.signal.aborted) return { kind: 'cancelled', ...printed, durationMs: durationMs() };
      if (unwritten !== null) return failure(unwritten, null);
      const outcome = await publishRun(store, {
        request,
        result,
        outputDir: run.outputDir,
        console: printed,
        runId: run.runId,
        durationMs: runEnd.durationMs,
        versions: run.outside?.versions ?? {},
        params: { ...run.outside?.params, ...warningParams(result.mutation_warnings) },
      });
      if (outcome.kind === 'missing') return failure(outcome.message, null);
      const { published } = outcome;
      return {
        kind: 'ran',
        published: published.rows,
        outputs: published.outputs,
        displays: published.displays,
        observation: published.observation,
        ...printed,
        method: runEnd.method,
        mutationWarnings: result.mutation_warnings,
        usage: result.usage,
        durationMs: durationMs(),
      };
    }
    default:
      return runEnd satisfies never;
  }
}

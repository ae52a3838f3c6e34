/** Runs the iterations of a loop cell, one process each, and stores each of them before the next one starts. */

import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { HarnessResult } from '../../../src-shared/wire/harness.ts';
import type { ArtifactRow, ArtifactStore } from '../../artifacts/artifact.ts';
import { artifactUri } from '../../artifacts/uri.ts';
import { piecesOf } from '../../exec/consoleFeed.ts';
import type { ExecOutcome } from '../../exec/executor.ts';
import { removeFile } from '../../lib/guardedFolder/names.ts';
import { execRequestOf, type InputFiles } from '../execRequest.ts';
import { alwaysStored, publishRun } from '../publish.ts';
import { readStoredConsole } from '../replay.ts';
import { makeScratch, removeScratch } from '../scratchFolder.ts';
import { harnessInput } from '../shared/harnessInput.ts';
import type { LoopRequest, StepOutcome } from '../step.ts';
import type { ReadyData } from '../stepData.ts';
import type { CodeTools, StepOptions } from '../stepTools.ts';
import { withUnmatchableKeys } from '../unmatchableKeys.ts';
import { consoleRowOf, finishedIterations } from './finishedIterations.ts';
import { iterationKeys } from './iterationKey.ts';
import { LoopConsole } from './loopConsole.ts';
import { carryProblem, iterationItems } from './publishIteration.ts';

/** The state of a loop between two iterations. */
interface Turn {
  readonly iteration: number;
  readonly carryIn: ArtifactRow;
}

interface LoopRun {
  readonly tools: CodeTools;
  readonly request: LoopRequest;
  readonly options: StepOptions;
  /** Inputs other than the carry. */
  readonly files: InputFiles;
  readonly outside: ReadyData | null;
  readonly console: LoopConsole;
  readonly keyOf: ReturnType<typeof iterationKeys>;
  readonly loopRun: string;
  readonly logBytes: number;
  readonly startedAt: number;
}

type IterationEnd =
  | { readonly kind: 'over'; readonly outcome: LoopOutcome }
  | { readonly kind: 'next'; readonly carried: ArtifactRow };

/** How a loop ended; the streams and times are filled in by `runLoop`. */
type LoopOutcome =
  | { readonly kind: 'cancelled' }
  | { readonly kind: 'failed'; readonly error: string; readonly traceback: string | null }
  | Pick<
      Extract<StepOutcome, { kind: 'ran' }>,
      'kind' | 'published' | 'outputs' | 'displays' | 'mutationWarnings' | 'observation'
    >;

/**
 * Runs a loop: one process an iteration, each with the carry of the previous one, until the stop condition is met or
 * the count is reached (docs/spec/analysis-and-graph.md, 3.5). Every iteration is stored before the next one starts, so
 * that a run that ends between two of them (a cancel, a failure, `kill -9`) loses only the current one, and the next
 * run resumes from there.
 */
export async function runLoop(
  tools: CodeTools,
  request: LoopRequest,
  options: StepOptions & {
    readonly seed: ArtifactRow;
    readonly files: InputFiles;
    readonly outside: ReadyData | null;
  },
): Promise<LoopOutcome & { readonly stdout: string; readonly stderr: string }> {
  const { seed, files, outside } = options;
  const logs = tools.logs.begin(request.cellId, options.runId);
  const console = new LoopConsole(logs);
  try {
    const fresh = randomUUID();
    const finished =
      request.useCache && request.cacheable
        ? await finishedIterations(tools.store, { request, seed, loopRun: fresh })
        : { rows: [], loopRun: fresh };
    const run: LoopRun = {
      tools,
      request,
      options,
      files,
      outside,
      console,
      keyOf: iterationKeys(request),
      loopRun: finished.loopRun,
      logBytes: logs.maxBytes,
      startedAt: performance.now(),
    };
    await replay(run, finished.rows);
    const outcome = await iterate(run, {
      iteration: finished.rows.length,
      carryIn: finished.rows.at(-1) ?? seed,
    });
    return { ...outcome, ...console.text() };
  } finally {
    await console.end();
    // A failure is logged; it loses a log, not the result.
    tools.inBackground(tools.logs.end(request.cellId, options.runId, console.text()));
  }
}

/** Repeats the output and progress of the reused iterations. */
async function replay(run: LoopRun, rows: readonly ArtifactRow[]): Promise<void> {
  const { tools, request, options } = run;
  for (const [iteration, row] of rows.entries()) {
    if (row.params['printed'] !== 'true') continue;
    const consoleRow = consoleRowOf(tools.store, request, { row, iteration });
    const printed = consoleRow === null ? null : await readStoredConsole(tools.store, consoleRow);
    const text = printed ?? {
      stdout: `[the output of iteration ${iteration} is no longer stored]\n`,
      stderr: '',
    };
    for (const stream of ['stdout', 'stderr'] as const) {
      for (const piece of piecesOf(text[stream])) options.onConsole({ stream, text: piece });
    }
    await run.console.add(text, null);
  }
  const last = rows.at(-1);
  if (last !== undefined)
    reportIteration(run, last, { iteration: rows.length - 1, durationMs: 0, untilReached: false });
}

function reportIteration(
  run: LoopRun,
  row: ArtifactRow,
  about: { readonly iteration: number; readonly durationMs: number; readonly untilReached: boolean },
): void {
  run.options.onIteration?.({
    ...about,
    maxIter: run.request.loop.maxIter,
    artifactUri: artifactUri(row.id, row.version),
    contentType: row.contentType,
  });
}

async function iterate(run: LoopRun, from: Turn): Promise<LoopOutcome> {
  for (let turn = from; ; ) {
    if (run.options.signal.aborted) return { kind: 'cancelled' };
    const iterationEnd = await runIteration(run, turn);
    if (iterationEnd.kind === 'over') return iterationEnd.outcome;
    turn = { iteration: turn.iteration + 1, carryIn: iterationEnd.carried };
  }
}

async function runIteration(run: LoopRun, turn: Turn): Promise<IterationEnd> {
  const { tools, request, options } = run;
  const { loop } = request;
  const { iteration } = turn;
  const carryIn = await readableCarry(tools.store, turn.carryIn);
  if (typeof carryIn === 'string') return failed(run, iteration, { error: carryIn, traceback: null });
  const outputDir = join(tools.scratchDir, `run-${options.runId}-${iteration}`);
  makeScratch(outputDir);
  // Next to the folder, which belongs to the cell.
  const logs = { stdout: `${outputDir}.stdout`, stderr: `${outputDir}.stderr` };
  try {
    const mayBeLast = iteration === loop.maxIter - 1 || loop.untilExpr !== null;
    const iterationEnd = await tools.runner.run(
      {
        ...execRequestOf(request, { ...run.files, [loop.carry]: carryIn }, run.outside),
        runId: options.runId,
        store: mayBeLast ? storedOf(request) : [loop.carry],
        mutationDefines: [...new Set([...mutationDefinesOf(request), loop.carry])],
        loop: { iteration, untilExpr: loop.untilExpr },
        outputDir,
        consoleLog: { ...logs, maxBytes: run.logBytes },
      },
      options,
    );
    await run.console.add(iterationEnd, logs);
    return await settle(run, { ended: iterationEnd, outputDir, turn });
  } finally {
    tools.inBackground(removeScratch(outputDir));
    tools.inBackground(removeAll([logs.stdout, logs.stderr]));
  }
}

async function removeAll(paths: readonly string[]): Promise<void> {
  for (const path of paths) removeFile(path);
}

/** R reports no changes of values in place. */
function mutationDefinesOf(request: LoopRequest): readonly string[] {
  return 'mutationDefines' in request ? request.mutationDefines : [];
}

/** Headless runs also store what leaves export. */
function storedOf(request: LoopRequest): readonly string[] {
  const always = alwaysStored(request);
  return request.leaves === 'all' && request.consumed.length === 0
    ? [...new Set([...always, ...request.defines])]
    : always;
}

/** The file with the carry, or why there is none. */
async function readableCarry(store: ArtifactStore, row: ArtifactRow): Promise<InputFiles[string] | string> {
  const input = await harnessInput(store, row);
  return input.kind === 'ready' ? input.input : `its input cannot be read: ${input.message}`;
}

async function settle(
  run: LoopRun,
  iterationRun: { readonly ended: ExecOutcome; readonly outputDir: string; readonly turn: Turn },
): Promise<IterationEnd> {
  const { ended: iterationResult, turn } = iterationRun;
  const { iteration } = turn;
  switch (iterationResult.kind) {
    case 'cancelled':
      return { kind: 'over', outcome: { kind: 'cancelled' } };
    case 'timeout':
    case 'crashed':
      return failed(run, iteration, { error: iterationResult.message, traceback: null });
    case 'finished': {
      const { result } = iterationResult;
      if (!result.success) {
        return failed(run, iteration, { error: result.error, traceback: result.traceback || null });
      }
      if (result.loop?.error !== undefined) {
        const error = `the until expression \`${run.request.loop.untilExpr}\` failed: ${result.loop.error}`;
        return failed(run, iteration, { error, traceback: null });
      }
      return keep(run, { ...iterationRun, ended: iterationResult, result });
    }
    default:
      return iterationResult satisfies never;
  }
}

/** Stores the iteration; with the last one also the loop's own result. */
async function keep(
  run: LoopRun,
  iterationRun: {
    readonly ended: ExecOutcome;
    readonly result: HarnessResult;
    readonly outputDir: string;
    readonly turn: Turn;
  },
): Promise<IterationEnd> {
  const { tools, request, options, loopRun } = run;
  const { loop } = request;
  const { ended: iterationResult, result, outputDir } = iterationRun;
  const { iteration, carryIn } = iterationRun.turn;
  const untilReached = result.loop?.until_reached ?? false;
  const isLast = untilReached || iteration === loop.maxIter - 1;
  const isCurrent = (await options.isCurrent?.()) ?? true;
  const target = isCurrent ? request : withUnmatchableKeys(request);
  const publication = {
    request: {
      ...target,
      inputs: request.inputs.map((input) =>
        input.variable === loop.carry ? { ...input, row: carryIn } : input,
      ),
    },
    result,
    outputDir,
    console: { stdout: iterationResult.stdout, stderr: iterationResult.stderr },
    runId: `${options.runId}@${iteration}`,
    durationMs: iterationResult.durationMs,
    iteration,
    key: isCurrent
      ? run.keyOf(carryIn, iteration)
      : { provenanceHash: target.provenanceHash, contentKey: target.provenanceHash },
    loopRun,
    untilReached,
    versions: run.outside?.versions ?? {},
    params: run.outside?.params ?? {},
  };
  const problem = carryProblem(publication);
  if (problem !== null) return over({ kind: 'failed', error: problem, traceback: null });
  const items = iterationItems(tools.store, publication);
  const progress = { iteration, durationMs: iterationResult.durationMs, untilReached };
  if (!isLast) {
    const [carryRow] = await tools.store.publish(items);
    if (carryRow === undefined) throw new Error('an iteration without its carry');
    reportIteration(run, carryRow, progress);
    return { kind: 'next', carried: carryRow };
  }
  const outcome = await publishRun(tools.store, {
    request,
    result,
    outputDir,
    console: run.console.text(),
    runId: options.runId,
    durationMs: performance.now() - run.startedAt,
    versions: publication.versions,
    params: { ...publication.params, loop_run: loopRun, iterations: String(iteration + 1) },
    alongside: items,
  });
  if (outcome.kind === 'missing') return failed(run, iteration, { error: outcome.message, traceback: null });
  const { rows, alongside, outputs, displays, observation } = outcome.published;
  const [otherRow] = alongside;
  if (otherRow !== undefined) reportIteration(run, otherRow, progress);
  return over({
    kind: 'ran',
    published: rows,
    outputs,
    displays,
    observation,
    mutationWarnings: result.mutation_warnings,
  });
}

function over(outcome: LoopOutcome): IterationEnd {
  return { kind: 'over', outcome };
}

/** Names the failed iteration first, so that a traceback still ends with its error. */
function failed(
  run: LoopRun,
  iteration: number,
  { error, traceback }: { readonly error: string; readonly traceback: string | null },
): IterationEnd {
  const where = `Iteration ${iteration} (of at most ${run.request.loop.maxIter})`;
  return over({
    kind: 'failed',
    error: `${where}: ${error}`,
    traceback: traceback === null ? null : `${where}:\n${traceback}`,
  });
}

/** Runs the tests of one cell with the notebook's pytest, in a separate process. */

import { join } from 'node:path';
import type { ExecOutcome } from '../../exec/executor.ts';
import { removeTree } from '../../lib/guardedFolder/names.ts';
import { makePrivateFolder } from '../../lib/makePrivateFolder.ts';
import { pythonRunner } from '../codeRunner.ts';
import { execRequestOf } from '../execRequest.ts';
import { seedOf } from '../loop/loopSeed.ts';
import type { StepInput } from '../step.ts';
import { prepareData } from '../stepData.ts';
import { readableInputs } from '../stepInputs.ts';
import type { StepTools } from '../stepTools.ts';
import { followTestReport } from './followTestReport.ts';
import type { TestProgress } from './testProgress.ts';
import { casesOf, readTestReport } from './testReport.ts';
import type { TestOutcome, TestRequest } from './testRequest.ts';

type Tools = Pick<StepTools, 'store' | 'executor' | 'scratchDir' | 'data' | 'inBackground'>;

interface TestRunOptions {
  readonly runId: string;
  readonly signal: AbortSignal;
  /** Called when the progress changes. */
  readonly onProgress: (progress: TestProgress) => void;
}

/**
 * Runs a cell's tests against a copy of the cell, in a separate process (docs/spec/tests-and-consoles.md, 1). The
 * results of the cell are discarded, and nothing is copied back to a writable mount.
 */
export async function runTests(
  tools: Tools,
  request: TestRequest,
  { runId, signal, onProgress }: TestRunOptions,
): Promise<TestOutcome> {
  const failed = (message: string): TestOutcome => ({
    kind: 'finished',
    cases: casesOf([{ event: 'collection_error', message, line: null }], {
      testFile: request.testFile,
      broken: null,
    }),
  });
  const seeded = inputsOf(tools, request);
  if (seeded.kind === 'refused') return failed(seeded.message);
  const inputs = await readableInputs(tools.store, seeded.inputs);
  if (inputs.kind === 'lost') return failed(`${inputs.message} Run the cells above again.`);
  const outputDir = join(tools.scratchDir, `tests-${runId}`);
  makePrivateFolder(outputDir);
  try {
    const outside = await prepareData(tools, request, { scratchDir: outputDir, signal });
    if (signal.aborted) return { kind: 'cancelled' };
    if (outside?.kind === 'failed') return failed(outside.message);
    const follower = followTestReport(outputDir, onProgress);
    const outcome = await pythonRunner(tools.executor, request.interpreter)
      .run(
        {
          ...execRequestOf(request, inputs.files, outside),
          runId,
          store: [],
          outputDir,
          tests: { source: request.testSource, file: request.testFile, name: request.cellId },
        },
        { signal, onConsole: () => {} },
      )
      .finally(() => follower.close());
    return await outcomeOf(outcome, { request, outputDir, failed });
  } finally {
    tools.inBackground(removeTree(outputDir));
  }
}

async function outcomeOf(
  outcome: ExecOutcome,
  run: {
    readonly request: TestRequest;
    readonly outputDir: string;
    readonly failed: (message: string) => TestOutcome;
  },
): Promise<TestOutcome> {
  const { request, outputDir, failed } = run;
  const { testFile, timeoutSeconds } = request;
  const finished = async (broken: string | null): Promise<TestOutcome> => ({
    kind: 'finished',
    cases: casesOf(await readTestReport(outputDir), { testFile, broken }),
  });
  switch (outcome.kind) {
    case 'cancelled':
      return { kind: 'cancelled' };
    case 'timeout':
      return finished(`The tests were stopped here because they reached the timeout of ${timeoutSeconds} s.`);
    case 'crashed':
      return finished(`The process that runs the tests ended here. ${outcome.message}`);
    case 'finished': {
      const { result } = outcome;
      if (result.success) return finished(null);
      if (result.error_code === 'PYTEST_MISSING') return { kind: 'pytest_missing', message: result.error };
      return failed(result.traceback === '' ? result.error : result.traceback);
    }
    default:
      return outcome satisfies never;
  }
}

/**
 * The inputs of the one run of the cell: for a loop those of its first iteration, for a fan-out those of one
 * variant.
 */
function inputsOf(
  { store }: Tools,
  request: TestRequest,
):
  | { readonly kind: 'inputs'; readonly inputs: readonly StepInput[] }
  | { readonly kind: 'refused'; readonly message: string } {
  const variant = request.shape === 'variant' ? request.variant : null;
  const own = request.inputs
    .filter((input) => !input.perRun || input.variant === variant)
    .map((input) => (input.perRun ? { ...input, variant: null, perRun: false } : input));
  if (request.shape !== 'loop') return { kind: 'inputs', inputs: own };
  const { loop } = request;
  const seed = seedOf(store, { ...request, inputs: own }, loop);
  if (seed.kind === 'refused') return seed;
  const inputs = own.map((input) => (input.variable === loop.carry ? { ...input, row: seed.row } : input));
  return { kind: 'inputs', inputs };
}

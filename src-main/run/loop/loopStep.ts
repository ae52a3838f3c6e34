/**
 * Runs a loop cell as one step of a run: finds its start value, prepares its external data, then runs its iterations.
 */

import { join } from 'node:path';
import { removeTree } from '../../lib/guardedFolder/names.ts';
import { makePrivateFolder } from '../../lib/makePrivateFolder.ts';
import type { LoopRequest, StepOutcome } from '../step.ts';
import { prepareData } from '../stepData.ts';
import { failedStep, notStarted } from '../stepFailure.ts';
import { lostInput, readableInputs } from '../stepInputs.ts';
import type { CodeTools, StepOptions } from '../stepTools.ts';
import { seedOf } from './loopSeed.ts';
import { runLoop } from './runLoop.ts';

/** Executes a loop cell: its seed, its external data (once for all iterations), its iterations. */
export async function loopStep(
  tools: CodeTools,
  request: LoopRequest,
  options: StepOptions,
): Promise<StepOutcome> {
  const startedAt = performance.now();
  const durationMs = () => performance.now() - startedAt;
  const { runId, signal } = options;
  const { loop } = request;
  const seed = seedOf(tools.store, request, loop);
  if (seed.kind === 'refused') return { ...failedStep(seed.message, null), durationMs: durationMs() };
  const seeded: LoopRequest = {
    ...request,
    inputs: request.inputs.map((input) =>
      input.variable === loop.carry ? { ...input, row: seed.row } : input,
    ),
  };
  const inputs = await readableInputs(tools.store, seeded.inputs);
  if (inputs.kind === 'lost') return { ...lostInput(inputs), durationMs: durationMs() };
  const scratchDir = join(tools.scratchDir, `run-${runId}`);
  makePrivateFolder(scratchDir);
  try {
    const outside = await prepareData(tools, request, { scratchDir, signal });
    if (outside?.kind === 'failed') return notStarted(outside, durationMs());
    const loopOutcome = await runLoop(tools, seeded, {
      ...options,
      seed: seed.row,
      files: inputs.files,
      outside,
    });
    const timed = { durationMs: durationMs(), logRun: runId };
    const { stdout, stderr } = loopOutcome;
    if (loopOutcome.kind === 'ran') return { ...loopOutcome, method: 'loop', ...timed };
    if (loopOutcome.kind === 'cancelled') return { ...loopOutcome, ...timed };
    return { ...failedStep(loopOutcome.error, loopOutcome.traceback), stdout, stderr, ...timed };
  } finally {
    tools.inBackground(removeTree(scratchDir));
  }
}

/** Makes the observation of a finished run, and the params that record it with the run's rows. */

import type { HarnessResult } from '../../../src-shared/wire/harness.ts';
import { isRemoteStep } from '../onWorker.ts';
import type { ReadingRequest } from '../step.ts';
import { BASIS_PARAM } from './answers.ts';
import { OBSERVED_PARAM, type Observation, observationOf } from './observation.ts';
import { packageParams } from './packages.ts';
import { WORLD_PARAM, worldOf } from './world.ts';

/** The observation of a finished run; null if its harness does not report one. */
export function observationOfRun(request: ReadingRequest, result: HarnessResult): Observation | null {
  if (result.observed === undefined) return null;
  return observationOf(result.observed, {
    notebookDir: request.notebookDir,
    env: request.env,
    modules: new Set(request.facts.modules.map(({ path }) => path)),
    isElsewhere: isRemoteStep(request),
    isPart: 'loop' in request,
  });
}

/** The params of every row of the run that record its inputs. */
export function observedParams(
  request: ReadingRequest,
  run: {
    readonly runId: string;
    readonly observation: Observation | null;
    readonly result?: HarnessResult;
  },
): Record<string, string> {
  return {
    [BASIS_PARAM]: request.basis,
    [WORLD_PARAM]: worldOf(request, run),
    ...(run.observation === null ? {} : { [OBSERVED_PARAM]: JSON.stringify(run.observation) }),
    ...(run.result === undefined || isRemoteStep(request) ? {} : packageParams(request, run.result)),
  };
}

/** The answer of a worker's route `/health`: its state and its capabilities. */

import {
  CONSOLE_FEATURE,
  ENVIRONMENTS_PROBLEM,
  FREE_SLOTS,
  PYTHON_VERSION,
  REATTACH_FEATURE,
  SETUP_FEATURE,
} from '../../src-shared/wire/worker/extensions.ts';
import type { WorkerHealth } from '../../src-shared/wire/worker/health.ts';
import {
  BUNDLE_FORMAT,
  EXECUTOR_PROTOCOL,
  NOTEBOOK_CELL_PROTOCOL,
  NOTEBOOK_CELL_REF,
} from '../../src-shared/wire/worker/protocol.ts';
import type { Admission } from './admission.ts';
import type { Machine } from './machine.ts';
import type { WorkerSettings } from './settings.ts';

/** The version of the protocol's workers, which the protocol fixes (docs/spec/worker-protocol.md, 7). */
const WORKER_VERSION = '1.0.0';
/**
 * How long the answer waits for slow checks, because a caller that starts a worker waits for its health; a later
 * request has their results.
 */
const HEALTH_WAIT_MS = 3_000;

async function orAfterWait<T>(fact: Promise<T>, fallback: T): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<T>((done) => {
    timer = setTimeout(done, HEALTH_WAIT_MS, fallback);
  });
  return Promise.race([fact, late]).finally(() => clearTimeout(timer));
}

/** The worker's state and capabilities (docs/spec/worker-protocol.md, 7). */
export async function health({
  settings,
  admission,
  active,
  machine,
  startedAt,
}: {
  readonly settings: WorkerSettings;
  readonly admission: Admission;
  /**
   * The number of active executions, including those whose bundle is being sent: a worker with one must not be ended.
   */
  readonly active: number;
  readonly machine: Machine;
  readonly startedAt: number;
}): Promise<WorkerHealth> {
  return {
    status: 'healthy',
    capabilities: {
      protocol_versions: [EXECUTOR_PROTOCOL],
      transform_refs: [NOTEBOOK_CELL_REF],
      features: {
        notebook_protocol_version: NOTEBOOK_CELL_PROTOCOL,
        output_format: BUNDLE_FORMAT,
        pull_model: true,
        cancel: true,
        [CONSOLE_FEATURE]: true,
        [REATTACH_FEATURE]: true,
        [SETUP_FEATURE]: true,
        locked_environments: machine.environmentsProblem === null,
        ...(machine.environmentsProblem === null
          ? {}
          : { [ENVIRONMENTS_PROBLEM]: machine.environmentsProblem }),
        ...(machine.pythonVersion === null ? {} : { [PYTHON_VERSION]: machine.pythonVersion }),
        ...(admission.freeSlots === null ? {} : { [FREE_SLOTS]: admission.freeSlots }),
        locked_r_environments: await orAfterWait(machine.restoresR, false),
        languages: [
          ...(machine.python === null ? [] : ['python']),
          ...(machine.rscript === null ? [] : ['r']),
        ],
      },
    },
    version: WORKER_VERSION,
    uptime_seconds: Math.round(performance.now() - startedAt) / 1000,
    launch_id: settings.launchId,
    active_executions: active,
    max_concurrent: admission.maxConcurrent,
    gpu_slots: admission.gpuSlots,
    free_gpu_slots: admission.freeGpuSlots,
    hardware: await orAfterWait(machine.hardware, {}),
  };
}

import type { ExecRequest, Executor } from '../exec/executor.ts';
import { embeddedRun } from '../exec/remote/embeddedRun.ts';
import type { DataUse } from '../mount/dataAccess.ts';
import { transportOf } from '../notebook/workers.ts';
import { keptRunsOf } from './cache.ts';
import type { StepRequest } from './step.ts';
import type { StepOptions, StepTools } from './stepParts.ts';

/** The external data to copy to this machine: a remote worker opens mounts itself. */
export function dataHere({ data, worker }: Pick<StepRequest, 'data' | 'worker'>): readonly DataUse[] {
  return isElsewhere(worker) ? data.filter(({ want }) => want.kind !== 'mount') : data;
}

/** Whether a step runs on another machine. */
export function isElsewhere(worker: StepRequest['worker']): worker is NonNullable<StepRequest['worker']> {
  return worker != null && transportOf(worker) !== 'embedded';
}

/** The executor of the step: a process on this machine, or the worker it names. */
export function executorOf(
  tools: Pick<StepTools, 'executor' | 'remote'>,
  request: StepRequest,
  { onProgress }: Pick<StepOptions, 'onProgress'>,
): Pick<Executor, 'run'> {
  const { worker } = request;
  if (worker == null) return tools.executor;
  if (!isElsewhere(worker)) return embeddedRun(tools.executor, worker);
  const { remote } = tools;
  if (remote === undefined) throw new Error(`a cell of worker ${worker.name} in a program without workers`);
  const { notebookId, sourceHash, provenanceHash, language } = request;
  const declaredMounts = request.data.flatMap(({ want }) => (want.kind === 'mount' ? [want.mount] : []));
  return {
    run: ({ interpreter: _, mode: __, mounts: ___, ...asked }: ExecRequest, options) =>
      remote.run(
        {
          ...asked,
          language: language === 'r' ? 'r' : 'python',
          ...{ worker, notebookId, sourceHash, provenanceHash, declaredMounts },
          keptRuns: keptRunsOf(request),
        },
        { ...options, onProgress: onProgress ?? (() => undefined) },
      ),
  };
}

/** Decides whether a step runs on this machine or on a worker, and what that means for its external data. */

import { embeddedRun } from '../exec/remote/embeddedRun.ts';
import type { DataUse } from '../mount/dataAccess.ts';
import type { Worker } from '../notebook/file/notebookFile.ts';
import { transportOf } from '../notebook/workers.ts';
import type { CodeRun, CodeRunner } from './codeRunner.ts';
import type { CodeRequest, ReadingRequest } from './step.ts';
import type { StepOptions, StepTools } from './stepTools.ts';
import { storedRunIds } from './storedVersions.ts';

/** The external data to copy to this machine: a remote worker opens mounts itself. */
export function dataToCopyHere({ data, worker }: Pick<CodeRequest, 'data' | 'worker'>): readonly DataUse[] {
  return isRemoteWorker(worker) ? data.filter(({ item }) => item.kind !== 'mount') : data;
}

/** Whether a step runs on another machine. */
export function isRemoteWorker(worker: Worker | null): worker is Worker {
  return worker !== null && transportOf(worker) !== 'embedded';
}

/** Whether a step runs on another machine; only steps of code do. */
export function isRemoteStep(request: ReadingRequest): boolean {
  return 'worker' in request && isRemoteWorker(request.worker);
}

/** What starts the step's process: this machine's interpreter, or the worker that the cell names. */
export function runnerOf(
  tools: Pick<StepTools, 'remote'> & { readonly runner: CodeRunner },
  request: CodeRequest,
  { onProgress }: Pick<StepOptions, 'onProgress'>,
): CodeRunner {
  const { worker } = request;
  if (worker === null) return tools.runner;
  if (!isRemoteWorker(worker)) return embeddedRun(tools.runner, worker);
  const { remote } = tools;
  if (remote === undefined) throw new Error(`a cell of worker ${worker.name} in a program without workers`);
  const { notebookId, sourceHash, provenanceHash, language } = request;
  const declaredMounts = request.data.flatMap(({ item }) => (item.kind === 'mount' ? [item.mount] : []));
  return {
    run: ({ mode: _, mounts: __, ...asked }: CodeRun, options) =>
      remote.run(
        {
          ...asked,
          language,
          worker,
          notebookId,
          sourceHash,
          provenanceHash,
          declaredMounts,
          keptRuns: storedRunIds(request),
        },
        { ...options, onProgress: onProgress ?? (() => undefined) },
      ),
  };
}

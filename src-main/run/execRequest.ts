import type { ExecRequest } from '../exec/executor.ts';
import type { StepRequest } from './step.ts';
import type { ReadyData } from './stepParts.ts';

/** The files with a cell's inputs, by name. */
export type InputFiles = ExecRequest['inputs'];

/** The parts of a step that running a cell's source needs, however its results are used. */
export type CellPart =
  | 'cellId'
  | 'notebookId'
  | 'notebookDir'
  | 'cellName'
  | 'interpreter'
  | 'source'
  | 'setup'
  | 'env'
  | 'mutationDefines'
  | 'below'
  | 'timeoutSeconds';

/** The request to a process for a step, run once or as one iteration of a loop. */
export function execRequestOf(
  request: Pick<StepRequest, CellPart>,
  files: InputFiles,
  outside: ReadyData | null,
): Omit<ExecRequest, 'runId' | 'store' | 'outputDir'> {
  return {
    cellId: request.cellId,
    notebookId: request.notebookId,
    cellName: request.cellName,
    language: 'python',
    interpreter: request.interpreter,
    source: request.source,
    ...(request.setup == null ? {} : { setup: request.setup }),
    inputs: outside === null ? files : { ...files, ...outside.inputs },
    ...(outside === null ? {} : { mounts: outside.mounts, tables: outside.tables }),
    env: request.env,
    mutationDefines: request.mutationDefines,
    ...(request.below === undefined ? {} : { below: request.below }),
    timeoutSeconds: request.timeoutSeconds,
    cwd: request.notebookDir,
    mode: 'auto',
  };
}

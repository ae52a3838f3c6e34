import type { ExecRequest } from '../exec/executor.ts';
import type { StepRequest } from './step.ts';
import type { ReadyData } from './stepParts.ts';

/** The files a cell's inputs are read from, by name. */
export type InputFiles = ExecRequest['inputs'];

/** What running a cell's source takes, whatever becomes of what it leaves. */
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

/** What a process is told of a step whichever way it runs: once, or as one iteration of a loop. */
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

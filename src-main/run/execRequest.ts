/** Makes the request to the executor, which starts the cell's process, from a step of Python or R. */

import type { ExecRequest } from '../exec/executor.ts';
import type { SetupCode } from '../exec/interpreter.ts';
import type { CodeRun } from './codeRunner.ts';
import type { ReadingRequest } from './step.ts';
import type { ReadyData } from './stepData.ts';

/** The files with a cell's inputs, by name. */
export type InputFiles = ExecRequest['inputs'];

/** The parts of a step that running a cell's source needs, however its results are used. */
export interface CellPart
  extends Pick<
    ReadingRequest,
    'cellId' | 'notebookId' | 'notebookDir' | 'cellName' | 'source' | 'env' | 'timeoutSeconds'
  > {
  readonly setup?: SetupCode | null;
  readonly mutationDefines?: readonly string[];
  readonly below?: Readonly<Record<string, string>>;
}

/** The request to a process for a step, run once or as one iteration of a loop. */
export function execRequestOf(
  request: CellPart,
  files: InputFiles,
  outside: ReadyData | null,
): Omit<CodeRun, 'runId' | 'store' | 'outputDir'> {
  const { setup = null, mutationDefines = [], below = {} } = request;
  return {
    cellId: request.cellId,
    notebookId: request.notebookId,
    cellName: request.cellName,
    source: request.source,
    ...(setup === null ? {} : { setup }),
    inputs: outside === null ? files : { ...files, ...outside.inputs },
    ...(outside === null ? {} : { mounts: outside.mounts, tables: outside.tables }),
    env: request.env,
    mutationDefines,
    ...(Object.keys(below).length === 0 ? {} : { below }),
    timeoutSeconds: request.timeoutSeconds,
    cwd: request.notebookDir,
    mode: 'auto',
  };
}

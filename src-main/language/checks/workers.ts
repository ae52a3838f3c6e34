/** Reports cells with a `@worker` that the notebook and the server do not have. */

import { lineOf } from '../../../src-shared/notebook/annotationDiagnostics.ts';
import { diagnose } from '../../../src-shared/notebook/diagnostics.ts';
import { readDirectives } from '../../../src-shared/notebook/directives.ts';
import { LANGUAGES } from '../../../src-shared/notebook/languages/languages.ts';
import { NO_SERVER_WORKERS, resolveWorker } from '../../notebook/workers.ts';
import { type CheckedCell, NO_DIAGNOSTICS, type NotebookCheck } from './check.ts';

/** The worker that the cell itself asks for; a missing worker of the notebook is not the cell's fault. */
function ownWorker({ analysis, entry }: CheckedCell): string | null {
  return analysis.annotations.worker ?? entry.worker;
}

/** Reports a worker that may not be used here (docs/spec/annotations.md, 1.3, worker_unknown). */
export const checkWorker: NotebookCheck = (cell, { file, serverWorkers }) => {
  const name = ownWorker(cell);
  const { language } = cell.entry;
  if (name === null || !LANGUAGES[language].runsCode) return NO_DIAGNOSTICS;
  const server = serverWorkers ?? NO_SERVER_WORKERS;
  if (resolveWorker(name, { notebook: file.workers, server }) !== null) return NO_DIAGNOSTICS;
  const words = server.notebooksDefine
    ? `There is no worker "${name}". Add it to notebook.toml (svc worker add), or remove @worker to run the cell on this machine.`
    : `This server has no worker "${name}" for cells. Ask the server’s administrator, or remove @worker.`;
  return [diagnose('worker_unknown', words, lineOf(readDirectives(cell.source), 'worker'))];
};

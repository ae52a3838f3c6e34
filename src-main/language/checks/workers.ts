import { lineOf } from '../../../src-shared/notebook/annotationDiagnostics.ts';
import { diagnose } from '../../../src-shared/notebook/diagnostics.ts';
import { readDirectives } from '../../../src-shared/notebook/directives.ts';
import type { NotebookFile } from '../../notebook/notebookFile.ts';
import { type CheckedCell, NONE, type NotebookCheck } from './check.ts';

/** The worker a cell asks for itself; the notebook's own is no fault of a cell. */
function ownWorker({ analysis, entry }: CheckedCell): string | null {
  return analysis.annotations.worker ?? entry.worker;
}

/** Whether this program can run cells on a worker: today on this machine only (semantics 1.3, worker_unknown). */
export function isUsableWorker(file: NotebookFile, name: string): boolean {
  const declared = file.workers.find((worker) => worker.name === name);
  return declared === undefined ? name === 'local' : declared.backend === 'local';
}

/** `@worker gpu` where no such worker can be used. */
export const checkWorker: NotebookCheck = (cell, { file }) => {
  const name = ownWorker(cell);
  const { language } = cell.entry;
  if (name === null || (language !== 'python' && language !== 'r') || isUsableWorker(file, name)) return NONE;
  const isDeclared = file.workers.some((worker) => worker.name === name);
  const words = isDeclared
    ? `This version of Cellar cannot use the worker "${name}" yet: take @worker away to run the cell on this machine.`
    : `There is no worker "${name}" in notebook.toml: take @worker away to run the cell on this machine.`;
  return [diagnose('worker_unknown', words, lineOf(readDirectives(cell.source), 'worker'))];
};

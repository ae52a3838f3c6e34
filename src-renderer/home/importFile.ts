/** Creates a notebook from a Jupyter notebook or a snapshot that was dropped or selected on the first page. */

import type { AnswerOf } from '../live/rest.ts';
import { uploadRoute } from '../live/rest.ts';
import { type ImportReport, jupyterWords, snapshotWords } from './importReport.ts';

/** A notebook created from a file, and the import report. */
export interface ImportedNotebook {
  readonly sessionId: string;
  readonly path: string;
  readonly name: string;
  readonly report: ImportReport;
}

export function isImportable(fileName: string): boolean {
  return /\.(ipynb|zip)$/i.test(fileName);
}

/** Creates a notebook from a Jupyter notebook or a snapshot. @throws RestError */
export async function importFile(file: File, signal: AbortSignal): Promise<ImportedNotebook> {
  const form = new FormData();
  form.set('file', file, file.name);
  if (/\.ipynb$/i.test(file.name)) {
    const imported = await uploadRoute('importNotebook', form, { signal });
    return { ...placeOf(imported), report: jupyterWords(imported.import_report, orderOf(imported)) };
  }
  const imported = await uploadRoute('importSnapshot', form, { signal });
  return { ...placeOf(imported), report: snapshotWords(imported.import_report, orderOf(imported)) };
}

function placeOf({ session_id: sessionId, path, name }: AnswerOf<'importNotebook' | 'importSnapshot'>) {
  return { sessionId: sessionId ?? '', path: path ?? '', name };
}

function orderOf({ cells }: AnswerOf<'importNotebook' | 'importSnapshot'>): readonly string[] {
  return cells.map(({ id }) => id);
}

import type { AnswerOf } from '../live/rest.ts';
import { uploadRoute } from '../live/rest.ts';

/** A notebook that was made of a file, and what became of the file's parts. */
export interface Imported {
  readonly sessionId: string;
  readonly path: string;
  readonly name: string;
  /** In words, as Markdown. */
  readonly report: string;
}

export function isImportable(fileName: string): boolean {
  return /\.(ipynb|zip)$/i.test(fileName);
}

/** Makes a notebook of a Jupyter notebook or a snapshot. @throws RestError */
export async function importFile(file: File, signal: AbortSignal): Promise<Imported> {
  const form = new FormData();
  form.set('file', file, file.name);
  if (/\.ipynb$/i.test(file.name)) {
    const made = await uploadRoute('importNotebook', form, signal);
    return { ...placeOf(made), report: made.import_report.report_text };
  }
  const made = await uploadRoute('importSnapshot', form, signal);
  return { ...placeOf(made), report: snapshotWords(made.import_report) };
}

function placeOf({ session_id: sessionId, path, name }: AnswerOf<'importNotebook' | 'importSnapshot'>) {
  return { sessionId: sessionId ?? '', path: path ?? '', name };
}

function snapshotWords(report: AnswerOf<'importSnapshot'>['import_report']): string {
  const { imported_artifacts: count, replaced_notebook_id: replaced, by_reference_cells: cells } = report;
  return [
    `${count} kept ${count === 1 ? 'result' : 'results'} came along.`,
    ...(replaced === null ? [] : ['A notebook with its id is here already: this one got an id of its own.']),
    ...(cells.length === 0
      ? []
      : [`Results of these cells did not; run them to make them again: ${cells.join(', ')}`]),
  ].join('\n\n');
}

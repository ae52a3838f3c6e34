/** Handlers of the routes that make a new notebook from an uploaded Jupyter notebook or snapshot. */

import { AppError } from '../../../src-shared/wire/errors.ts';
import { readPlainFile } from '../../lib/plainFile.ts';
import type { Upload } from '../upload.ts';
import { type HandlerContext, importedState } from './notebooks.ts';

/** Imports a `.ipynb` as a new notebook (docs/spec/export-and-import.md, 3). @throws AppError bad_request, conflict */
export async function importNotebook(context: HandlerContext, { file, fields }: Upload) {
  context.refuseWhenDraining();
  const { sessions, pythonVersions } = context;
  if (file.bytes === 0) throw new AppError('bad_request', 'The file is empty.');
  const { importJupyter, reportPath } = await import('../../convert/jupyter/importJupyter.ts');
  const { importReport } = await import('../../convert/jupyter/importReport.ts');
  const name = fields.name?.trim() || file.fileName.replace(/\.ipynb$/i, '') || 'Imported notebook';
  const { dir, converted } = await importJupyter({
    bytes: await readPlainFile(file.path),
    name,
    folder: fields.folder,
    parentDir: await sessions.parentFolder(fields.parent_path ?? ''),
    pythonVersion: context.config.notebookPythonVersions?.[0] ?? (await pythonVersions())[0] ?? '3.12',
  });
  const session = await sessions.open(dir);
  const { error } = session.views.notebook.dag();
  const more = error === undefined ? [] : [`The cells have no graph: ${error}`];
  const import_report = importReport(converted, { name, path: reportPath(dir), more });
  return { ...(await importedState(session, context)), import_report };
}

/**
 * Imports a snapshot as a notebook with its results (docs/spec/export-and-import.md, 1, 2). @throws AppError
 * bad_request, conflict
 */
export async function importSnapshotRoute(context: HandlerContext, { file, fields }: Upload) {
  context.refuseWhenDraining();
  const { sessions } = context;
  if (file.bytes === 0) throw new AppError('bad_request', 'The file is empty.');
  const { importSnapshot } = await import('../../convert/snapshot/importSnapshot.ts');
  const { notebooks } = await sessions.discover();
  const usedIds = new Set([
    ...notebooks.map(({ notebookId }) => notebookId),
    ...sessions.list().map(({ notebookId }) => notebookId as string),
  ]);
  const stem = file.fileName.replace(/\.zip$/i, '').replace(/\.snapshot$/i, '');
  const { dir, report } = await importSnapshot({
    zip: file.path,
    parentDir: await sessions.parentFolder(fields.parent_path ?? ''),
    name: fields.name?.trim() || stem || 'Imported notebook',
    folder: fields.folder,
    isTaken: (id) => usedIds.has(id),
  });
  const session = await sessions.open(dir);
  return { ...(await importedState(session, context)), import_report: report };
}

/** Handler of the route that exports a notebook as one file, which is made while it is sent. */

import { basename } from 'node:path';
import { AppError } from '../../../src-shared/wire/errors.ts';
import { isTrueText } from '../../../src-shared/wire/routes/params.ts';
import type { TRANSFER_ROUTES } from '../../../src-shared/wire/routes/transfer.ts';
import type { ExportView } from '../../convert/exportView.ts';
import type { Call } from '../implementRoutes.ts';
import type { StreamedBytes } from '../streamedBytes.ts';
import type { HandlerContext } from './notebooks.ts';
import { sessionOf } from './sessionOf.ts';

type Contract = (typeof TRANSFER_ROUTES)['exportNotebook'];
type Query = Call<Contract>['query'];

/**
 * A notebook as one file, made while it is sent, from its current results; nothing runs (docs/spec/rest-notebooks.md,
 * 8).
 * @throws AppError bad_request for an unknown format or cell
 */
export async function exportNotebook(
  { sessions }: Pick<HandlerContext, 'sessions'>,
  { params, query }: Pick<Call<Contract>, 'params' | 'query'>,
): Promise<StreamedBytes> {
  const format = oneOf('format', query.fmt, ['zip', 'snapshot', 'markdown', 'html', 'ipynb'] as const);
  if (isTrueText(query.app_layout) && format !== 'html') {
    throw new AppError('bad_request', 'app_layout requires fmt=html.');
  }
  const include = oneOf('include', query.include, ['all', 'selected', 'none'] as const);
  const view = await sessionOf(sessions, params.sid).views.notebook.exported();
  const cells = chosenCells(view, query.cells);
  const name = view.name.trim() || 'notebook';
  if (format === 'zip') {
    const { zipExport } = await import('../../convert/export/zipExport.ts');
    return { pieces: zipExport(view), contentType: 'application/zip', fileName: `${name}.zip` };
  }
  if (format === 'snapshot') {
    const { snapshotExport } = await import('../../convert/export/snapshotExport.ts');
    const pieces = snapshotExport(view, { include, cells });
    return { pieces, contentType: 'application/zip', fileName: `${name}.snapshot.zip` };
  }
  const options = renderOptions(query);
  const file = `${basename(view.dir)}${options.appView ? '-app' : ''}`;
  if (format === 'markdown') {
    const { markdownExport } = await import('../../convert/export/markdownExport.ts');
    const pieces = markdownExport(view, options);
    return { pieces, contentType: 'text/markdown; charset=utf-8', fileName: `${file}.md` };
  }
  if (format === 'ipynb') {
    const { jupyterExport } = await import('../../convert/export/jupyterExport.ts');
    const pieces = jupyterExport(view, options);
    return { pieces, contentType: 'application/x-ipynb+json', fileName: `${file}.ipynb` };
  }
  const { htmlExport } = await import('../../convert/export/htmlExport.ts');
  return {
    pieces: htmlExport(view, options),
    contentType: 'text/html; charset=utf-8',
    fileName: `${file}.html`,
  };
}

function renderOptions(query: Query) {
  return {
    inactiveVariants: isTrueText(query.include_inactive_variants),
    appView: isTrueText(query.app_view) || isTrueText(query.app_layout),
    appLayout: isTrueText(query.app_layout),
    console: isTrueText(query.console),
    maxOutputBytes: query.max_output_bytes,
  };
}

/** @throws AppError bad_request */
function oneOf<T extends string>(what: string, text: string, allowed: readonly T[]): T {
  const match = allowed.find((one) => one === text);
  if (match === undefined) {
    throw new AppError('bad_request', `Unknown ${what} '${text}'. Allowed: ${allowed.join(', ')}.`);
  }
  return match;
}

/** @throws AppError bad_request naming the unknown cells */
function chosenCells(view: ExportView, list: string | undefined): ReadonlySet<string> {
  const ids = (list ?? '')
    .split(',')
    .map((id) => id.trim())
    .filter((id) => id !== '');
  const cellIds = new Set(view.cells.map(({ cell }) => cell.id));
  const unknown = ids.filter((id) => !cellIds.has(id));
  if (unknown.length > 0) throw new AppError('bad_request', `No such cell: ${unknown.join(', ')}.`);
  return new Set(ids);
}

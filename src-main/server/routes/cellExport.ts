/** Handler of the route that exports a cell's table to CSV or Parquet. */

import { AppError } from '../../../src-shared/wire/errors.ts';
import type { CELL_ROUTES } from '../../../src-shared/wire/routes/cells.ts';
import type { ExportFormat } from '../../table/export/tableExport.ts';
import type { Call } from '../implementRoutes.ts';
import type { StreamedBytes } from '../streamedBytes.ts';
import { storedFile, viewOf } from './cellPage.ts';
import type { HandlerContext } from './notebooks.ts';
import { cellOf, knownCellId, sessionOf } from './sessionOf.ts';

type Contract = (typeof CELL_ROUTES)['cellExport'];

/** The content type of each export format (docs/spec/rest-notebooks.md, 5.3, data/export). */
const CONTENT_TYPES: Readonly<Record<ExportFormat, string>> = {
  csv: 'text/csv; charset=utf-8',
  parquet: 'application/vnd.apache.parquet',
};

/**
 * A cell's whole table as a file, with the filters and order of the query. @throws AppError bad_request if the value is
 * not a table
 */
export async function cellExport(
  { sessions, tables }: Pick<HandlerContext, 'sessions' | 'tables'>,
  { params, query }: Pick<Call<Contract>, 'params' | 'query'>,
): Promise<StreamedBytes> {
  const format = formatOf(query.fmt);
  const session = sessionOf(sessions, params.sid);
  const { id } = cellOf(session, knownCellId(params.cell_id));
  const view = viewOf(query);
  const { path, sha256 } = await storedFile(session, query.artifact_uri);
  const result = await tables.export({ path, sha256, ...view, format });
  if (result.kind === 'other') {
    throw new AppError('bad_request', `This result is not a table that can be exported: ${result.reason}.`);
  }
  const { pieces, release } = result;
  return { pieces, release, contentType: CONTENT_TYPES[format], fileName: `${id}.${format}` };
}

/** @throws AppError bad_request */
function formatOf(text: string): ExportFormat {
  if (text === 'csv' || text === 'parquet') return text;
  throw new AppError('bad_request', `Unknown format '${text}'. Allowed: csv, parquet.`);
}

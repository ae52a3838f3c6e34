/** Handlers of the window's routes about a cell's table: statistics of a column, and grouped rows. */

import * as z from 'zod';
import { AppError } from '../../../src-shared/wire/errors.ts';
import { aggregateName, type TABLE_ROUTES } from '../../../src-shared/wire/routes/tables.ts';
import type { Measure } from '../../table/facts/groupRows.ts';
import type { Answer, Call, HandlersOf } from '../implementRoutes.ts';
import { storedFile, viewOf } from './cellPage.ts';
import type { HandlerContext } from './notebooks.ts';
import { cellOf, knownCellId, sessionOf } from './sessionOf.ts';

type Context = Pick<HandlerContext, 'sessions' | 'tables'>;
type ColumnContract = (typeof TABLE_ROUTES)['cellColumn'];
type GroupsContract = (typeof TABLE_ROUTES)['cellGroups'];

const MAX_ROWS = 1_000;

/** The handlers of the window's routes about a cell's table. */
export function tableHandlers(context: Context): HandlersOf<typeof TABLE_ROUTES> {
  return {
    cellColumn: async (call) => cellColumn(context, call),
    cellGroups: async (call) => cellGroups(context, call),
  };
}

/** Statistics of one column (docs/extensions.md). @throws AppError bad_request for an unknown column */
async function cellColumn(
  { sessions, tables }: Context,
  { params, query }: Pick<Call<ColumnContract>, 'params' | 'query'>,
): Promise<Answer<ColumnContract>> {
  const session = sessionOf(sessions, params.sid);
  cellOf(session, knownCellId(params.cell_id));
  const view = viewOf({ ...query, sort_dir: 'asc' });
  const { path, sha256 } = await storedFile(session, query.artifact_uri);
  const about = { cell_id: params.cell_id, artifact_uri: query.artifact_uri };
  const { column, find } = query;
  const most = Math.min(MAX_ROWS, Math.max(1, query.most));
  const result = await tables.column({ path, sha256, ...view, column, find, most });
  if (!result.pageable) return { ...about, pageable: false };
  if (result.column === null) throw new AppError('bad_request', `There is no column '${column}'.`);
  const { quantiles, top, bins } = result.column;
  return {
    ...about,
    pageable: true,
    column: {
      ...result.column,
      quantiles: [...quantiles],
      top: [...top],
      bins: bins === null ? null : [...bins],
    },
    total: result.total,
  };
}

/** A table grouped by the values of some columns (docs/extensions.md). @throws AppError bad_request */
async function cellGroups(
  { sessions, tables }: Context,
  { params, query }: Pick<Call<GroupsContract>, 'params' | 'query'>,
): Promise<Answer<GroupsContract>> {
  const session = sessionOf(sessions, params.sid);
  cellOf(session, knownCellId(params.cell_id));
  // `sort` is a position in the answer here, not an order of rows.
  const { sort: place, ...rest } = query;
  const view = viewOf(rest);
  const by = readList(query.by, z.array(z.string()), 'by must be a JSON array of column names.');
  const measures: readonly Measure[] = readList(
    query.measures ?? '[]',
    z.array(MEASURE),
    'measures must be a JSON array of {col, agg}.',
  );
  const { path, sha256 } = await storedFile(session, query.artifact_uri);
  const about = { cell_id: params.cell_id, artifact_uri: query.artifact_uri };
  const offset = Math.max(0, query.offset);
  const limit = Math.min(MAX_ROWS, Math.max(1, query.limit));
  const dir = view.sortDir ?? 'asc';
  const sort = place === undefined ? null : { at: place, dir };
  const { filters = null, search = null } = view;
  const result = await tables.groups({ path, sha256, filters, search, by, measures, sort, offset, limit });
  if (result.pageable === 'refused') throw new AppError('bad_request', result.reason);
  if (!result.pageable) return { ...about, pageable: false };
  const rows = result.rows.map((row) => [...row]);
  return { ...about, pageable: true, columns: [...result.columns], rows, total: result.total, offset, limit };
}

const MEASURE = z.union([
  z.object({ agg: z.literal('rows') }).transform(({ agg }) => ({ col: null, agg })),
  z.object({ col: z.string(), agg: aggregateName }),
]);

/** @throws AppError bad_request */
function readList<T>(text: string, shape: z.ZodType<T>, otherwise: string): T {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (_notJson) {
    throw new AppError('bad_request', otherwise);
  }
  const parsed = shape.safeParse(value);
  if (!parsed.success) throw new AppError('bad_request', otherwise);
  return parsed.data;
}

/** Handlers of the routes that read one page of a stored table, or a summary of its columns. */

import { AppError } from '../../../src-shared/wire/errors.ts';
import type { CELL_ROUTES } from '../../../src-shared/wire/routes/cells.ts';
import { parseArtifactUri } from '../../artifacts/uri.ts';
import type { Session } from '../../session/api.ts';
import type { PageQuery, TableFile, ViewQuery } from '../../table/service/tableQuery.ts';
import type { Answer, Call } from '../implementRoutes.ts';
import type { HandlerContext } from './notebooks.ts';
import { cellOf, knownCellId, sessionOf } from './sessionOf.ts';

type Contract = (typeof CELL_ROUTES)['cellData'];
type SummaryContract = (typeof CELL_ROUTES)['cellSummary'];

const MAX_ROWS = 500;

/** One page of a stored table (docs/spec/rest-notebooks.md, 5.3). */
export async function cellPage(
  { sessions, tables }: Pick<HandlerContext, 'sessions' | 'tables'>,
  { params, query }: Pick<Call<Contract>, 'params' | 'query'>,
): Promise<Answer<Contract>> {
  const session = sessionOf(sessions, params.sid);
  cellOf(session, knownCellId(params.cell_id));
  const view = viewOf(query);
  const file = await storedFile(session, query.artifact_uri);
  const offset = Math.max(0, query.offset);
  const limit = Math.min(MAX_ROWS, Math.max(1, query.limit));
  const about = { cell_id: params.cell_id, artifact_uri: query.artifact_uri };
  const page = await tables.page({
    path: file.path,
    sha256: file.sha256,
    offset,
    limit,
    ...view,
  });
  if (!page.pageable) return { ...about, pageable: false, offset, limit };
  const { sort, ...rest } = page;
  return {
    ...about,
    ...rest,
    columns: [...page.columns],
    rows: page.rows.map((row) => [...row]),
    ...(sort === undefined ? {} : { sort: [...sort] }),
  };
}

/** The filters and order of a request. @throws AppError bad_request */
export function viewOf(query: {
  readonly sort_by?: string | undefined;
  readonly sort_dir: string;
  readonly search?: string | undefined;
  readonly filters?: string | undefined;
  readonly sort?: string | undefined;
}): Omit<ViewQuery, keyof TableFile> {
  return {
    sortBy: query.sort_by ?? null,
    sortDir: directionOf(query.sort_dir),
    search: query.search ?? null,
    filters: readFilters(query.filters),
    ...(query.sort === undefined || query.sort.trim() === '' ? {} : { sorts: readSort(query.sort) }),
  };
}

/** A summary of each column of a stored table (docs/spec/rest-notebooks.md, 5.3). */
export async function cellSummary(
  { sessions, tables }: Pick<HandlerContext, 'sessions' | 'tables'>,
  { params, query }: Pick<Call<SummaryContract>, 'params' | 'query'>,
): Promise<Answer<SummaryContract>> {
  const session = sessionOf(sessions, params.sid);
  cellOf(session, knownCellId(params.cell_id));
  const { path, sha256 } = await storedFile(session, query.artifact_uri);
  const about = { cell_id: params.cell_id, artifact_uri: query.artifact_uri };
  const summary = await tables.summary({ path, sha256 });
  if (!summary.pageable) return { ...about, pageable: false, columns: [], total: 0 };
  return { ...about, ...summary, columns: [...summary.columns] };
}

/** @throws AppError bad_request */
function directionOf(text: string): 'asc' | 'desc' {
  if (text === 'asc' || text === 'desc') return text;
  throw new AppError('bad_request', `Unknown sort_dir '${text}'. Allowed: asc, desc.`);
}

/** @throws AppError bad_request if it is not a JSON array; the table checks the items */
function readFilters(text: string | undefined): NonNullable<PageQuery['filters']> {
  if (text === undefined || text.trim() === '') return [];
  let value: unknown;
  try {
    value = JSON.parse(text, wholeNumbersExactly);
  } catch (_notJson) {
    value = null;
  }
  if (!Array.isArray(value)) throw new AppError('bad_request', 'filters must be a JSON array.');
  checkDepth(value, 0);
  return value.filter((item) => typeof item === 'object' && item !== null);
}

/** @throws AppError bad_request if it is not a JSON array; unknown columns are skipped */
function readSort(text: string): NonNullable<PageQuery['sorts']> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (_notJson) {
    value = null;
  }
  if (!Array.isArray(value)) throw new AppError('bad_request', 'sort must be a JSON array of {col, dir}.');
  return value.filter((item) => typeof item === 'object' && item !== null);
}

/** Maximum nesting of groups of conditions. */
const MAX_DEPTH = 8;

/** @throws AppError bad_request */
function checkDepth(items: readonly unknown[], depth: number): void {
  if (depth > MAX_DEPTH) {
    throw new AppError('bad_request', `filters may be nested at most ${MAX_DEPTH} levels deep.`);
  }
  for (const item of items) {
    if (typeof item !== 'object' || item === null) continue;
    for (const name of ['any', 'all']) {
      const inner: unknown = Reflect.get(item, name);
      if (Array.isArray(inner)) checkDepth(inner, depth + 1);
    }
  }
}

/**
 * Keeps the digits of integers that a double cannot represent, because columns of such numbers are compared by digits.
 */
function wholeNumbersExactly(_key: string, value: unknown, context?: { readonly source?: string }): unknown {
  const source = context?.source;
  if (typeof value !== 'number' || source === undefined || Number.isSafeInteger(value)) return value;
  return /^-?\d+$/.test(source) ? source : value;
}

/** @throws AppError bad_request if the text is not an artifact uri, not_found if this notebook does not hold it */
export async function storedFile(
  session: Session,
  uri: string,
): Promise<{ readonly path: string; readonly contentType: string; readonly sha256: string }> {
  if (parseArtifactUri(uri) === null) throw new AppError('bad_request', `'${uri}' is not an artifact uri.`);
  const file = await session.views.results.artifactFile(uri);
  switch (file.kind) {
    case 'file':
      return file;
    case 'unknown':
      throw new AppError('not_found', 'Artifact not found');
    case 'unreadable':
      throw new AppError('not_found', file.message);
    default:
      return file satisfies never;
  }
}

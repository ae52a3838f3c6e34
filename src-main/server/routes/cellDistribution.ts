/** Handler of the route that describes the distribution of values in each column of a stored table. */

import type { EXTENSION_ROUTES } from '../../../src-shared/wire/routes/extensions.ts';
import type { ColumnDistribution } from '../../table/summary/distribution.ts';
import type { Answer, Call } from '../implementRoutes.ts';
import { storedFile, viewOf } from './cellPage.ts';
import type { HandlerContext } from './notebooks.ts';
import { cellOf, knownCellId, sessionOf } from './sessionOf.ts';

type Contract = (typeof EXTENSION_ROUTES)['cellDistribution'];
type Column = Extract<Answer<Contract>, { readonly pageable: true }>['columns'][number];

/** The distribution of the values of each column of a stored table (docs/extensions.md). */
export async function cellDistribution(
  { sessions, tables }: Pick<HandlerContext, 'sessions' | 'tables'>,
  { params, query }: Pick<Call<Contract>, 'params' | 'query'>,
): Promise<Answer<Contract>> {
  const session = sessionOf(sessions, params.sid);
  cellOf(session, knownCellId(params.cell_id));
  const view = viewOf({ ...query, sort_dir: 'asc' });
  const { path, sha256 } = await storedFile(session, query.artifact_uri);
  const about = { cell_id: params.cell_id, artifact_uri: query.artifact_uri };
  const result = await tables.distributions({ path, sha256, ...view });
  if (!result.pageable) return { ...about, pageable: false, columns: [], total: 0 };
  return { ...about, pageable: true, columns: result.columns.map(columnOf), total: result.total };
}

function columnOf({ name, nulls, spread }: ColumnDistribution): Column {
  switch (spread.kind) {
    case 'bins':
      return { name, nulls, spread: { kind: 'bins', bins: [...spread.bins] } };
    case 'values':
      return { name, nulls, spread: { ...spread, values: [...spread.values] } };
    case 'none':
      return { name, nulls, spread };
    default:
      return spread satisfies never;
  }
}

/** Handler of the route that compares two stored results of a cell. */

import { AppError } from '../../../src-shared/wire/errors.ts';
import type { EXTENSION_ROUTES } from '../../../src-shared/wire/routes/extensions.ts';
import type { Answer, Call } from '../implementRoutes.ts';
import { storedFile } from './cellPage.ts';
import { comparisonOf } from './comparison.ts';
import type { HandlerContext } from './notebooks.ts';
import { knownCellId, sessionOf } from './sessionOf.ts';

type Contract = (typeof EXTENSION_ROUTES)['compareResults'];

/** The differences between two stored results of a cell (docs/extensions.md). */
export async function compareResults(
  { sessions, tables }: Pick<HandlerContext, 'sessions' | 'tables'>,
  { params, query }: Pick<Call<Contract>, 'params' | 'query'>,
): Promise<Answer<Contract>> {
  const session = sessionOf(sessions, params.sid);
  const stored = session.views.results.ofCell(knownCellId(params.cell_id));
  if (stored === null) throw new AppError('not_found', 'Cell not found');
  const storedUris = new Set(stored.results.map(({ artifact_uri }) => artifact_uri));
  for (const uri of [query.before, query.after]) {
    if (!storedUris.has(uri)) throw new AppError('not_found', 'This result is no longer stored.');
  }
  const [before, after] = await Promise.all([
    storedFile(session, query.before),
    storedFile(session, query.after),
  ]);
  return {
    cell_id: params.cell_id,
    comparison: await comparisonOf({ before, after }, { tables, by: 'position' }),
  };
}

/** Handler of the route that shows one finished iteration of a loop with its outputs. */

import { AppError } from '../../../src-shared/wire/errors.ts';
import type { Output } from '../../../src-shared/wire/output.ts';
import type { EXTENSION_ROUTES } from '../../../src-shared/wire/routes/extensions.ts';
import type { Session } from '../../session/api.ts';
import type { Answer, Call } from '../implementRoutes.ts';
import { storedFile, viewOf } from './cellPage.ts';
import type { HandlerContext } from './notebooks.ts';
import { cellOf, knownCellId, sessionOf } from './sessionOf.ts';

type Contract = (typeof EXTENSION_ROUTES)['cellIteration'];
type Context = Pick<HandlerContext, 'sessions' | 'tables'>;

/** Rows of a table that are shown before a page is requested (docs/spec/values.md, 2). */
const PREVIEW_ROWS = 20;

/** One finished iteration of a loop with its outputs (docs/extensions.md). */
export async function cellIteration(
  context: Context,
  { params }: Pick<Call<Contract>, 'params'>,
): Promise<Answer<Contract>> {
  const session = sessionOf(context.sessions, params.sid);
  const { id } = cellOf(session, knownCellId(params.cell_id));
  const iteration = await session.views.results.iteration(knownCellId(id), params.iteration);
  if (iteration === null) {
    throw new AppError('not_found', `Cell ${id} has no finished iteration ${params.iteration}.`);
  }
  return {
    cell_id: id,
    iteration: iteration.iteration,
    count: iteration.count,
    duration_ms: Math.round(iteration.durationMs),
    until_reached: iteration.untilReached,
    created_at: new Date(iteration.createdAtMs).toISOString(),
    carry: { ...iteration.carry, output: await withRows(context, session, iteration.carry.output) },
    displays: [...iteration.displays],
    stdout: iteration.stdout,
    stderr: iteration.stderr,
  };
}

/** Adds a table's first rows; other values are unchanged. */
async function withRows({ tables }: Context, session: Session, output: Output): Promise<Output> {
  if (output.content_type !== 'arrow/ipc' || output.artifact_uri === null) return output;
  const { path, sha256 } = await storedFile(session, output.artifact_uri);
  const page = await tables.page({
    path,
    sha256,
    offset: 0,
    limit: PREVIEW_ROWS,
    ...viewOf({ sort_dir: 'asc' }),
  });
  if (!page.pageable) return output;
  return { ...output, rows: page.total, columns: [...page.columns], preview: page.rows };
}

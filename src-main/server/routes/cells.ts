/** Handlers of the routes that edit, run and read cells. */

import { isCellId } from '../../../src-shared/notebook/ids.ts';
import { AppError } from '../../../src-shared/wire/errors.ts';
import type { CELL_ROUTES } from '../../../src-shared/wire/routes/cells.ts';
import type { RunMode } from '../../session/state/requests.ts';
import type { HandlersOf } from '../implementRoutes.ts';
import { cellBlob } from './cellBlob.ts';
import { cellExport } from './cellExport.ts';
import { cellPage, cellSummary } from './cellPage.ts';
import type { HandlerContext } from './notebooks.ts';
import { cellOf, dispatchAndWait, knownCellId, sessionOf } from './sessionOf.ts';

/** The handlers of the routes about cells (docs/spec/rest-notebooks.md, 5). */
export function cellHandlers(context: HandlerContext): HandlersOf<typeof CELL_ROUTES> {
  const { sessions } = context;
  return {
    listCells: async ({ params }) => {
      const session = sessionOf(sessions, params.sid);
      return { notebook_id: session.notebookId, cells: session.views.cells.all() };
    },
    addCell: async ({ params, body, caller }) => {
      const session = sessionOf(sessions, params.sid);
      const afterId = body.after_cell_id ?? null;
      if (afterId !== null && !isCellId(afterId)) {
        throw new AppError('bad_request', `Cannot add a cell after ${afterId}: there is no such cell.`);
      }
      const asking = { session, caller, author: body.author ?? undefined };
      const added = await dispatchAndWait(
        asking,
        { type: 'add_cell', afterId, language: body.language },
        'cell',
      );
      return cellOf(session, added.cellId);
    },
    editCell: async ({ params, body, caller }) => {
      const session = sessionOf(sessions, params.sid);
      const cellId = knownCellId(params.cell_id);
      const { source, force, author, base } = body;
      const from = base === undefined ? {} : { base };
      await dispatchAndWait(
        { session, caller, author: author ?? undefined },
        { type: 'edit_source', cellId, source, force, ...from },
        'done',
      );
      return {
        cell: cellOf(session, cellId),
        dag: session.views.notebook.dag(),
        cells: session.views.cells.all(),
      };
    },
    deleteCell: async ({ params, caller }) => {
      const session = sessionOf(sessions, params.sid);
      const cellId = knownCellId(params.cell_id);
      await dispatchAndWait({ session, caller }, { type: 'delete_cell', cellId }, 'done');
      const { cells, variant_groups } = session.views.notebook.body();
      const dag = { ...session.views.notebook.linkedDag(), variant_groups };
      return { message: 'Cell deleted', cell_id: cellId, variant_groups, cells, dag };
    },
    reorderCells: async ({ params, body, caller }) => {
      const session = sessionOf(sessions, params.sid);
      await dispatchAndWait({ session, caller }, { type: 'reorder_cells', cellIds: body.cell_ids }, 'done');
      return { notebook_id: session.notebookId, cells: session.views.cells.all() };
    },
    executeCell: async ({ params, query, caller }) => {
      const mode = runMode(query.mode ?? 'normal');
      context.refuseWhenDraining();
      const session = sessionOf(sessions, params.sid);
      const cellId = knownCellId(params.cell_id);
      // The run continues when the caller disconnects; nothing here watches for that.
      const request = { type: 'run_cell', cellId, mode, upstream: 'go' } as const;
      return (await dispatchAndWait({ session, caller }, request, 'executed')).result;
    },
    cancelCell: async ({ params, caller }) => {
      const session = sessionOf(sessions, params.sid);
      const cellId = knownCellId(params.cell_id);
      cellOf(session, cellId);
      const { cancelled } = await dispatchAndWait(
        { session, caller },
        { type: 'cancel_cell', cellId },
        'cancelled',
      );
      return { cell_id: cellId, cancelled, status: cellOf(session, cellId).status };
    },
    setCellTests: async ({ params, body, caller }) => {
      const session = sessionOf(sessions, params.sid);
      const cellId = knownCellId(params.cell_id);
      const { source, base = null } = body;
      await dispatchAndWait({ session, caller }, { type: 'edit_tests', cellId, source, base }, 'done');
      return cellOf(session, cellId);
    },
    runCellTests: async ({ params, caller }) => {
      context.refuseWhenDraining();
      const session = sessionOf(sessions, params.sid);
      const cellId = knownCellId(params.cell_id);
      const request = { type: 'test_cell', cellId, source: null, base: null } as const;
      const { result } = await dispatchAndWait({ session, caller }, request, 'tested');
      const { passed, failed, errored, skipped, pytest_unavailable, ran_at, tests, problem } = result;
      return {
        cell_id: cellId,
        passed,
        failed,
        errored,
        skipped,
        pytest_unavailable,
        ran_at,
        tests,
        ...(problem === undefined ? {} : { problem }),
      };
    },
    cellIterations: async ({ params, query }) => {
      const session = sessionOf(sessions, params.sid);
      const cellId = knownCellId(params.cell_id);
      const iterations = await session.views.results.iterations(cellId, query.variable ?? null);
      if (iterations === null) throw new AppError('not_found', 'Cell not found');
      return { cell_id: cellId, ...iterations };
    },
    cellData: ({ params, query }) => cellPage(context, { params, query }),
    cellSummary: ({ params, query }) => cellSummary(context, { params, query }),
    cellExport: ({ params, query }) => cellExport(context, { params, query }),
    outputBlob: ({ params }) => cellBlob(context, params),
  };
}

const MODES: Readonly<Record<string, RunMode>> = { normal: 'normal', rerun: 'rerun', force: 'force' };

/** @throws AppError bad_request */
function runMode(text: string): RunMode {
  const mode = Object.hasOwn(MODES, text) ? MODES[text] : undefined;
  if (mode === undefined) {
    throw new AppError('bad_request', `Unknown mode '${text}'. Allowed: ${Object.keys(MODES).join(', ')}.`);
  }
  return mode;
}

/** Handlers of various routes for the window that are not in the specification (docs/extensions.md). */

import { AppError } from '../../../src-shared/wire/errors.ts';
import type { EXTENSION_ROUTES } from '../../../src-shared/wire/routes/extensions.ts';
import { listFiles } from '../../notebook/listFiles.ts';
import type { HandlersOf } from '../implementRoutes.ts';
import { addFile } from './addFile.ts';
import { appLayoutHandlers } from './appLayout.ts';
import { cellDistribution } from './cellDistribution.ts';
import { cellIteration } from './cellIteration.ts';
import { compareResults } from './compareResults.ts';
import { consoleBytes } from './consoleBytes.ts';
import { folderFileHandlers } from './folderFiles.ts';
import { folderPicture } from './folderPicture.ts';
import { listVariables } from './listVariables.ts';
import type { HandlerContext } from './notebooks.ts';
import { resultStorage, sweepResults } from './resultStorage.ts';
import { cellOf, dispatchAndWait, knownCellId, sessionOf } from './sessionOf.ts';
import { settingsHandlers } from './settings.ts';

/** The handlers of routes for the window beyond the specification (docs/extensions.md). */
export function extensionHandlers(context: HandlerContext): HandlersOf<typeof EXTENSION_ROUTES> {
  const { sessions } = context;
  return {
    cancelCellTests: async ({ params, caller }) => {
      const session = sessionOf(sessions, params.sid);
      const cellId = knownCellId(params.cell_id);
      cellOf(session, cellId);
      const { cancelled } = await dispatchAndWait(
        { session, caller },
        { type: 'stop_tests', cellId },
        'cancelled',
      );
      return { cell_id: cellId, cancelled };
    },
    restoreCell: async ({ params, caller }) => {
      const session = sessionOf(sessions, params.sid);
      const cellId = knownCellId(params.cell_id);
      await dispatchAndWait({ session, caller }, { type: 'restore_cell', cellId }, 'done');
      const { cells, variant_groups } = session.views.notebook.body();
      const dag = { ...session.views.notebook.linkedDag(), variant_groups };
      return { message: 'Cell restored', cell_id: cellId, variant_groups, cells, dag };
    },
    cellResults: async ({ params }) => {
      const session = sessionOf(sessions, params.sid);
      const cellId = knownCellId(params.cell_id);
      const results = session.views.results.ofCell(cellId);
      if (results === null) throw new AppError('not_found', 'Cell not found');
      return { cell_id: cellId, results: results.results, runs: [...results.runs] };
    },
    compareResults: async (call) => compareResults(context, call),
    cellDistribution: async (call) => cellDistribution(context, call),
    cellIteration: async (call) => cellIteration(context, call),
    listVariables: async (call) => listVariables(context, call),
    explainCell: async ({ params }) => {
      const explanation = sessionOf(sessions, params.sid).views.cells.explain(knownCellId(params.cell_id));
      if (explanation === null) throw new AppError('not_found', 'Cell not found');
      return explanation;
    },
    cellLog: async ({ params, query }) => {
      const session = sessionOf(sessions, params.sid);
      return consoleBytes(await session.views.cells.consoleLog(knownCellId(params.cell_id), query.stream));
    },
    serverLog: async ({ params }) => {
      const session = sessionOf(sessions, params.sid);
      return { lines: [...context.recentLog.linesOf(session.path)] };
    },
    listMounts: async ({ params }) => {
      const session = sessionOf(sessions, params.sid);
      return { mounts: [...session.views.data.mounts()], notebook: session.views.notebook.body().mounts };
    },
    keepMountCredential: async ({ params, caller }) => {
      const session = sessionOf(sessions, params.sid);
      const { mounts } = session.views.notebook.body();
      if (!mounts.some(({ name }) => name === params.name))
        throw new AppError('not_found', `The notebook declares no mount "${params.name}".`);
      await dispatchAndWait(
        { session, caller },
        { type: 'change_settings', change: { of: 'mounts', mounts, keepCredentialOf: params.name } },
        'done',
      );
      const after = session.views.notebook.body().mounts;
      return { credential: after.find(({ name }) => name === params.name)?.credential ?? '', mounts: after };
    },
    ...settingsHandlers(context),
    resultStorage: async (call) => resultStorage(context, call),
    sweepResults: async (call) => sweepResults(context, call),
    listFiles: async ({ params }) => {
      const { files, truncated } = await listFiles(sessionOf(sessions, params.sid).path);
      return {
        files: files.map(({ path, kind, size, modifiedMs }) => ({
          path,
          kind,
          size,
          modified_at: new Date(modifiedMs).toISOString(),
        })),
        truncated,
      };
    },
    ...folderFileHandlers(context),
    ...appLayoutHandlers(context),
    addFile: async ({ params, upload }) => addFile(context, { sid: params.sid, file: upload.file }),
    folderPicture: async ({ params, query }) =>
      folderPicture(sessionOf(sessions, params.sid).path, query.path),
    sampleData: async ({ params, body }) => {
      const { columns, rows } = await sessionOf(sessions, params.sid).views.data.sample(body);
      return { columns: [...columns], rows: rows.map((row) => [...row]) };
    },
    listExamples: async () => ({ examples: [...(await context.examples.list())] }),
    openExample: async ({ params }) => ({ path: await context.examples.folderFor(params.name) }),
  };
}

/** Handlers of the routes about earlier texts of cells, drafts, and the record of what can be undone. */

import { cellId as cellIdOf } from '../../../src-shared/notebook/ids.ts';
import type { Cell } from '../../../src-shared/wire/cell.ts';
import { AppError } from '../../../src-shared/wire/errors.ts';
import type { HISTORY_ROUTES, HistoryPart } from '../../../src-shared/wire/routes/history.ts';
import { sinceCommit } from '../../git/sinceCommit.ts';
import { errnoOf } from '../../lib/atomicFile.ts';
import { deletedCellLanguage } from '../../notebook/deletedCellFile.ts';
import type { NotebookFolder } from '../../notebook/folder/notebookFolder.ts';
import { digestOf } from '../../notebook/history/cellVersions.ts';
import type { Session } from '../../session/api.ts';
import type { HandlersOf } from '../implementRoutes.ts';
import type { HandlerContext } from './notebooks.ts';
import { dispatchAndWait, knownCellId, sessionOf, writableSession } from './sessionOf.ts';
import { differencesAt, timelineOf, titleOf } from './timeline.ts';

/** The handlers of the routes about earlier texts, drafts and undo (docs/extensions.md). */
export function historyHandlers({ sessions }: HandlerContext): HandlersOf<typeof HISTORY_ROUTES> {
  return {
    cellHistory: async ({ params, query }) => {
      const session = sessionOf(sessions, params.sid);
      const cellId = knownCellId(params.cell_id);
      const { versions, problem } = await session.views.editor.history.list(cellId, query.of);
      const cell = session.views.cells.one(cellId);
      if (cell === null && versions.length === 0) throw new AppError('not_found', 'Cell not found');
      const now = cell === null ? null : textOf(session, { cell, part: query.of });
      const current = now === null ? null : digestOf(now);
      return {
        cell_id: cellId,
        language: cell?.language ?? (await deletedCellLanguage(session.path, cellId)),
        now,
        versions: versions.map(({ id, atMs, why, author, lines, sha }) => ({
          version: id,
          at: new Date(atMs).toISOString(),
          why,
          author,
          lines,
          current: sha === current,
        })),
        problem,
      };
    },
    cellVersion: async ({ params, query }) => {
      const session = sessionOf(sessions, params.sid);
      const cellId = knownCellId(params.cell_id);
      const version = await session.views.editor.history.read(cellId, params.version, query.of);
      if (version === null) {
        throw new AppError('not_found', `Version not found for cell ${cellId}.`);
      }
      const at = new Date(version.version.atMs).toISOString();
      return { cell_id: cellId, version: params.version, at, source: version.text };
    },
    sinceCommit: async ({ params }) => {
      const session = sessionOf(sessions, params.sid);
      const { untrusted } = session.views.notebook.body();
      // Git reads the settings of the repository.
      if (untrusted !== undefined) throw new AppError('NOTEBOOK_UNTRUSTED', untrusted);
      const since = await sinceCommit(session.path, { env: process.env });
      if (since.kind === 'none') return { commit: null, changes: [], truncated: false };
      const { hash, subject, at, changes, truncated } = since;
      return { commit: { hash, subject, at }, changes: [...changes], truncated };
    },
    setCellSettings: async ({ params, body, caller }) => {
      const session = sessionOf(sessions, params.sid);
      const cellId = knownCellId(params.cell_id);
      const request = { type: 'change_cell_settings', cellId, text: body.settings } as const;
      await dispatchAndWait({ session, caller }, request, 'done');
      return { cell_id: cellId, settings: session.views.settings.ofCell(cellId) };
    },
    notebookUndo: async ({ params }) => {
      const { stack, forgotten, problem } = await sessionOf(
        sessions,
        params.sid,
      ).views.editor.undoRecord.load();
      return { ...stack, forgotten, problem };
    },
    keepUndo: async ({ params, body }) => {
      const session = writableSession(sessions, params.sid);
      return { kept: await whileThere(session.path, session.views.editor.undoRecord.keep(body)) };
    },
    testDrafts: async ({ params }) => {
      const { drafts, problem } = await sessionOf(sessions, params.sid).views.editor.drafts.tests.list();
      return { drafts: [...drafts], problem };
    },
    keepTestDraft: async ({ params, body: { draft } }) => {
      const session = writableSession(sessions, params.sid);
      const cellId = knownCellId(params.cell_id);
      if (draft !== null && session.views.cells.one(cellId) === null)
        throw new AppError('not_found', 'Cell not found');
      const drafts = session.views.editor.drafts.tests;
      const draftWrite =
        draft === null ? drafts.forget({ cell_id: cellId }) : drafts.keep({ cell_id: cellId, ...draft });
      await whileThere(session.path, draftWrite);
      return { cell_id: cellId, kept: draft !== null };
    },
    sourceDrafts: async ({ params }) => {
      const { drafts, problem } = await sessionOf(sessions, params.sid).views.editor.drafts.sources.list();
      return { drafts: [...drafts], problem };
    },
    keepSourceDraft: async ({ params, body: { window, draft } }) => {
      const session = writableSession(sessions, params.sid);
      const cellId = knownCellId(params.cell_id);
      const key = { cell_id: cellId, window };
      // The draft of a deleted cell is stored until another cell has its id.
      if (draft !== null && session.views.cells.one(cellId) === null) {
        const { versions } = await session.views.editor.history.list(cellId, 'source');
        if (versions.length === 0) throw new AppError('not_found', 'Cell not found');
      }
      const drafts = session.views.editor.drafts.sources;
      await whileThere(session.path, draft === null ? drafts.forget(key) : drafts.keep({ ...key, ...draft }));
      return { cell_id: key.cell_id, kept: draft !== null };
    },
    notebookTimeline: async ({ params }) => ({ changes: await timelineOf(sessionOf(sessions, params.sid)) }),
    notebookThen: async ({ params, query }) => {
      const session = sessionOf(sessions, params.sid);
      const cells = await differencesAt(session, Date.parse(query.at));
      return { at: query.at, cells };
    },
    notebookHistory: async ({ params }) => {
      const session = sessionOf(sessions, params.sid);
      const cells = await session.views.editor.history.cells();
      return {
        cells: cells.map(({ id, last, text }) => ({
          cell_id: id,
          title: titleOf(text),
          at: new Date(last.atMs).toISOString(),
          present: session.views.cells.one(id) !== null,
        })),
      };
    },
  };
}

function textOf(
  session: Session,
  { cell, part }: { readonly cell: Cell; readonly part: HistoryPart },
): string {
  switch (part) {
    case 'source':
      return cell.source;
    case 'tests':
      return cell.test_source;
    case 'settings':
      return session.views.settings.ofCell(cellIdOf(cell.id));
    default:
      return part satisfies never;
  }
}

/** @throws AppError conflict if the notebook's folder was removed */
async function whileThere<T>(path: NotebookFolder, keeping: Promise<T>): Promise<T> {
  try {
    return await keeping;
  } catch (error) {
    if (errnoOf(error) !== 'ENOENT') throw error;
    throw new AppError('conflict', `The folder ${path} no longer exists, so nothing was saved.`);
  }
}

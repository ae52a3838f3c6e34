import { join } from 'node:path';
import { writeNotebook } from '../support/notebookFolder.ts';
import { rest } from '../support/rest.ts';
import { folderCalls } from './folderCalls.ts';
import type { Call } from './refusedCalls.ts';
import { anotherNotebook, pathOf, type RouteWorld } from './routeWorld.ts';

/** A valid call of each route of cells, of their results, and of export and import. */
export function cellCalls(at: () => RouteWorld) {
  return {
    deleteNotebook: async () => {
      const other = await anotherNotebook(at(), 'deleting');
      return { params: { sid: other.sid } };
    },
    deleteNotebookByPath: async () => ({
      body: { path: await writeNotebook(join(at().root, 'by-path'), { cells: [] }) },
    }),
    discoverNotebooks: () => ({}),
    validateRecents: () => ({ body: { paths: [at().notebook.path, '/nowhere'] } }),
    listSessions: () => ({}),
    getSession: () => ({}),
    getConfig: () => ({}),
    getDag: () => ({}),
    listCells: () => ({}),
    addCell: () => ({ body: { after_cell_id: 'value001', language: 'markdown' } }),
    editCell: () => ({ params: { cell_id: 'spare001' }, body: { source: 'y = 2' } }),
    deleteCell: async () => {
      const added = await rest<{ id: string }>(
        at().server.url,
        'POST',
        `/v1/notebooks/${at().notebook.sid}/cells`,
        {},
      );
      return { params: { cell_id: added.body.id } };
    },
    restoreCell: async () => {
      const base = `/v1/notebooks/${at().notebook.sid}/cells`;
      const added = await rest<{ id: string }>(at().server.url, 'POST', base, {});
      await rest(at().server.url, 'DELETE', `${base}/${added.body.id}`);
      return { params: { cell_id: added.body.id } };
    },
    addVariant: () => ({ params: { group_id: 'm' } }),
    chooseVariant: () => ({ params: { group_id: 'm' }, body: { active: 'lo', mode: 'sweep' } }),
    cellResults: () => ({}),
    compareResults: () => ({
      params: { cell_id: 'shown001' },
      query: { before: at().frameUri, after: at().frameUri },
    }),
    askLanguage: () => ({ body: { ask: 'complete', source: 'x.', position: { line: 0, character: 2 } } }),
    listVariables: () => ({}),
    explainCell: () => ({}),
    cellHistory: () => ({ params: { cell_id: 'spare001' } }),
    setCellSettings: () => ({ params: { cell_id: 'spare001' }, body: { settings: 'timeout = 60' } }),
    cellVersion: async () => {
      await at().notebook.edit('spare001', 'y = 3');
      const { body } = await at().notebook.get<{ versions: { version: string }[] }>(
        '/x/cells/spare001/history',
      );
      return { params: { cell_id: 'spare001', version: body.versions[0]?.version ?? '' } };
    },
    notebookHistory: () => ({}),
    notebookTimeline: () => ({}),
    sinceCommit: () => ({}),
    notebookThen: () => ({ query: { at: '2026-01-01T00:00:00Z' } }),
    notebookUndo: () => ({}),
    keepUndo: () => ({
      body: {
        done: [{ id: 'w-1', deed: 'add', changes: [{ kind: 'added', cellId: 'spare001' }] }],
        undone: [],
        gone: [],
      },
    }),
    testDrafts: () => ({}),
    keepTestDraft: () => ({
      params: { cell_id: 'spare001' },
      body: { draft: { text: 'def test_a(): pass', base: '' } },
    }),
    sourceDrafts: () => ({}),
    keepSourceDraft: () => ({
      params: { cell_id: 'spare001' },
      body: { window: 'w', draft: { text: 'y = 4', base: 'y = 2', name: 'y', language: 'python' } },
    }),
    cellLog: () => ({ query: { stream: 'stderr' } }),
    serverLog: () => ({}),
    cellSummary: () => ({ params: { cell_id: 'shown001' }, query: { artifact_uri: at().tableUri } }),
    cellDistribution: () => ({ query: { artifact_uri: at().frameUri, search: 'a' } }),
    cellColumn: () => ({ query: { artifact_uri: at().frameUri, column: 'i8', most: '3' } }),
    cellGroups: () => ({
      query: { artifact_uri: at().frameUri, by: '["i8"]', measures: '[{"agg":"rows"}]' },
    }),
    cellExport: () => ({ query: { artifact_uri: at().frameUri, fmt: 'csv' } }),
    ...folderCalls(() => ({ url: at().server.url, sid: at().notebook.sid })),
    listMounts: () => ({}),
    keepMountCredential: async () => {
      const other = await anotherNotebook(at(), 'moving');
      const mounts = [{ name: 'raw', uri: 's3://bucket/raw', options: { secret: 'option-secret-0123' } }];
      await rest(at().server.url, 'PUT', `/v1/notebooks/${other.sid}/mounts`, { mounts });
      return { params: { sid: other.sid, name: 'raw' } };
    },
    ownSnippets: () => ({}),
    setOwnSnippets: () => ({ body: { snippets: [], base_sha256: null } }),
    notebookSettings: () => ({}),
    setNotebookSettings: () => ({ body: { parallel_cells: 4 } }),
    setAppLayout: () => ({ body: { layout: 'grid' } }),
    resultStorage: () => ({}),
    sweepResults: () => ({ body: { dry_run: true, max_idle_days: 0 } }),
    listExamples: () => ({}),
    openExample: () => ({ params: { name: 'penguins' } }),
    reorderCells: () => ({ body: { cell_ids: ['spare001', 'nobody', 'value001'] } }),
    executeCell: () => ({ params: { cell_id: 'shown001' }, query: { mode: 'normal' } }),
    cancelCell: () => ({ params: { cell_id: 'shown001' } }),
    setCellTests: () => ({ params: { cell_id: 'spare001' }, body: { source: 'def test_a(): pass\n' } }),
    runCellTests: async () => {
      const path = `/v1/notebooks/${at().notebook.sid}/cells/spare001/tests`;
      await rest(at().server.url, 'PUT', path, { source: 'def test_a(): pass\n' });
      return { params: { cell_id: 'spare001' } };
    },
    cancelCellTests: () => ({}),
    cellIterations: () => ({ params: { cell_id: 'looped01' } }),
    cellIteration: () => ({ params: { cell_id: 'looped01', iteration: '-1' } }),
    cellData: () => ({ params: { cell_id: 'shown001' }, query: { artifact_uri: at().tableUri } }),
    exportNotebook: () => ({ query: { fmt: 'snapshot', include: 'all' } }),
    importNotebook: () => {
      const form = new FormData();
      form.set('file', new Blob(['{"cells": []}']), 'Empty.ipynb');
      form.set('parent_path', at().root);
      return { form };
    },
    importSnapshot: async () => {
      const bytes = await fetch(
        `${at().server.url}${pathOf(at(), 'exportNotebook', { query: { fmt: 'snapshot' } })}`,
      );
      const form = new FormData();
      form.set('file', await bytes.blob(), 'Taken along.snapshot.zip');
      form.set('parent_path', at().root);
      return { form };
    },
    outputBlob: () => ({ params: { cell_id: 'shown001', index: '-1' } }),
  } satisfies Record<string, () => Call | Promise<Call>>;
}

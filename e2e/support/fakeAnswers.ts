/** The default answers of the fake server, which browser tests of the renderer use instead of a real one, by route. */

import type { ServerResponse } from 'node:http';
import { NO_APP_LAYOUT, withAppEdit } from '../../src-shared/notebook/appEdit.ts';
import { AUTO_RUN_OFF } from '../../src-shared/wire/autoRun.ts';
import { MASKED } from '../../src-shared/wire/notebookState.ts';
import type { RouteName } from '../../src-shared/wire/routes/all.ts';
import { ROUTES } from '../../src-shared/wire/routes/all.ts';
import { refuse } from './fakeHttp.ts';
import type { FakeServer } from './fakeServer.ts';
import { fakeCell } from './fakeServerNotebook.ts';
import { columnOf, distributionOf, exportOf, groupsOf, pageOf, summaryOf } from './fakeTable.ts';

/** One request; `id` is that of the cell in its path. */
export interface Asked {
  readonly params: Readonly<Record<string, string>>;
  readonly id: string;
  readonly body: unknown;
  readonly url: URL;
  readonly response: ServerResponse;
}

/** The default answer of the fake server, by route: a body, or undefined if the response was written directly. */
export const ANSWERS: { readonly [N in RouteName]?: (fake: FakeServer, asked: Asked) => unknown } = {
  openNotebook: (fake, { response }) => {
    if (fake.openRefusal === null) return fake.state();
    return refuse(response, fake.openRefusal.status, fake.openRefusal.detail);
  },
  getSession: (fake) => fake.state(),
  listSessions: (fake) => ({
    sessions: [
      {
        session_id: fake.sessionId,
        name: fake.body.name,
        path: fake.path,
        notebook_id: fake.body.id,
        created_at: null,
        updated_at: null,
      },
    ],
  }),
  ownSnippets: () => ({ snippets: [], problem: null, path: '/home/me/snippets.toml', sha256: null }),
  listTableCatalogs: () => ({ catalogs: [] }),
  discoverNotebooks: () => ({ root: '/home/me/notebooks', notebooks: [] }),
  validateRecents: (_fake, { body }) => ({ valid: ROUTES.validateRecents.body.parse(body).paths }),
  deleteNotebook: (fake) => {
    fake.send('session_closed', { reason: 'deleted', message: 'The notebook was deleted.' });
    return { deleted: true, session_id: fake.sessionId, name: fake.body.name, path: fake.path };
  },
  deleteNotebookByPath: (_fake, { body }) => ({
    deleted: true,
    path: ROUTES.deleteNotebookByPath.body.parse(body).path,
  }),
  renameNotebook: (fake, { body }) => {
    const { name: wanted } = ROUTES.renameNotebook.body.parse(body);
    fake.body = { ...fake.body, name: wanted };
    return { notebook_id: fake.body.id, name: wanted };
  },
  addCell: (fake, { body }) => {
    const { after_cell_id, language } = ROUTES.addCell.body.parse(body);
    let nth = fake.body.cells.length;
    const isUsed = (): boolean =>
      fake.deleted.has(`new${nth}`) || fake.body.cells.some((one) => one.id === `new${nth}`);
    while (isUsed()) nth += 1;
    const cell = fakeCell({ id: `new${nth}`, language });
    const cells = [...fake.body.cells];
    const at = cells.findIndex((one) => one.id === after_cell_id);
    cells.splice(at === -1 ? cells.length : at + 1, 0, cell);
    fake.body = { ...fake.body, cells };
    fake.broadcastState();
    return cell;
  },
  editCell: (fake, { body, id }) => {
    const { source } = ROUTES.editCell.body.parse(body);
    fake.setCell(id, { source });
    fake.broadcastState();
    return { cell: fake.cell(id), dag: fake.dagBody(), cells: fake.body.cells };
  },
  deleteCell: (fake, { id }) => {
    fake.deleted.set(id, { cell: fake.cell(id), at: fake.body.cells.indexOf(fake.cell(id)) });
    fake.body = { ...fake.body, cells: fake.body.cells.filter((cell) => cell.id !== id) };
    fake.broadcastState();
    return {
      message: 'deleted',
      cell_id: id,
      variant_groups: [],
      cells: fake.body.cells,
      dag: fake.dagBody(),
    };
  },
  restoreCell: (fake, { response, id }) => {
    const deleted = fake.deleted.get(id);
    if (deleted === undefined) return refuse(response, 404, 'Cell not found');
    fake.deleted.delete(id);
    const cells = [...fake.body.cells];
    cells.splice(deleted.at, 0, deleted.cell);
    fake.body = { ...fake.body, cells };
    fake.broadcastState();
    return { message: 'restored', cell_id: id, variant_groups: [], cells, dag: fake.dagBody() };
  },
  testDrafts: () => ({ drafts: [], problem: null }),
  sourceDrafts: () => ({ drafts: [], problem: null }),
  notebookUndo: () => ({ done: [], undone: [], forgotten: 0, problem: null }),
  keepUndo: (_fake, { body }) => ({ kept: ROUTES.keepUndo.body.parse(body).done.length }),
  reorderCells: (fake, { body }) => {
    const { cell_ids } = ROUTES.reorderCells.body.parse(body);
    fake.body = { ...fake.body, cells: cell_ids.map((one) => fake.cell(one)) };
    fake.broadcastState();
    return { notebook_id: fake.body.id, cells: fake.body.cells };
  },
  setMounts: (fake, { body }) => {
    const { mounts } = ROUTES.setMounts.body.parse(body);
    fake.body = { ...fake.body, mounts };
    return { mounts, cells: fake.body.cells };
  },
  aiStatus: () => NO_AI,
  aiModels: () => ({ models: ['large-2', 'small-1'], current: NO_AI.model, provider: NO_AI.provider }),
  listMounts: (fake) => ({
    notebook: fake.body.mounts,
    mounts: fake.body.mounts.map(({ name, uri, mode, credential, options }) => ({
      kind: 'mount',
      name,
      uri,
      mode,
      credential,
      secret_options: Object.keys(options).filter((key) => options[key] === MASKED),
      scope: 'notebook',
      cell_ids: [],
      state: mode === 'rw' ? 'writable' : 'ok',
      problem: null,
      files: 1,
      bytes: 2048,
      checked_at: null,
      ...fake.seenMounts[name],
    })),
  }),
  keepMountCredential: (fake, { params }) => {
    const { name } = params;
    fake.body = {
      ...fake.body,
      mounts: fake.body.mounts.map((mount) =>
        mount.name === name ? { ...mount, options: {}, credential: mount.name } : mount,
      ),
    };
    return { credential: name, mounts: fake.body.mounts };
  },
  notebookSettings: (fake) => ({
    parallel_cells: { own: null, server: 1 },
    auto_run: fake.body.auto_run ?? AUTO_RUN_OFF,
  }),
  setNotebookSettings: (fake, { body }) => {
    const { parallel_cells: own = null, auto_run } = ROUTES.setNotebookSettings.body.parse(body);
    if (auto_run !== undefined) {
      fake.body = { ...fake.body, auto_run };
      fake.broadcastState();
    }
    return { parallel_cells: { own, server: 1 }, auto_run: fake.body.auto_run ?? AUTO_RUN_OFF };
  },
  setAppLayout: (fake, { body }) => {
    const edit = ROUTES.setAppLayout.body.parse(body);
    const app = withAppEdit(fake.body.app ?? NO_APP_LAYOUT, edit);
    fake.body = { ...fake.body, app: structuredClone(app) as NonNullable<typeof fake.body.app> };
    fake.send('app_layout', app);
    return app;
  },
  resultStorage: (fake) => fake.storage,
  sweepResults: (fake) => {
    const { spare_bytes, store_bytes, kept } = fake.storage;
    const left = store_bytes - spare_bytes;
    const spare = kept.find(({ reason }) => reason === 'spare')?.results ?? 0;
    const held = kept.filter(({ reason }) => reason !== 'spare');
    const gone = fake.storage.copies.reduce((sum, { spare_bytes: bytes }) => sum + bytes, 0);
    fake.storage = { ...fake.storage, store_bytes: left, spare_bytes: 0, kept: held };
    const freed = { deleted_count: spare, deleted_bytes: spare_bytes };
    return { ...freed, store_bytes: left, dry_run: false, copies_count: gone, copies_bytes: gone };
  },
  listFiles: (fake) => ({ files: fake.files, truncated: false }),
  cellResults: (fake, { id }) => ({
    cell_id: id,
    results: fake.results.get(id) ?? [],
    runs: fake.runs.get(id) ?? [],
  }),
  compareResults: (fake, { id, url }) => ({
    cell_id: id,
    comparison: fake.comparisons.get(url.search) ?? { kind: 'same' },
  }),
  askLanguage: () => ({ state: 'ready', words: null }),
  listVariables: (fake) => ({ variables: fake.variables }),
  cellData: (fake, { url, id }) => {
    fake.dataQueries.push(url.search);
    return pageOf(fake.tables, id, url);
  },
  cellSummary: (fake, { url, id }) => summaryOf(fake.tables, id, url),
  cellColumn: (fake, { url, id }) => columnOf(fake.tables, id, url),
  cellGroups: (fake, { url, id }) => groupsOf(fake.tables, id, url),
  cellDistribution: (fake, { url, response, id }) => {
    fake.distributionQueries.push(url.search);
    const answer = JSON.stringify(distributionOf(fake.tables, id, url));
    // The answer waits for the test, which can check the table before it arrives.
    void fake.distributionGate.then(() =>
      response.writeHead(200, { 'content-type': 'application/json' }).end(answer),
    );
    return undefined;
  },
  explainCell: (fake, { id }) =>
    fake.explanations.get(id) ?? {
      cell_id: id,
      status: fake.cell(id).status,
      verdict: fake.cell(id).status === 'ready' ? 'fresh' : 'never_run',
      headline: 'This cell has not run yet.',
      inputs: [],
      code: [],
      last_run: null,
    },
  cellLog: (fake, { url, response, id }) => {
    const { console_stdout, console_stderr } = fake.cell(id);
    const text = url.searchParams.get('stream') === 'stderr' ? console_stderr : console_stdout;
    response.writeHead(200, { 'content-type': 'text/plain; charset=utf-8' }).end(text);
    return undefined;
  },
  serverLog: (fake) => ({ lines: fake.logLines }),
  cellExport: (fake, { url, response, id }) => {
    const file = exportOf(fake.tables, id, url);
    if (file === null) return refuse(response, 400, 'This result is not a table that can be exported.');
    fake.exportQueries.push(url.search);
    response.writeHead(200, { 'content-type': file.type });
    response.write(file.first);
    // The rest waits for the test, which can check and stop an export in progress.
    void fake.exportGate.then(() => response.end(file.rest));
    return undefined;
  },
  listExamples: () => ({ examples: [] }),
  openExample: (_fake, { params }) => ({ path: `/home/me/notebooks/${params['name']}` }),
  outputBlob: (fake, { response, params, id }) => {
    const blob = fake.blobs.get(`${id}/${params['index']}`);
    if (blob === undefined) return refuse(response, 404, 'no such output');
    response.writeHead(200, { 'content-type': blob.type }).end(blob.bytes);
    return undefined;
  },
};

/** A notebook without an AI model. */
const NO_AI = {
  available: false,
  model: 'gpt-5.4',
  provider: 'openai',
  base_url: 'https://api.openai.com/v1',
  hint: 'No AI provider is configured. Add the variable OPENAI_API_KEY to this notebook.',
  own: {
    model: null,
    base_url: null,
    max_output_tokens: null,
    timeout_seconds: null,
    max_context_tokens: null,
    approval_timeout_seconds: null,
  },
};

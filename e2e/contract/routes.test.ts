import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AiServer, startAiServer } from '../../src-main/ai/testing/aiStandIn.ts';
import {
  createTestIndex,
  indexSettings,
  type TestIndex,
} from '../../src-main/environment/testing/testIndex.ts';
import { type ParsedRouteName, ROUTES, type RouteName } from '../../src-shared/wire/routes/all.ts';
import type { RouteContract } from '../../src-shared/wire/routes/contract.ts';
import { writeNotebook } from '../support/notebookFolder.ts';
import { type OpenNotebook, openNotebook } from '../support/openNotebook.ts';
import { rest } from '../support/rest.ts';
import { type ServerProcess, startServerProcess } from '../support/serverProcess.ts';
import { type SilentServer, startSilentServer } from '../support/silentServer.ts';
import { type SshServer, startSshServer, whyNoSshd } from '../support/sshServer.ts';
import { storeTable } from '../support/storedTable.ts';
import { aiCalls } from './aiCalls.ts';
import { artifactCalls } from './artifactCalls.ts';
import { artifactMapCalls } from './artifactMapCalls.ts';
import { dataPlaneCalls } from './dataPlaneCalls.ts';
import { folderCalls } from './folderCalls.ts';
import { type Call, REFUSED } from './refusedCalls.ts';

let root = '';
let server: ServerProcess;
let notebook: OpenNotebook;
let index: TestIndex;
let ai: AiServer;
let ssh: SshServer | null = null;
let silent: SilentServer | null = null;
let tableUri = '';
let frameUri = '';
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'cellar-contract-'));
  // Packages come from a folder of tiny ones: nothing is fetched.
  index = await createTestIndex();
  await index.wheel({ name: 'apple', version: '1.0' });
  silent = await startSilentServer();
  ssh = whyNoSshd === null ? await startSshServer() : null;
  const PATH = [ssh?.bin, process.env['PATH']].filter((part) => part !== undefined).join(delimiter);
  ai = await startAiServer();
  ai.next({ kind: 'text', text: 'Hello' });
  server = await startServerProcess({
    grants: [root],
    env: {
      ...indexSettings(index),
      ...{ PATH, SVC_REGISTRY_PROTECTED_ALIASES: 'prod' },
      SVC_CATALOGS: JSON.stringify({ silent: { type: 'rest', uri: silent.url } }),
      ...{ SVC_AI_BASE_URL: `${ai.origin}/v1`, SVC_AI_API_KEY: 'server-key-0123456789' },
    },
  });
  const dir = await writeNotebook(join(root, 'contract'), {
    cells: [
      { id: 'value001', source: 'x = {"a": [1, 2.5, None]}' },
      { id: 'shown001', source: 'x' },
      { id: 'spare001', source: 'y = 1' },
      { id: 'lo000001', source: '# @variant m lo\nz = 1' },
      { id: 'looped01', source: '# @loop max_iter=2 carry=y\ny = y + 1\ny' },
    ],
  });
  frameUri = await storeTable(dir, 'shown001', 'types');
  notebook = await openNotebook(server, dir);
  await notebook.execute('shown001');
  await notebook.execute('looped01');
  tableUri = (await notebook.cell('shown001')).display_output?.artifact_uri ?? '';
});
afterAll(async () => {
  await server.dispose();
  await ssh?.dispose();
  silent?.close();
  await index.close();
  await ai.close();
  await rm(root, { recursive: true, force: true });
});

let madeNotebooks = 0;
/** A separate notebook whose environment is ready. */
async function forJobs(): Promise<OpenNotebook> {
  madeNotebooks += 1;
  const other = await openNotebook(server, join(root, `jobs-${madeNotebooks}`), [
    { id: 'a0000001', source: '1' },
  ]);
  await other.execute('a0000001');
  return other;
}

let withAssistant: Promise<OpenNotebook> | null = null;
/** A call about a notebook whose assistant uses the fake provider. */
async function toAssistant(body: unknown): Promise<Call> {
  withAssistant ??= openNotebook(server, join(root, 'assistant'), [{ id: 'a0000001', source: 'x = 1' }]);
  return { params: { sid: (await withAssistant).sid }, body };
}

async function aJob(body: unknown): Promise<Call> {
  return { params: { sid: (await forJobs()).sid }, body };
}

const JOB = { timeout: 60_000, interval: 50 };
const WAITING = 'elsewhere @ file:///nowhere/elsewhere.whl';

/** An imported notebook with a package that waits; its first job has ended. */
async function withWaiting(): Promise<string> {
  const form = new FormData();
  const cells = [
    { cell_type: 'code', id: 'a', metadata: {}, outputs: [], source: `%pip install "${WAITING}"` },
  ];
  form.append('file', new Blob([JSON.stringify({ nbformat: 4, metadata: {}, cells })]), 'waiting.ipynb');
  form.append('name', `waiting ${process.hrtime.bigint()}`);
  const answer = await fetch(`${server.url}/v1/notebooks/import`, { method: 'POST', body: form });
  const { session_id: sid } = (await answer.json()) as { session_id: string };
  await expect
    .poll(async () => {
      const { body } = await rest<{ environment_job: { status: string } | null }>(
        server.url,
        'GET',
        `/v1/notebooks/${sid}/environment`,
      );
      return body.environment_job?.status;
    }, JOB)
    .not.toBe('running');
  return sid;
}

/** A notebook and the job that added a package to it. */
async function afterAdding(): Promise<Call> {
  const other = await forJobs();
  const path = `/v1/notebooks/${other.sid}/dependencies`;
  const { body } = await rest<{ environment_job: { id: string } }>(server.url, 'POST', path, {
    package: 'apple',
  });
  return { params: { sid: other.sid, job_id: body.environment_job.id } };
}

async function haveConnection(): Promise<void> {
  const connections = [{ name: 'mem', driver: 'duckdb' }];
  await rest(server.url, 'PUT', `/v1/notebooks/${notebook.sid}/connections`, { connections });
}

/** No worker listens there; the route must answer nevertheless. */
const GPU = { name: 'gpu', backend: 'executor', config: { url: 'http://127.0.0.1:9/v1/execute' } };

/** A worker of the server, alone on its list. */
async function haveServerWorker(): Promise<{ name: string }> {
  await rest(server.url, 'PUT', '/v1/admin/notebook-workers', { workers: [GPU] });
  return { name: GPU.name };
}

/** An artifact's address as the parameters of a route. */
function versionIn(uri: string): Readonly<Record<string, string>> {
  const [, id = '', version = ''] = /^svc:\/\/artifact\/(.+)@v=(\d+)$/.exec(uri) ?? [];
  return { artifact_id: id, version };
}

/** A good call of every route but the builds' (buildRoutes.test.ts); ones that end something get a notebook of their own. */
const GOOD: Readonly<Record<ParsedRouteName, () => Promise<Call> | Call>> = {
  health: () => ({}),
  ...artifactCalls(() => server),
  ...dataPlaneCalls(() => server),
  artifactCatalog: () => ({ query: { search: 'a', kept: 'nothing', limit: '5' } }),
  ...artifactMapCalls(() => server.url, versionIn),
  promoteArtifact: () => ({
    params: versionIn(frameUri),
    body: { name: 'team/frame', alias: 'next', tags: { stage: 'raw' } },
  }),
  previewPromotion: () => ({ params: versionIn(frameUri) }),
  createNotebook: () => ({ body: { parent_path: root, name: 'Fresh one', starter_cell: true } }),
  openNotebook: () => ({ body: { path: notebook.path } }),
  closeNotebook: async () => {
    const other = await openNotebook(server, join(root, 'closing'), [{ id: 'a0000001', source: '1' }]);
    return { params: { sid: other.sid } };
  },
  quiesceNotebook: async () => ({ params: { sid: (await forJobs()).sid }, body: { timeout_seconds: 1 } }),
  releaseNotebook: () => ({}),
  quiesceProject: async () => ({ params: { path: (await forJobs()).path } }),
  releaseProject: () => ({ params: { path: join(root, 'nobody') } }),
  setTimeout: () => ({ body: { timeout: 90.5 } }),
  notebookArtifacts: () => ({}),
  renameNotebook: () => ({ body: { name: '  Renamed  ' } }),
  setMounts: async () => {
    const other = await openNotebook(server, join(root, 'mounting'), [{ id: 'a0000001', source: '1' }]);
    return { params: { sid: other.sid }, body: { mounts: [{ name: 'raw', uri: 'file://./data' }] } };
  },
  listConnections: () => ({}),
  setConnections: () => ({ body: { connections: [{ name: 'mem', driver: 'duckdb' }] } }),
  connectionSchema: async () => {
    await haveConnection();
    return { params: { name: 'mem' } };
  },
  testConnection: async () => {
    await haveConnection();
    return { params: { name: 'mem' } };
  },
  listWorkers: () => ({ query: { refresh: 'true' } }),
  setWorkers: () => ({ body: { workers: [GPU] } }),
  setWorker: () => ({ body: { worker: 'local' } }),
  testWorker: () => ({ body: { url: GPU.config.url } }),
  setWorkerToken: async () => {
    await rest(server.url, 'PUT', `/v1/notebooks/${notebook.sid}/workers`, { workers: [GPU] });
    return { body: { name: GPU.name, token: 'a-long-token' } };
  },
  connectSshWorker: () => ({ body: { ssh_target: 'lab', name: 'by-ssh' } }),
  listSshWorkers: () => ({}),
  workerLog: () => ({ query: { name: 'by-ssh' } }),
  disconnectSshWorker: () => ({ params: { name: 'by-ssh' }, query: { stop_remote: 'true' } }),
  listServerWorkers: () => ({ query: { refresh: 'true' } }),
  setServerWorkers: () => ({ body: { workers: [{ ...GPU, config: { ...GPU.config, rack: 7 } }] } }),
  addServerWorker: () => ({ body: { ...GPU, name: 'added', enabled: false } }),
  changeServerWorker: async () => ({ params: await haveServerWorker(), body: { ...GPU, name: 'changed' } }),
  switchServerWorker: async () => ({ params: await haveServerWorker(), body: { enabled: false } }),
  removeServerWorker: async () => ({ params: await haveServerWorker() }),
  askServerWorker: async () => ({ params: await haveServerWorker() }),
  reloadServerWorkers: () => ({}),
  setEnv: () => ({ body: { env: { MODE: 'quick', API_KEY: 'a-long-key' } } }),
  setSecretManager: () => ({ body: { provider: 'infisical', project_id: 'p' } }),
  refreshSecrets: () => ({}),
  environment: () => ({}),
  dependencies: () => ({}),
  rPackages: () => ({}),
  addDependency: () => aJob({ package: 'apple>=1' }),
  removeDependency: async () => ({ params: { ...(await afterAdding()).params, package_name: 'Apple' } }),
  syncEnvironment: async () => ({ params: { sid: (await forJobs()).sid } }),
  currentEnvironmentJob: () => ({}),
  startEnvironmentJob: () => aJob({ action: 'sync' }),
  setPythonVersion: async () => {
    const { body } = await rest<{ default_python_version: string }>(
      server.url,
      'GET',
      '/v1/notebooks/config',
    );
    return aJob({ python_version: body.default_python_version });
  },
  exportRequirements: () => ({}),
  importRequirements: () => aJob({ requirements: 'apple' }),
  previewRequirements: () => ({ body: { requirements: 'apple' } }),
  importEnvironmentYaml: () => aJob({ environment_yaml: 'dependencies: [apple]' }),
  previewEnvironmentYaml: () => ({ body: { environment_yaml: 'dependencies: [apple]' } }),
  previewEnvironmentJob: () => ({ body: { add: 'apple' } }),
  addPackages: async () => ({ params: { sid: (await forJobs()).sid }, body: { packages: ['apple'] } }),
  suggestPackages: () => ({ query: { typed: 'sklearn' } }),
  lookUpPackage: () => ({ params: { package_name: 'apple' } }),
  readPackageList: () => ({ body: { file_name: 'requirements.txt', text: 'apple' } }),
  cancelEnvironmentJob: () => ({}),
  environmentJobChanges: afterAdding,
  diagnoseEnvironment: () => ({}),
  allowPackages: async () => ({
    params: { sid: await withWaiting() },
    body: { requirements: [WAITING] },
  }),
  repairEnvironment: async () => ({ params: { sid: (await forJobs()).sid } }),
  undoEnvironmentJob: afterAdding,
  aiStatus: () => ({}),
  aiModels: () => ({}),
  ...aiCalls(toAssistant),
  deleteNotebook: async () => {
    const other = await openNotebook(server, join(root, 'deleting'), [{ id: 'a0000001', source: '1' }]);
    return { params: { sid: other.sid } };
  },
  deleteNotebookByPath: async () => ({
    body: { path: await writeNotebook(join(root, 'by-path'), { cells: [] }) },
  }),
  discoverNotebooks: () => ({}),
  validateRecents: () => ({ body: { paths: [notebook.path, '/nowhere'] } }),
  listSessions: () => ({}),
  getSession: () => ({}),
  getConfig: () => ({}),
  getDag: () => ({}),
  listCells: () => ({}),
  addCell: () => ({ body: { after_cell_id: 'value001', language: 'markdown' } }),
  editCell: () => ({ params: { cell_id: 'spare001' }, body: { source: 'y = 2' } }),
  deleteCell: async () => {
    const added = await rest<{ id: string }>(server.url, 'POST', `/v1/notebooks/${notebook.sid}/cells`, {});
    return { params: { cell_id: added.body.id } };
  },
  restoreCell: async () => {
    const base = `/v1/notebooks/${notebook.sid}/cells`;
    const added = await rest<{ id: string }>(server.url, 'POST', base, {});
    await rest(server.url, 'DELETE', `${base}/${added.body.id}`);
    return { params: { cell_id: added.body.id } };
  },
  addVariant: () => ({ params: { group_id: 'm' } }),
  chooseVariant: () => ({ params: { group_id: 'm' }, body: { active: 'lo', mode: 'sweep' } }),
  cellResults: () => ({}),
  compareResults: () => ({ params: { cell_id: 'shown001' }, query: { before: frameUri, after: frameUri } }),
  askLanguage: () => ({ body: { ask: 'complete', source: 'x.', position: { line: 0, character: 2 } } }),
  listVariables: () => ({}),
  explainCell: () => ({}),
  cellHistory: () => ({ params: { cell_id: 'spare001' } }),
  setCellSettings: () => ({ params: { cell_id: 'spare001' }, body: { settings: 'timeout = 60' } }),
  cellVersion: async () => {
    await notebook.edit('spare001', 'y = 3');
    const { body } = await notebook.get<{ versions: { version: string }[] }>('/x/cells/spare001/history');
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
      ...{ undone: [], gone: [] },
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
  cellSummary: () => ({ params: { cell_id: 'shown001' }, query: { artifact_uri: tableUri } }),
  cellDistribution: () => ({ query: { artifact_uri: frameUri, search: 'a' } }),
  cellColumn: () => ({ query: { artifact_uri: frameUri, column: 'i8', most: '3' } }),
  cellGroups: () => ({ query: { artifact_uri: frameUri, by: '["i8"]', measures: '[{"agg":"rows"}]' } }),
  cellExport: () => ({ query: { artifact_uri: frameUri, fmt: 'csv' } }),
  ...folderCalls(() => ({ url: server.url, sid: notebook.sid })),
  listMounts: () => ({}),
  keepMountCredential: async () => {
    const other = await openNotebook(server, join(root, 'moving'), [{ id: 'a0000001', source: '1' }]);
    const mounts = [{ name: 'raw', uri: 's3://bucket/raw', options: { secret: 'option-secret-0123' } }];
    await rest(server.url, 'PUT', `/v1/notebooks/${other.sid}/mounts`, { mounts });
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
    const path = `/v1/notebooks/${notebook.sid}/cells/spare001/tests`;
    await rest(server.url, 'PUT', path, { source: 'def test_a(): pass\n' });
    return { params: { cell_id: 'spare001' } };
  },
  cancelCellTests: () => ({}),
  cellIterations: () => ({ params: { cell_id: 'looped01' } }),
  cellIteration: () => ({ params: { cell_id: 'looped01', iteration: '-1' } }),
  cellData: () => ({ params: { cell_id: 'shown001' }, query: { artifact_uri: tableUri } }),
  exportNotebook: () => ({ query: { fmt: 'snapshot', include: 'all' } }),
  importNotebook: () => {
    const form = new FormData();
    form.set('file', new Blob(['{"cells": []}']), 'Empty.ipynb');
    form.set('parent_path', root);
    return { form };
  },
  importSnapshot: async () => {
    const bytes = await fetch(`${server.url}${pathOf('exportNotebook', { query: { fmt: 'snapshot' } })}`);
    const form = new FormData();
    form.set('file', await bytes.blob(), 'Taken along.snapshot.zip');
    form.set('parent_path', root);
    return { form };
  },
  outputBlob: () => ({ params: { cell_id: 'shown001', index: '-1' } }),
};

function pathOf(name: RouteName, call: Call): string {
  const params: Record<string, string> = {
    sid: notebook.sid,
    cell_id: 'shown001',
    index: '0',
    ...call.params,
  };
  const path = ROUTES[name].path.replaceAll(/\{(\w+)\}/g, (_, key: string) =>
    encodeURIComponent(params[key] ?? ''),
  );
  const query = new URLSearchParams(call.query).toString();
  return query === '' ? path : `${path}?${query}`;
}

function send(name: RouteName, call: Call) {
  return rest<Record<string, unknown>>(
    server.url,
    ROUTES[name].method,
    pathOf(name, call),
    call.form ?? call.body,
  );
}

const NAMES = Object.keys(GOOD) as ParsedRouteName[];
const NEEDS_SSH: readonly RouteName[] = ['connectSshWorker', 'workerLog'];

describe('every route', () => {
  for (const name of NAMES) {
    const route = ROUTES[name];
    it(`[RE-30] ${name} follows its contract`, async (context) => {
      if (NEEDS_SSH.includes(name) && whyNoSshd !== null) return context.skip(whyNoSshd);
      const answer = await send(name, await GOOD[name]());
      const { statuses = [200] }: RouteContract = route;
      expect(statuses, JSON.stringify(answer.body)).toContain(answer.status);
      if (route.response !== 'bytes') expect(route.response.safeParse(answer.body).error).toBe(undefined);
    });

    if (route.path.includes('{sid}')) {
      it(`[RE-31] ${name} of an unknown session is 404`, async () => {
        const call = await GOOD[name]();
        const answer = await send(name, { ...call, params: { ...call.params, sid: 'nobody' } });
        expect(answer.status).toBe(404);
        expect(answer.body).toEqual({ detail: expect.stringMatching(/not found/) });
      });
    }
    if (route.path.includes('{cell_id}')) {
      it(`[RE-32] ${name} of an unknown cell is 404`, async () => {
        const call = await GOOD[name]();
        const answer = await send(name, { ...call, params: { ...call.params, cell_id: 'nobody01' } });
        expect(answer.status).toBe(404);
      });
    }
    if ('body' in route) {
      for (const [what, body] of [
        ['a list', []],
        [
          'wrong types',
          {
            path: 1,
            name: {},
            source: 1,
            cell_ids: 'x',
            parent_path: [],
            language: 'cobol',
            after_cell_id: 5,
            paths: 'x',
            mode: 1,
            max_bytes: 'x',
            timeout_seconds: 'x',
            package: 1,
            action: 'sing',
            requirements: 1,
            environment_yaml: 1,
            python_version: 1,
            add: 1,
            mounts: 'x',
            connections: 'x',
            authors: 'x',
            workers: 'x',
            timeout: 'x',
            env: 'x',
            auto_run: 'x',
            layout: 1,
          },
        ],
      ] as const) {
        it(`[RE-33] ${name} with ${what} is 422 with loc, msg and type`, async () => {
          const answer = await send(name, { ...(await GOOD[name]()), body });
          expect(answer.status).toBe(422);
          expect(answer.body['detail']).toEqual(
            expect.arrayContaining([
              expect.objectContaining({
                loc: expect.arrayContaining(['body']),
                msg: expect.any(String),
                type: expect.any(String),
              }),
            ]),
          );
        });
      }
    }
  }
});

describe('refusals', () => {
  for (const { name, route, call, status } of REFUSED) {
    it(`[RE-34] ${route}: ${name} is ${status}`, async () => {
      const answer = await send(route, call({ root, tableUri, frameUri }));
      expect(answer.status, JSON.stringify(answer.body)).toBe(status);
    });
  }

  it('[RE-35] a cell that runs: a second run, a delete and a close are 409', async () => {
    const busy = await openNotebook(server, join(root, 'busy'), [
      { id: 'slow0001', source: 'import time\ntime.sleep(30)' },
      { id: 'other001', source: '1' },
    ]);
    const base = `/v1/notebooks/${busy.sid}/cells`;
    const running = rest<{ status: string; error_code: string }>(
      server.url,
      'POST',
      `${base}/slow0001/execute`,
    );
    await expect.poll(async () => (await busy.cell('slow0001')).status).toBe('running');
    const second = await rest<{ detail: string }>(server.url, 'POST', `${base}/other001/execute`);
    expect(second.status).toBe(409);
    expect(second.body.detail).toBe('Notebook is already executing cell slow0001');
    expect((await rest(server.url, 'DELETE', `${base}/slow0001`)).status).toBe(409);
    expect((await busy.close()).status).toBe(409);
    const cancelled = await rest(server.url, 'POST', `${base}/slow0001/cancel`);
    expect(cancelled.body).toEqual({ cell_id: 'slow0001', cancelled: true, status: 'idle' });
    expect(await running).toMatchObject({ status: 200, body: { status: 'error', error_code: 'cancelled' } });
    expect((await rest(server.url, 'POST', `${base}/slow0001/cancel`)).body).toMatchObject({
      cancelled: false,
    });
  });
});

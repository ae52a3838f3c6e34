/**
 * Tests imports of notebooks from strangers, over REST and in the desktop app, on built servers: packages that need a
 * build or come from a URL are installed only with consent, and in the app nothing runs before trust.
 */

import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { indexSettings } from '../../src-main/environment/testing/testIndex.ts';
import type { SessionStateBody } from '../../src-shared/wire/notebookState.ts';
import type { JupyterReport } from '../../src-shared/wire/routes/transfer.ts';
import { type ServerProcess, startServerProcess } from '../support/serverProcess.ts';
import { type HostedServer, startHostedServer } from './hostedServer.ts';
import { processesOf, SEES_PROCESSES, treeOf } from './outsideChecks.ts';
import { ipynb, type StrangerPackages, strangerPackages } from './packages.ts';

let packages: StrangerPackages;
let server: ServerProcess;
let app: HostedServer;
const root = mkdtempSync(join(tmpdir(), 'cellar-imports-'));

type Ask = (path: string, init?: RequestInit) => Promise<Response>;
const served: Ask = (path, init = {}) =>
  fetch(`${server.url}${path}`, {
    ...init,
    ...(typeof init.body === 'string' ? { headers: { 'content-type': 'application/json' } } : {}),
  });
const inApp: Ask = (path, init) => app.ask(path, init);

beforeAll(async () => {
  packages = await strangerPackages();
  const env = indexSettings(packages.index);
  [server, app] = await Promise.all([
    startServerProcess({ env, grants: [root] }),
    // The app's server has its own cache, because the cache of the other server contains builds.
    startHostedServer({ env: { ...env, UV_CACHE_DIR: join(root, 'cache of the app') } }),
  ]);
});
afterAll(async () => {
  await Promise.all([server.dispose(), app.dispose()]);
  await packages.index.close();
  rmSync(root, { recursive: true, force: true });
});

type Imported = SessionStateBody & { readonly import_report: JupyterReport };

async function imported(ask: Ask, text: string | Uint8Array<ArrayBuffer>, name: string): Promise<Imported> {
  const form = new FormData();
  const isSnapshot = typeof text !== 'string';
  form.set('file', new Blob([text]), isSnapshot ? `${name}.zip` : `${name}.ipynb`);
  const answer = await ask(`/v1/notebooks/import${isSnapshot ? '-snapshot' : ''}`, {
    method: 'POST',
    body: form,
  });
  expect(answer.status).toBe(200);
  return (await answer.json()) as Imported;
}

async function stateOf(ask: Ask, sid: string): Promise<SessionStateBody> {
  return (await (await ask(`/v1/notebooks/sessions/${sid}`)).json()) as SessionStateBody;
}

async function settled(ask: Ask, sid: string): Promise<SessionStateBody> {
  await expect
    .poll(async () => (await stateOf(ask, sid)).environment_job?.status)
    .toMatch(/completed|failed/);
  return stateOf(ask, sid);
}

const allow = (ask: Ask, sid: string, requirements: readonly string[]) =>
  ask(`/v1/notebooks/${sid}/x/environment/allow`, { method: 'POST', body: JSON.stringify({ requirements }) });

const installed = (dir: string, name: string): boolean => {
  const lock = join(dir, 'uv.lock');
  return existsSync(lock) && readFileSync(lock, 'utf8').includes(`name = "${name}"`);
};

it('[SG-25] [SG-26] over REST, wheels of the index are installed; builds and URLs wait, and the job and the report name them', async () => {
  const evil = `evil @ file://${packages.evil}`;
  const made = await imported(served, ipynb(`%pip install apple legacy "${evil}"\nx = 1`), 'served');
  expect(made.untrusted).toBeUndefined();
  expect(made.import_report.warnings.join()).toContain(evil);
  expect(made.import_report.captured_deps).toEqual(['apple', 'legacy', evil]);
  const { session_id: sid, path } = made;
  const first = await settled(served, sid);
  expect(first.environment_job).toMatchObject({ status: 'completed', error: null });
  expect(first.environment_job?.stdout).toMatch(/Not installed until you allow it.*evil.*legacy/s);
  expect(first.environment.sync_state).toBe('ready');
  const waiting = [
    { requirement: evil, kind: 'path', from: `file://${packages.evil}` },
    { requirement: 'legacy', kind: 'build', from: null },
  ];
  expect(first.waiting_packages).toEqual(waiting);
  expect(['apple', 'legacy', 'evil'].map((name) => installed(path, name))).toEqual([true, false, false]);
  expect(existsSync(packages.mark)).toBe(false);
  for (const others of [[], ['legacy'], [evil, 'legacy', 'apple']]) {
    expect((await allow(served, sid, others)).status).toBe(409);
  }
  expect((await allow(served, sid, [evil, 'legacy'])).status).toBe(202);
  const allowed = await settled(served, sid);
  expect(allowed.environment_job).toMatchObject({
    status: 'completed',
    command: 'uv sync (with approved packages)',
  });
  expect(allowed.waiting_packages).toBeUndefined();
  expect(['apple', 'legacy', 'evil'].map((name) => installed(path, name))).toEqual([true, true, true]);
  expect(existsSync(packages.mark)).toBe(true);
  rmSync(packages.mark);
});

it('[SG-24] [SG-27] in the app an import is untrusted: nothing is installed, and its packages are listed with their sources', async () => {
  const evil = `evil @ file://${packages.evil}`;
  const processes = SEES_PROCESSES ? processesOf(app.pid) : null;
  const made = await imported(inApp, ipynb(`%pip install apple "${evil}"\nx = 1`), 'in app');
  const { session_id: sid, path } = made;
  expect(path.startsWith(app.storageDir)).toBe(true);
  expect(made.untrusted).toMatch(/^Nothing runs in this folder/);
  expect(made.environment_job).toBeNull();
  expect(made.package_sources).toContainEqual({ requirement: 'apple', kind: 'index', from: null });
  expect(made.waiting_packages).toEqual([
    { requirement: evil, kind: 'path', from: `file://${packages.evil}` },
  ]);
  const before = treeOf(path);
  expect((await inApp(`/v1/notebooks/${sid}/environment/sync`, { method: 'POST' })).status).toBe(403);
  expect((await allow(inApp, sid, [evil])).status).toBe(403);
  if (processes !== null) expect(processesOf(app.pid)).toBe(processes);
  expect(treeOf(path)).toEqual(before);

  await app.trust(path);
  const trusted = await settled(inApp, sid);
  expect(trusted).toMatchObject({
    environment: { sync_state: 'ready' },
    waiting_packages: [{ requirement: evil }],
  });
  expect(trusted.untrusted).toBeUndefined();
  expect([installed(path, 'apple'), installed(path, 'evil'), existsSync(packages.mark)]).toEqual([
    true,
    false,
    false,
  ]);
  expect((await allow(inApp, sid, [evil])).status).toBe(202);
  expect((await settled(inApp, sid)).environment_job).toMatchObject({ status: 'completed' });
  expect([installed(path, 'evil'), existsSync(packages.mark)]).toEqual([true, true]);
  rmSync(packages.mark);
});

it('[SG-24] packages that a user adds to an import, and their dependencies, are not built either', async () => {
  await packages.index.wheel({ name: 'pear', version: '1.0', requires: ['legacy'] });
  const made = await imported(served, ipynb('%pip install pear\nx = 1'), 'needs legacy');
  const sid = made.session_id;
  const first = await settled(served, sid);
  expect(first.environment_job?.error).toMatch(/^legacy has no wheel for this machine .* Environment panel/);
  const added = await served(`/v1/notebooks/${sid}/dependencies`, {
    method: 'POST',
    body: JSON.stringify({ package: 'legacy' }),
  });
  expect(JSON.stringify(await added.json())).toContain('would be built from source');
  expect(existsSync(packages.mark)).toBe(false);
});

/** The snapshot of a notebook folder, as its sender exported it. */
async function snapshotOf(name: string, project: string): Promise<Uint8Array<ArrayBuffer>> {
  const dir = join(root, name);
  mkdirSync(join(dir, 'cells'), { recursive: true });
  writeFileSync(
    join(dir, 'notebook.toml'),
    `notebook_id = "${name}"\nname = "${name}"\n\n[[cells]]\nid = "c1"\nfile = "cells/c1.py"\norder = 0.0\n`,
  );
  writeFileSync(join(dir, 'cells/c1.py'), 'x = 1\n');
  const opened = await served('/v1/notebooks/open', { method: 'POST', body: JSON.stringify({ path: dir }) });
  const { session_id: sid } = (await opened.json()) as SessionStateBody;
  await served(`/v1/notebooks/${sid}/environment/cancel`, { method: 'POST' });
  writeFileSync(join(dir, 'pyproject.toml'), project);
  const answer = await served(`/v1/notebooks/${sid}/export?fmt=snapshot`);
  expect(answer.status).toBe(200);
  return new Uint8Array(await answer.arrayBuffer());
}

const project = (dependencies: string, more: string): string =>
  `[project]\nname = "e"\nversion = "0.1.0"\nrequires-python = ">=3.10"\n${dependencies}\n${more}`;

it.each([
  [
    'a path',
    () =>
      project(
        'dependencies = ["evil"]',
        `[tool.uv.sources]\nevil = { path = ${JSON.stringify(packages.evil)} }\n`,
      ),
  ],
  ['an address', () => project(`dependencies = ["evil @ file://${packages.evil}"]`, '')],
  [
    'its own index',
    () =>
      project(
        'dependencies = ["apple"]',
        '[[tool.uv.index]]\nname = "x"\nurl = "http://127.0.0.1:9/simple"\ndefault = true\n',
      ),
  ],
  [
    'a build with declared dependencies',
    () =>
      project(
        'dynamic = ["dependencies"]',
        '[build-system]\nrequires = []\nbuild-backend = "backend"\nbackend-path = ["cells"]\n',
      ),
  ],
] as const)(
  '[SG-26] a snapshot whose project names %s installs nothing without consent',
  async (name, text) => {
    const made = await imported(served, await snapshotOf(`snapshot of ${name}`, text()), `copy of ${name}`);
    const ended = await settled(served, made.session_id);
    expect(ended.environment_job).toMatchObject({ status: 'failed', stderr: '' });
    expect(ended.environment_job?.error).toMatch(/^Not installed until you allow it/);
    expect(ended.waiting_packages?.length).toBeGreaterThan(0);
    expect([existsSync(packages.mark), existsSync(join(made.path, '.venv'))]).toEqual([false, false]);
  },
);

it('[SG-30] before trust, no cell of a snapshot that was imported in the app reads its results, such as pickles', async () => {
  const bundle = await snapshotOf('with results', project('dependencies = []', ''));
  const { session_id: sid, untrusted, cells } = await imported(inApp, bundle, 'results of another');
  expect(untrusted).toMatch(/^Nothing runs in this folder/);
  const refused = await inApp(`/v1/notebooks/${sid}/cells/${cells[0]?.id}/execute`, { method: 'POST' });
  expect(refused.status).toBe(403);
  expect(await refused.json()).toMatchObject({ detail: { code: 'NOTEBOOK_UNTRUSTED' } });
});

/**
 * R environments through the built server, with real renv and a test repository: routes, frames, locks, and what cells
 * see of them.
 */

import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  createTestRRepository,
  hasR,
  NO_R,
  type TestRRepository,
} from '../../src-main/environment/r/testing/testRepository.ts';
import {
  createTestIndex,
  indexSettings,
  type TestIndex,
} from '../../src-main/environment/testing/testIndex.ts';
import type { EnvironmentJob, REnvironment } from '../../src-shared/wire/environment.ts';
import type { EnvironmentPayload } from '../../src-shared/wire/routes/environment.ts';
import { connectLive } from '../support/liveClient.ts';
import { IS_LONG, longTest } from '../support/longRun.ts';
import { writeNotebook } from '../support/notebookFolder.ts';
import { type OpenNotebook, openNotebook } from '../support/openNotebook.ts';
import { rest } from '../support/rest.ts';
import { type ServerProcess, startServerProcess } from '../support/serverProcess.ts';
import { svc } from '../support/svcCommand.ts';

let root = '';
let server: ServerProcess;
let repository: TestRRepository;
let index: TestIndex;
beforeAll(async () => {
  if (!hasR) return;
  root = await mkdtemp(join(tmpdir(), 'cellar-r-environment-'));
  repository = await createTestRRepository({ renv: 'installed' });
  await repository.add({ name: 'apple', version: '1.0' });
  await repository.add({ name: 'slow', version: '1.0' });
  index = await createTestIndex();
  await index.wheel({ name: 'pear', version: '1.0' });
  server = await startServerProcess({ grants: [root], env: { ...indexSettings(index), ...repository.env } });
});
afterAll(async () => {
  if (!hasR) return;
  await server.dispose();
  await repository.close();
  await index.close();
  await rm(root, { recursive: true, force: true });
});

const CELLS = [
  { id: 'apples', language: 'r', source: 'library(apple)\nkind <- paste("apple", apple::version())' },
  { id: 'plain', source: 'print(1)' },
] as const;

const post = (notebook: OpenNotebook, path: string, body: unknown) =>
  rest<{ detail?: unknown; accepted?: boolean } & Partial<EnvironmentPayload>>(
    server.url,
    'POST',
    `/v1/notebooks/${notebook.sid}${path}`,
    body,
  );

async function ended(notebook: OpenNotebook): Promise<EnvironmentPayload> {
  await expect
    .poll(async () => (await notebook.get<EnvironmentPayload>('/environment')).body.environment_job?.status)
    .not.toBe('running');
  return (await notebook.get<EnvironmentPayload>('/environment')).body;
}

type Packages = Pick<REnvironment, 'packages' | 'packages_status' | 'packages_error'>;

describe('R environments', () => {
  it('[EN-54] a package is added, used, and part of its results’ keys; the lock restores all of it', async ({
    skip,
  }) => {
    if (!hasR) return skip(NO_R);
    const notebook = await openNotebook(server, join(root, 'first'), CELLS);
    const refused = await post(notebook, '/environment/jobs', { action: 'r_add', package: 'apple' });
    expect(refused).toMatchObject({ status: 400, body: { detail: expect.stringContaining('r_init') } });
    expect(await notebook.execute('apples')).toMatchObject({
      status: 'error',
      suggest_install: 'apple',
      suggest_install_language: 'r',
    });
    expect(await notebook.execute('plain')).toMatchObject({ status: 'ready' });
    // `r_init` adds the packages that cells name: remove the name, so that `r_add` has something to add.
    await notebook.edit('apples', 'kind <- "none"');
    const live = await connectLive(server.url, notebook.sid);
    const init = await post(notebook, '/environment/jobs', { action: 'r_init' });
    expect(init).toMatchObject({
      status: 202,
      body: { accepted: true, environment_job: { action: 'r_init', status: 'running', phase: 'uv_running' } },
    });
    const first = await ended(notebook);
    expect(first.environment_job).toMatchObject({ status: 'completed', lockfile_changed: true });
    expect(first.r_environment).toMatchObject({
      has_lockfile: true,
      sync_state: 'ok',
      sync_error: null,
      packages: [],
      packages_status: 'absent',
      r_version: first.r_environment.system_r_version,
      lock_hash: first.r_environment.current_lock_hash,
    });
    expect(first.r_environment.current_lock_hash).toMatch(/^[0-9a-f]{64}$/);
    // The lock is part of every cell's key (provenance-and-cache 1).
    expect((await notebook.cell('plain')).status).not.toBe('ready');
    await notebook.edit('apples', CELLS[0].source);
    await post(notebook, '/environment/jobs', { action: 'r_add', package: 'apple' });
    const second = await ended(notebook);
    expect(second.environment_job).toMatchObject({ action: 'r_add', package: 'apple', status: 'completed' });
    const phases = live.frames.flatMap((frame) =>
      frame.type === 'environment_job_progress' && frame.payload.environment_job.action === 'r_add'
        ? [frame.payload.environment_job.phase]
        : [],
    );
    expect([...new Set(phases)]).toEqual([
      ...['uv_running', 'refreshing_runtime', 'invalidating_warm_pool', 'recomputing_staleness'],
      'starting_warm_pool',
    ]);
    expect(second.environment.sync_state).toBe('ready');
    expect((await notebook.get<Packages>('/r-packages')).body).toEqual({
      packages: [{ name: 'apple', version: '1.0' }],
      packages_status: 'ok',
      packages_error: null,
    });
    expect(await notebook.execute('apples')).toMatchObject({ status: 'ready', cache_hit: false });
    await live.close();
    await notebook.close();
    // Opening another folder that has only the lock restores the library.
    const lock = await readFile(join(root, 'first/renv.lock'));
    await mkdir(join(root, 'second'));
    await writeFile(join(root, 'second/renv.lock'), lock);
    const other = await openNotebook(server, join(root, 'second'), CELLS);
    const restored = await ended(other);
    expect(restored.r_environment).toMatchObject({ sync_state: 'ok' });
    expect(restored.environment_job?.stdout).toContain('renv::restore()');
    expect(await other.execute('apples')).toMatchObject({ status: 'ready' });
    // A package removed by hand is reported, and a sync restores it, like the opening above.
    if (!IS_LONG) return void (await other.close());
    await rm(join(root, 'second/renv/library'), { recursive: true });
    expect((await other.get<Packages>('/r-packages')).body.packages_status).toBe('renv_not_active');
    expect((await post(other, '/environment/sync', {})).status).toBe(200);
    expect((await other.get<Packages>('/r-packages')).body.packages_status).toBe('ok');
    await other.close();
  });

  it('[EN-54] a lock that cannot be restored fails only R, with a message: Python is ready', async ({
    skip,
  }) => {
    if (!hasR) return skip(NO_R);
    await mkdir(join(root, 'gone'));
    await writeFile(
      join(root, 'gone/renv.lock'),
      '{"R": {"Version": "4.4.1"}, "Packages": {"apple": {"Package": "apple", "Version": "0.1"}}}',
    );
    const notebook = await openNotebook(server, join(root, 'gone'), CELLS);
    const { environment, environment_job: job, r_environment: r } = await ended(notebook);
    expect(environment).toMatchObject({ sync_state: 'ready', sync_error: null });
    expect(job).toMatchObject<Partial<EnvironmentJob>>({ action: 'sync', status: 'failed' });
    expect(job?.error).toMatch(/^R: .*apple@0\.1/);
    expect(r).toMatchObject({ sync_state: 'failed', r_version: '4.4.1', last_synced_at: 0, lock_hash: '' });
    expect(r.sync_error).toContain('apple@0.1');
    expect(await notebook.execute('plain')).toMatchObject({ status: 'ready', stdout: '1\n' });
    // Python packages can still be added.
    expect((await post(notebook, '/dependencies', { package: 'pear' })).status).toBe(200);
    expect((await ended(notebook)).r_environment.sync_state).toBe('failed');
    await notebook.close();
  });

  it.skipIf(process.platform === 'win32')(
    '[EN-52] after a kill during a job, the next opening restores lock and library',
    async ({ skip }) => {
      if (!hasR) return skip(NO_R);
      const dir = join(root, 'killed');
      const env = { ...indexSettings(index), ...repository.env };
      const doomed = await startServerProcess({ grants: [root], env });
      const before = await openNotebook(doomed, dir, CELLS);
      const start = (body: unknown) =>
        rest(doomed.url, 'POST', `/v1/notebooks/${before.sid}/environment/jobs`, body);
      await start({ action: 'r_init' });
      const { r_environment: first } = await ended(before);
      expect(first.sync_state).toBe('ok');
      await start({ action: 'r_add', package: 'slow' });
      // The file that marks a job in progress; renv then installs, which takes a minute.
      await expect.poll(() => existsSync(join(dir, '.svc/r-in-progress.json'))).toBe(true);
      await doomed.stop('SIGKILL');
      await doomed.dispose();
      const after = await openNotebook(server, dir);
      const { r_environment: second } = await ended(after);
      expect(second).toEqual({ ...first, system_r_version: second.system_r_version });
      expect((await readdir(join(dir, '.svc'))).filter((name) => name.startsWith('r-'))).toEqual([]);
      expect((await after.get<Packages>('/r-packages')).body.packages).toEqual([
        { name: 'apple', version: '1.0' },
      ]);
      await after.close();
    },
  );

  longTest('e2e/contract/rEnvironment.test.ts', 'src-main/environment/r/rWork.test.ts')(
    '[EN-51] the command line restores the library, too',
    async ({ skip }) => {
      if (!hasR) return skip(NO_R);
      const dir = await writeNotebook(join(root, 'commanded'), { cells: CELLS });
      await writeFile(join(dir, 'renv.lock'), await readFile(join(root, 'first/renv.lock')));
      const { code, stdout } = await svc(['run', dir, '--format', 'json', '--quiet'], {
        env: { ...indexSettings(index), ...repository.env },
      });
      expect({ code, stdout }).toMatchObject({ code: 0 });
      expect(JSON.parse(stdout)).toMatchObject({ success: true });
    },
  );

  const wrong: readonly { readonly body: unknown; readonly status: number }[] = [
    { body: { action: 'r_add' }, status: 400 },
    { body: { action: 'r_add', package: 'apple>=1' }, status: 400 },
    { body: { action: 'r_add', package: '9lives' }, status: 400 },
    { body: { action: 'r_add', package: 'a b' }, status: 422 },
    { body: { action: 'r_init', package: 'apple' }, status: 400 },
    { body: { action: 'r_init', requirements: 'apple' }, status: 400 },
    { body: { action: 'r_remove' }, status: 422 },
  ];
  it('[EN-39] fields that do not belong to a job of R are refused', async ({ skip }) => {
    if (!hasR) return skip(NO_R);
    const notebook = await openNotebook(server, join(root, 'wrong'), CELLS);
    for (const { body, status } of wrong) {
      expect({ body, status: (await post(notebook, '/environment/jobs', body)).status }).toEqual({
        body,
        status,
      });
    }
    expect((await notebook.get<Packages>('/r-packages')).body.packages_status).toBe('absent');
    await notebook.close();
  });
});

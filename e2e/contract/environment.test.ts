/**
 * Python environments through the built server with real uv: package changes, jobs, Python versions and imports.
 * Packages come from a folder of tiny wheels; every test has its own notebook.
 */

import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  createTestIndex,
  indexSettings,
  type TestIndex,
} from '../../src-main/environment/testing/testIndex.ts';
import type { EnvironmentJob } from '../../src-shared/wire/environment.ts';
import type { EnvironmentPayload, OperationLog } from '../../src-shared/wire/routes/environment.ts';
import { connectLive } from '../support/liveClient.ts';
import { type OpenNotebook, openNotebook } from '../support/openNotebook.ts';
import { rest } from '../support/rest.ts';
import { type ServerProcess, startServerProcess } from '../support/serverProcess.ts';

let root = '';
let server: ServerProcess;
let index: TestIndex;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'cellar-environment-'));
  index = await createTestIndex();
  await index.wheel({ name: 'apple', version: '1.0' });
  await index.wheel({ name: 'apple', version: '2.0' });
  await index.wheel({ name: 'pear', version: '1.0' });
  await index.wheel({ name: 'slow', version: '1.0', padding: 40_000_000 });
  server = await startServerProcess({ grants: [root], env: indexSettings(index) });
});
afterAll(async () => {
  await server.dispose();
  await index.close();
  await rm(root, { recursive: true, force: true });
});

let made = 0;
async function notebookOf(source: string): Promise<OpenNotebook> {
  made += 1;
  return openNotebook(server, join(root, `n${made}`), [{ id: 'a0000001', source }]);
}

type Ended = EnvironmentPayload & {
  readonly lockfile_changed: boolean;
  readonly operation_log: OperationLog;
  readonly stale_cell_ids: readonly string[];
  readonly warm_pool_reset: boolean;
};

function call<T = Ended>(
  notebook: OpenNotebook,
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
  path: string,
  body?: unknown,
) {
  return rest<T>(server.url, method, `/v1/notebooks/${notebook.sid}${path}`, body);
}

const files = async ({ path }: OpenNotebook) => ({
  project: await readFile(join(path, 'pyproject.toml'), 'utf8'),
  lock: await readFile(join(path, 'uv.lock'), 'utf8'),
});

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

describe('packages', () => {
  it('[EN-35] an added package is available to the next run, and the cells show that their environment changed', async () => {
    const notebook = await notebookOf('import apple\nprint(apple.VERSION)');
    expect(await notebook.execute('a0000001')).toMatchObject({ status: 'error', suggest_install: 'apple' });
    const live = await connectLive(server.url, notebook.sid);
    const { status, body } = await call(notebook, 'POST', '/dependencies', { package: 'apple<2' });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      success: true,
      package: 'apple<2',
      lockfile_changed: true,
      warm_pool_reset: true,
      stale_cell_count: 1,
      stale_cell_ids: ['a0000001'],
      dependencies: [{ name: 'apple', version: null, specifier: '<2' }],
      resolved_dependencies: [{ name: 'apple', version: '1.0', specifier: null }],
      operation_log: { command: 'uv add apple<2', stderr: expect.stringContaining('apple==1.0') },
      environment: { sync_state: 'ready', has_lockfile: true },
    });
    expect(await notebook.execute('a0000001')).toMatchObject({ status: 'ready', stdout: '1.0\n' });
    const kinds = live.frames
      .map((frame) => frame.type)
      .filter((type) => /environment|dependency/.test(type));
    expect([kinds[0], ...kinds.slice(-2)]).toEqual([
      'environment_job_started',
      'environment_job_finished',
      'dependency_changed',
    ]);
    const finished = await live.next('environment_job_finished');
    expect(finished.payload).toMatchObject({
      environment_job: {
        action: 'add',
        status: 'completed',
        phase: 'completed',
        package: 'apple<2',
        id: expect.stringMatching(UUID),
      },
      dependencies: [{ name: 'apple' }],
      resolved_dependencies: [{ version: '1.0' }],
      r_environment: { sync_state: 'absent' },
    });
    const phases = live.frames.flatMap((frame) =>
      frame.type === 'environment_job_progress' ? [frame.payload.environment_job.phase] : [],
    );
    const order = [
      'uv_running',
      'refreshing_runtime',
      'invalidating_warm_pool',
      'recomputing_staleness',
      'starting_warm_pool',
    ];
    expect([...new Set(phases)]).toEqual(order);
    await live.close();
  });

  it('[EN-36] returning to earlier packages makes earlier results hits again', async () => {
    const notebook = await notebookOf('import apple\nprint(apple.VERSION)');
    await call(notebook, 'POST', '/dependencies', { package: 'apple==1.0' });
    expect(await notebook.execute('a0000001')).toMatchObject({ cache_hit: false, stdout: '1.0\n' });
    const newer = await call(notebook, 'POST', '/dependencies', { package: 'apple==2.0' });
    expect(await notebook.execute('a0000001')).toMatchObject({ cache_hit: false, stdout: '2.0\n' });
    const job = newer.body.environment_job?.id ?? '';
    const [, first] = newer.body.environment_job_history;
    expect(first).toMatchObject({
      command: 'uv add apple==1.0',
      lockfile_changed: true,
      stale_cell_count: 1,
    });
    const changed = await call<{ changes: unknown }>(notebook, 'GET', `/x/environment/jobs/${job}/changes`);
    expect(changed.body.changes).toEqual([{ name: 'apple', from: '1.0', to: '2.0', bytes: null }]);
    const undone = await call(notebook, 'POST', `/x/environment/jobs/${job}/undo`);
    expect(undone.status).toBe(202);
    await settled(notebook);
    expect(await notebook.execute('a0000001')).toMatchObject({ cache_hit: true, stdout: '1.0\n' });
    // Adding the package again gives the same lock as before, so the earlier result is a hit again.
    await call(notebook, 'POST', '/dependencies', { package: 'apple==2.0' });
    expect(await notebook.execute('a0000001')).toMatchObject({ cache_hit: true, stdout: '2.0\n' });
  });

  it('[EN-74] several packages are one job, one preview and one undo; if one cannot be resolved, none is added', async () => {
    const notebook = await notebookOf('import apple, pear\nprint(apple.VERSION, pear.VERSION)');
    const before = await files(notebook);
    const wrong: [packages: unknown, status: number, words: string][] = [
      [['apple', 'nothing-of-this-name'], 202, 'nothing-of-this-name was not found'],
      [['apple', '--index-url=x'], 422, 'must be a single package requirement'],
      [['apple<2', 'Apple'], 400, 'Named twice in the list: Apple'],
      [[], 422, ''],
    ];
    for (const [packages, status, words] of wrong) {
      const answer = await call(notebook, 'POST', '/x/environment/add', { packages });
      expect(answer.status, JSON.stringify(packages)).toBe(status);
      const message = status === 202 ? (await settled(notebook)).error : JSON.stringify(answer.body);
      expect(message).toContain(words);
      expect(await files(notebook)).toEqual(before);
    }
    const packages = ['apple<2', 'pear'];
    const preview = await call<{ changes: unknown }>(notebook, 'POST', '/x/environment/preview', {
      add: packages,
    });
    expect(preview.body.changes).toMatchObject([
      { name: 'apple', to: '1.0' },
      { name: 'pear', to: '1.0' },
    ]);
    await call(notebook, 'POST', '/x/environment/add', { packages });
    const job = await settled(notebook);
    expect(job).toMatchObject({
      action: 'add',
      status: 'completed',
      package: 'apple<2, pear',
      command: 'uv add apple<2 pear',
    });
    expect(await notebook.execute('a0000001')).toMatchObject({ status: 'ready', stdout: '1.0 1.0\n' });
    await call(notebook, 'POST', `/x/environment/jobs/${job.id}/undo`);
    await settled(notebook);
    expect(await files(notebook)).toEqual(before);
  });

  it('[EN-75] names are suggested without an index; the index is queried for one exact name', async () => {
    const notebook = await notebookOf('1');
    const names = await call<{ names: unknown[] }>(notebook, 'GET', '/x/environment/names?typed=sklearn');
    expect(names.body.names[0]).toEqual({ name: 'scikit-learn', imported: 'sklearn', source: 'list' });
    const look = async (name: string) => (await call(notebook, 'GET', `/x/environment/names/${name}`)).body;
    expect(await look('apple')).toEqual({ status: 'exists', version: '2.0', problem: null });
    expect(await look('nothing-of-this-name')).toEqual({ status: 'missing', version: null, problem: null });
    expect((await call(notebook, 'GET', '/x/environment/names/apple==2')).status).toBe(422);
  });

  it('[EN-37] an unavailable package leaves files and environment unchanged, and reports the reason', async () => {
    const notebook = await notebookOf('1');
    await call(notebook, 'POST', '/dependencies', { package: 'pear' });
    const before = await files(notebook);
    for (const [name, words] of [
      ['nothing-of-this-name', 'not found'],
      ['apple==9', 'apple'],
    ] as const) {
      const { status, body } = await call<{ detail: { message: string; operation_log: OperationLog } }>(
        notebook,
        'POST',
        '/dependencies',
        { package: name },
      );
      expect(status).toBe(400);
      expect(body.detail.message).toContain(words);
      expect(body.detail.operation_log.command).toBe(`uv add ${name}`);
      expect(await files(notebook)).toEqual(before);
    }
    const gone = await call<{ detail: { message: string } }>(notebook, 'DELETE', '/dependencies/apple');
    expect(gone.body.detail.message).toContain("not among the notebook's own dependencies");
    expect((await call(notebook, 'GET', '/environment')).body.environment.sync_state).toBe('ready');
  });

  it('[EN-30] only one plain requirement is passed to uv: 422 in a body, 400 in an address, an error frame', async () => {
    const notebook = await notebookOf('1');
    const body = await call<{ detail: { msg: string }[] }>(notebook, 'POST', '/dependencies', {
      package: '-r /etc/passwd',
    });
    expect([body.status, body.body.detail[0]?.msg]).toEqual([
      422,
      expect.stringContaining('Not a single package requirement: -r /etc/passwd'),
    ]);
    const address = await call<{ detail: string }>(notebook, 'DELETE', '/dependencies/apple%20pear');
    expect([address.status, address.body.detail]).toEqual([
      400,
      'Not a single package requirement: apple pear',
    ]);
    const live = await connectLive(server.url, notebook.sid);
    live.send('dependency_add', { package: 'apple pear' });
    expect((await live.next('error')).payload.error).toBe('Not a single package requirement: apple pear');
    live.send('dependency_add', { package: 'apple' });
    expect((await live.next('dependency_changed')).payload).toMatchObject({ action: 'add', success: true });
    live.send('dependency_remove', { package: 'apple' });
    const removed = await live.next('dependency_changed', { where: ({ action }) => action === 'remove' });
    expect(removed.payload).toMatchObject({ success: true, dependencies: [] });
    await live.close();
  });
});

describe('jobs', () => {
  it('[EN-38] run one at a time: runs, other jobs and deletion are refused with the job, which can be stopped', async () => {
    const notebook = await notebookOf('1');
    await notebook.execute('a0000001');
    const before = await files(notebook);
    const answer = await call(notebook, 'POST', '/environment/jobs', { action: 'add', package: 'slow' });
    expect([answer.status, answer.body]).toMatchObject([
      202,
      { accepted: true, environment_job: { status: 'running' } },
    ]);
    for (const [method, path, body] of [
      ['POST', '/cells/a0000001/execute', undefined],
      ['POST', '/environment/jobs', { action: 'sync' }],
      ['POST', '/dependencies', { package: 'apple' }],
      ['DELETE', '', undefined],
    ] as const) {
      const refused = await call<{ detail: { code: string; environment_job: EnvironmentJob } }>(
        notebook,
        method,
        path,
        body,
      );
      expect(refused.status, path).toBe(409);
      expect(refused.body.detail).toMatchObject({
        code: 'ENVIRONMENT_BUSY',
        environment_job: { action: 'add' },
      });
    }
    expect((await call<unknown>(notebook, 'POST', '/x/environment/cancel')).body).toEqual({
      cancelled: true,
    });
    const job = await settled(notebook);
    expect(job).toMatchObject({ status: 'failed', error: expect.stringContaining('Cancelled') });
    expect(await files(notebook)).toEqual(before);
    expect((await call<unknown>(notebook, 'POST', '/x/environment/cancel')).body).toEqual({
      cancelled: false,
    });
    expect(await notebook.execute('a0000001')).toMatchObject({ status: 'ready', cache_hit: true });
  });

  it('[EN-39] fields that do not belong to an action are refused', async () => {
    const notebook = await notebookOf('1');
    for (const [body, status] of [
      [{ action: 'sing' }, 422],
      [{ action: 'add' }, 400],
      [{ action: 'add', package: 'apple', requirements: 'pear' }, 400],
      [{ action: 'sync', package: 'apple' }, 400],
      [{ action: 'import' }, 400],
      [{ action: 'import', requirements: 'apple', environment_yaml: 'dependencies: []' }, 400],
      [{ action: 'change_python' }, 400],
      [{ action: 'import', requirements: '-r x' }, 400],
      [{ action: 'import', requirements: 'x'.repeat(500_001) }, 422],
    ] as const) {
      const answer = await call<unknown>(notebook, 'POST', '/environment/jobs', body);
      expect([body.action, answer.status]).toEqual([body.action, status]);
    }
  });

  it('[EN-40] the Python of a notebook: the offered versions, and the current one', async () => {
    const notebook = await notebookOf('1');
    const none = await call<{ detail: string }>(notebook, 'PUT', '/python-version', {
      python_version: '2.7',
    });
    expect([none.status, none.body.detail]).toEqual([
      400,
      expect.stringMatching(/^Python 2.7 is not available/),
    ]);
    const config = await rest<{ available_python_versions: string[] }>(
      server.url,
      'GET',
      '/v1/notebooks/config',
    );
    const [minor = ''] = config.body.available_python_versions;
    const moved = await call(notebook, 'PUT', '/python-version', { python_version: minor });
    expect([moved.status, moved.body]).toMatchObject([202, { accepted: true }]);
    expect(await settled(notebook)).toMatchObject({
      action: 'change_python',
      status: 'completed',
      error: null,
    });
    expect((await files(notebook)).project).toContain(`requires-python = "==${minor}.*"`);
    const again = await call(notebook, 'PUT', '/python-version', { python_version: minor });
    expect([again.status, again.body]).toMatchObject([
      200,
      { accepted: false, reason: 'already_at_requested_version' },
    ]);
  });
});

describe('imports', () => {
  it('[EN-41] replace all direct dependencies, after a preview of the changes', async () => {
    const notebook = await notebookOf('1');
    await call(notebook, 'POST', '/dependencies', { package: 'pear' });
    const text = { requirements: '# mine\napple==1.0\n' };
    const preview = await call<unknown>(notebook, 'POST', '/environment/requirements.txt/preview', text);
    expect(preview.body).toMatchObject({
      imported_count: 1,
      warnings: [],
      normalized_requirements: ['apple==1.0'],
      additions: [{ name: 'apple', specifier: '==1.0' }],
      removals: [{ name: 'pear' }],
    });
    const resolved = await call<{ changes: unknown }>(notebook, 'POST', '/x/environment/preview', text);
    expect(resolved.body).toEqual({
      changes: [
        { name: 'apple', from: null, to: '1.0', bytes: null },
        { name: 'pear', from: '1.0', to: null, bytes: null },
      ],
      problem: null,
      warnings: [],
    });
    expect((await call(notebook, 'GET', '/environment')).body.dependencies).toMatchObject([{ name: 'pear' }]);
    const done = await call<unknown>(notebook, 'POST', '/environment/requirements.txt', text);
    expect(done.body).toMatchObject({ success: true, imported_count: 1, dependencies: [{ name: 'apple' }] });
    const yaml = { environment_yaml: 'channels: [x]\ndependencies: [pear=1.0]' };
    const conda = await call<unknown>(notebook, 'POST', '/environment/environment.yaml', yaml);
    expect(conda.body).toMatchObject({ imported_count: 1, warnings: [expect.stringContaining('channels')] });
    const exported = await fetch(`${server.url}/v1/notebooks/${notebook.sid}/environment/requirements.txt`);
    expect(exported.headers.get('content-type')).toMatch(/^text\/plain/);
    expect(exported.headers.get('content-disposition')).toMatch(/attachment.*-requirements\.txt/);
    expect(await exported.text()).toBe('pear==1.0\n');
  });

  it('[EN-42] a preview that cannot be resolved returns the reason and changes nothing', async () => {
    const notebook = await notebookOf('1');
    await call(notebook, 'POST', '/dependencies', { package: 'pear' });
    const before = await files(notebook);
    const look = await call<{ problem: string }>(notebook, 'POST', '/x/environment/preview', {
      add: 'nobody-has-it',
    });
    expect(look.body).toMatchObject({ changes: [], problem: expect.stringContaining('nobody-has-it') });
    expect((await call<unknown>(notebook, 'POST', '/x/environment/preview', {})).status).toBe(400);
    expect(await files(notebook)).toEqual(before);
  });
});

async function settled(notebook: OpenNotebook): Promise<EnvironmentJob> {
  let job: EnvironmentJob | null = null;
  await expect
    .poll(async () => {
      job = (await call(notebook, 'GET', '/environment/jobs/current')).body.environment_job;
      return job?.status;
    })
    .not.toBe('running');
  if (job === null) throw new Error('there is no job');
  return job;
}

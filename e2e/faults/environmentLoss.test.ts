/**
 * Tests which Python a cell of the built server runs in when its environment is deleted, changed by hand or changed in
 * quick succession, and when the server is killed during a change. Uses real uv and tiny wheels.
 */

import { copyFile, mkdir, mkdtemp, readdir, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  createTestIndex,
  indexSettings,
  type TestIndex,
  uvForTests,
} from '../../src-main/environment/testing/testIndex.ts';
import type { EnvironmentJob } from '../../src-shared/wire/environment.ts';
import { IS_LONG, rowsOfRun } from '../support/longRun.ts';
import { writeNotebook } from '../support/notebookFolder.ts';
import { type OpenNotebook, openNotebook } from '../support/openNotebook.ts';
import { copyEnvironment } from '../support/preparedEnvironment.ts';
import { rest } from '../support/rest.ts';
import { type ServerProcess, startServerProcess } from '../support/serverProcess.ts';

let root = '';
let index: TestIndex;
let server: ServerProcess;

const begin = () => startServerProcess({ grants: [root], env: indexSettings(index) });

beforeAll(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'cellar-loss-')));
  index = await createTestIndex();
  await index.wheel({ name: 'apple', version: '1.0' });
  await index.wheel({ name: 'pear', version: '1.0' });
  await index.wheel({ name: 'plum', version: '1.0', requires: ['apple>=2'] });
  await index.wheel({ name: 'pyarrow', version: '18.0' });
  server = await begin();
});
afterAll(async () => {
  await server.dispose();
  await index.close();
  await rm(root, { recursive: true, force: true });
});

let made = 0;

function call<T = unknown>(
  { sid }: OpenNotebook,
  method: 'GET' | 'POST' | 'DELETE',
  path: string,
  body?: unknown,
) {
  return rest<T>(server.url, method, `/v1/notebooks/${sid}${path}`, body);
}

/** Waits until no job is running, and returns the last one. */
async function lastJob(notebook: OpenNotebook): Promise<EnvironmentJob | null> {
  let job: EnvironmentJob | null = null;
  const look = async () => {
    const path = '/environment/jobs/current';
    job = (await call<{ environment_job: EnvironmentJob | null }>(notebook, 'GET', path)).body
      .environment_job;
    return job?.status;
  };
  await expect.poll(look).not.toBe('running');
  return job;
}

describe.skipIf(uvForTests() === null || process.platform === 'win32')('the Python of cells', () => {
  const WHERE = {
    id: 'a0000001',
    source: 'import sys, apple\nprint(sys.prefix, apple.VERSION)',
  };
  /** An open notebook with apple 1.0 whose cell prints the environment that it runs in. */
  const whereIn = async (): Promise<OpenNotebook> => {
    made += 1;
    const dir = join(root, `n${made}`);
    if (withApple === null) {
      const first = await openNotebook(server, `${dir}-first`, [WHERE]);
      expect((await call(first, 'POST', '/dependencies', { package: 'apple==1.0' })).status).toBe(200);
      expect((await first.close()).status).toBe(200);
      withApple = first.path;
    }
    await writeNotebook(dir, { cells: [WHERE] });
    await copyFile(join(withApple, 'pyproject.toml'), join(dir, 'pyproject.toml'));
    await copyEnvironment(withApple, dir);
    return openNotebook(server, dir);
  };
  /** A closed notebook with apple 1.0: the other notebooks copy its files and its environment. */
  let withApple: string | null = null;

  /** How the environment of an open notebook is lost. */
  const LOSSES: readonly (readonly [how: string, lose: (dir: string) => Promise<void>])[] = [
    ['is deleted', (dir) => rm(join(dir, '.venv'), { recursive: true })],
    ['loses its Python', (dir) => rm(join(dir, '.venv/bin'), { recursive: true })],
    [
      'loses all but empty folders',
      async (dir) => {
        await rm(join(dir, '.venv'), { recursive: true });
        await mkdir(join(dir, '.venv/lib/python3.13/site-packages'), { recursive: true });
      },
    ],
  ];
  // environment.test.ts also repairs an environment without its Python.
  test.each(rowsOfRun(LOSSES, ([how]) => how !== 'loses its Python'))(
    '[SO-234] an environment that %s while the notebook is open: runs fail and offer the repair, and work after it',
    async (_how, lose) => {
      const notebook = await whereIn();
      const here = `${join(notebook.path, '.venv')} 1.0\n`;
      expect(await notebook.execute('a0000001', 'rerun')).toMatchObject({ status: 'ready', stdout: here });
      await lose(notebook.path);
      expect(await notebook.execute('a0000001', 'rerun')).toMatchObject({
        status: 'error',
        error: expect.stringMatching(/environment of this notebook .* is missing .* Repair it/),
      });
      const { body } = await call<{ environment: object }>(notebook, 'GET', '/environment');
      expect(body.environment).toMatchObject({ sync_state: 'failed', interpreter_source: 'unknown' });
      expect((await call(notebook, 'POST', '/x/environment/repair')).status).toBe(202);
      expect(await lastJob(notebook)).toMatchObject({ status: 'completed', error: null });
      expect(await notebook.execute('a0000001', 'rerun')).toMatchObject({ status: 'ready', stdout: here });
    },
  );

  test('[SO-232] a package installed by hand makes a cell that looks for it run again, and so does a sync that removes it', async () => {
    made += 1;
    const source =
      'import importlib.util\nfound = importlib.util.find_spec("byhand") is not None\nprint(found)';
    const notebook = await openNotebook(server, join(root, `n${made}`), [{ id: 'a0000001', source }]);
    expect(await notebook.execute('a0000001')).toMatchObject({ stdout: 'False\n' });
    const [lib = ''] = await readdir(join(notebook.path, '.venv/lib'));
    const packages = join(notebook.path, '.venv/lib', lib, 'site-packages');
    await mkdir(join(packages, 'byhand-1.0.dist-info'));
    await writeFile(join(packages, 'byhand.py'), '');
    expect(await notebook.execute('a0000001')).toMatchObject({ status: 'ready', stdout: 'True\n' });
    expect((await call(notebook, 'POST', '/environment/sync')).status).toBe(200);
    // The environment matches the lock again.
    expect(await notebook.execute('a0000001')).toMatchObject({ status: 'ready', stdout: 'False\n' });
  });

  test('[SO-236] packages added and removed in quick succession between runs leave one intact environment with the same Python', async () => {
    const notebook = await whereIn();
    const here = `${join(notebook.path, '.venv')} 1.0\n`;
    const work = ['pear', 'pear', 'plum', 'pear', 'nobody-has-it', 'pear'].flatMap((name, turn) => [
      () =>
        turn % 2 === 0
          ? call(notebook, 'POST', '/dependencies', { package: name })
          : call(notebook, 'DELETE', `/dependencies/${name}`),
      () => notebook.execute('a0000001', 'rerun'),
    ]);
    for (let round = 0; round < (IS_LONG ? 2 : 1); round += 1) {
      const answers = await Promise.allSettled(work.map((begin) => begin()));
      for (const answer of answers) {
        const result = answer.status === 'fulfilled' ? (answer.value as { stdout?: string }) : {};
        // A run is either refused while a job is running, or uses the notebook's environment.
        if (typeof result.stdout === 'string' && result.stdout !== '') expect(result.stdout).toBe(here);
      }
      await lastJob(notebook);
      for (const one of [0, 2, 10]) await work[one]?.();
      await lastJob(notebook);
      expect(await notebook.execute('a0000001', 'rerun')).toMatchObject({ status: 'ready', stdout: here });
    }
    await expect
      .poll(async () =>
        (await readdir(join(notebook.path, '.svc'))).filter((name) => /^venv-|sync-in/.test(name)),
      )
      .toEqual([]);
  });

  /** Both ways to import a list of packages that lacks pyarrow, which Cellar needs to store results. */
  const LISTS = [
    ['requirements.txt', { requirements: 'pear' }],
    ['environment.yaml', { environment_yaml: 'dependencies:\n  - pip:\n      - pear\n' }],
  ] as const;
  // Both become the same list of packages, to which src-main/environment/project/storePackages.ts adds pyarrow.
  test.each(rowsOfRun(LISTS, ([file]) => file === 'requirements.txt'))(
    '[SO-233] an import of %s keeps pyarrow, and reports it before and after',
    async (file, body) => {
      const notebook = await whereIn();
      expect((await call(notebook, 'POST', '/dependencies', { package: 'pyarrow' })).status).toBe(200);
      const listed = ['pear', 'pyarrow'];
      type Preview = { preview_dependencies: { name: string }[]; removals: { name: string }[] };
      const preview = await call<Preview>(notebook, 'POST', `/environment/${file}/preview`, body);
      expect(preview.body.preview_dependencies.map(({ name }) => name)).toEqual(listed);
      expect(preview.body.removals.map(({ name }) => name)).toEqual(['apple']);
      type Done = {
        dependencies: { name: string }[];
        operation_log: { stdout: string };
        imported_count: number;
      };
      const done = await call<Done>(notebook, 'POST', `/environment/${file}`, body);
      expect(done).toMatchObject({ status: 200, body: { imported_count: 1 } });
      expect(done.body.dependencies.map(({ name }) => name)).toEqual(listed);
      expect(done.body.operation_log.stdout).toMatch(/Added pyarrow\S*, which Cellar needs to store results/);
      const refused = await call(notebook, 'DELETE', '/dependencies/pyarrow');
      expect([refused.status, JSON.stringify(refused.body)]).toEqual([
        400,
        expect.stringContaining('pyarrow cannot be removed'),
      ]);
    },
  );

  test('[SO-236] a server killed repeatedly during changes leaves an intact environment inside the notebook at the next opening', async () => {
    const { path } = await whereIn();
    let notebook = await openNotebook(server, path);
    // Each moment once; a long run repeats the first one in an environment that was already restored.
    const phases = ['uv_running', 'completed', 'uv_running'] as const;
    for (const phase of rowsOfRun(phases, (_phase, index) => index < 2)) {
      const requests = ['pear', 'pear', 'pear'].map((name, turn) =>
        turn % 2 === 0
          ? call(notebook, 'POST', '/dependencies', { package: name }).catch(() => null)
          : call(notebook, 'DELETE', `/dependencies/${name}`).catch(() => null),
      );
      const now = async () =>
        (await call<{ environment_job: EnvironmentJob | null }>(notebook, 'GET', '/environment/jobs/current'))
          .body.environment_job?.phase;
      await expect.poll(now).toMatch(phase === 'completed' ? /completed|failed/ : phase);
      await server.stop('SIGKILL');
      await Promise.all(requests);
      server = await begin();
      notebook = await openNotebook(server, path);
      const here = `${join(path, '.venv')} 1.0\n`;
      expect(await notebook.execute('a0000001', 'rerun')).toMatchObject({ status: 'ready', stdout: here });
    }
  });
});

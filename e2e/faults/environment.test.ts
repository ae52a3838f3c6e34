/** Tests faults while an environment of the built server changes: its files and packages must stay unchanged. */

import { execFileSync } from 'node:child_process';
import {
  chmod,
  copyFile,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rename,
  rm,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'smol-toml';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import {
  createTestIndex,
  indexSettings,
  type TestIndex,
  uvForTests,
} from '../../src-main/environment/testing/testIndex.ts';
import type { EnvironmentJob } from '../../src-shared/wire/environment.ts';
import { rowsOfRun } from '../support/longRun.ts';
import { createMortalIndex, SENDINGS } from '../support/mortalIndex.ts';
import { writeNotebook } from '../support/notebookFolder.ts';
import { type OpenNotebook, openNotebook } from '../support/openNotebook.ts';
import { copyEnvironment } from '../support/preparedEnvironment.ts';
import { rest } from '../support/rest.ts';
import { type ServerProcess, startServerProcess } from '../support/serverProcess.ts';
import { smallDisk } from '../support/smallDisk.ts';

const uv = uvForTests();
let root = '';
let index: TestIndex;
let server: ServerProcess;
/** The path of a uv that waits before the command named in `phase` and reports its process id. */
let heldUv = '';

beforeAll(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'cellar-faults-')));
  index = await createTestIndex();
  await index.wheel({ name: 'apple', version: '1.0' });
  await index.wheel({ name: 'apple', version: '2.0' });
  await index.wheel({ name: 'pear', version: '1.0' });
  await index.wheel({ name: 'plum', version: '1.0', requires: ['apple>=2'] });
  await index.wheel({ name: 'torn', version: '1.0' });
  await index.wheel({ name: 'huge', version: '1.0', padding: 60_000_000 });
  await index.unbuildable('sour', 'the compiler is missing');
  heldUv = join(root, 'uv');
  await writeFile(
    heldUv,
    `#!/bin/sh\nif [ -e '${root}/phase' ] && [ "$1" = "$(cat '${root}/phase')" ]; then\n  echo $$ > '${root}/pid.new'; mv '${root}/pid.new' '${root}/pid'\n  exec sleep 60\nfi\nexec '${uv}' "$@"\n`,
  );
  await chmod(heldUv, 0o755);
  server = await begin();
});
afterAll(async () => {
  await server.dispose();
  await index.close();
  await rm(root, { recursive: true, force: true });
});

const begin = (env: Readonly<Record<string, string>> = {}) =>
  startServerProcess({ grants: [root], env: { ...indexSettings(index), SVC_UV: heldUv, ...env } });

const CELL = { id: 'a0000001', source: 'import apple\nprint("apple", apple.VERSION)' };
let made = 0;
/** A closed notebook with apple 1.0: most notebooks copy its files and its environment. */
let withApple: string | null = null;

/** An open notebook with apple 1.0; below `root` its environment is a copy. */
async function notebookIn(folder: string): Promise<OpenNotebook> {
  if (folder !== root) return installedIn(folder);
  if (withApple === null) {
    const first = await installedIn(root);
    expect((await first.close()).status).toBe(200);
    withApple = first.path;
  }
  made += 1;
  const dir = join(root, `n${made}`);
  await writeNotebook(dir, { cells: [CELL] });
  await copyFile(join(withApple, 'pyproject.toml'), join(dir, 'pyproject.toml'));
  await copyEnvironment(withApple, dir);
  return openNotebook(server, dir);
}

/** An open notebook with apple 1.0, installed by the server. */
async function installedIn(folder: string): Promise<OpenNotebook> {
  made += 1;
  const notebook = await openNotebook(server, join(folder, `n${made}`), [CELL]);
  const { status } = await call(notebook, 'POST', '/dependencies', { package: 'apple==1.0' });
  expect(status).toBe(200);
  return notebook;
}

type Method = 'GET' | 'POST';
function call<T = { detail: { message: string } }>(
  { sid }: OpenNotebook,
  method: Method,
  path: string,
  body?: unknown,
) {
  return rest<T>(server.url, method, `/v1/notebooks/${sid}${path}`, body);
}

const filesOf = async (dir: string) => ({
  project: await readFile(join(dir, 'pyproject.toml'), 'utf8'),
  lock: await readFile(join(dir, 'uv.lock'), 'utf8'),
});

/** Checks that the files are unchanged, no temporary file is left, and the cell runs with its earlier packages. */
async function expectUnchanged(
  notebook: OpenNotebook,
  before: Awaited<ReturnType<typeof filesOf>>,
): Promise<void> {
  const after = await filesOf(notebook.path);
  expect(after).toEqual(before);
  for (const text of [after.project, after.lock]) expect(() => parse(text)).not.toThrow();
  await expect
    .poll(async () =>
      (await readdir(join(notebook.path, '.svc'))).filter((name) =>
        /^venv-|^sync-in-progress\.json$/.test(name),
      ),
    )
    .toEqual([]);
  expect(await notebook.execute('a0000001', 'rerun')).toMatchObject({
    status: 'ready',
    stdout: 'apple 1.0\n',
  });
}

interface Fault {
  readonly name: string;
  readonly path: string;
  readonly body: unknown;
  readonly status: number;
  /** Matches a part of the message. */
  readonly says: RegExp;
  /** Causes the fault; returns a function that repairs it. */
  readonly harm?: () => Promise<() => Promise<void>>;
  /**
   * Tested only in the long run: refused before uv runs, as in environment/imports/imports.test.ts, or at the same step
   * of uv as another row.
   */
  readonly isRepeated?: true;
}

const add = (name: string) => ({ path: '/dependencies', body: { package: name } });
const list = (requirements: string) => ({ path: '/environment/requirements.txt', body: { requirements } });
const conda = (environment_yaml: string) => ({
  path: '/environment/environment.yaml',
  body: { environment_yaml },
});

const FAULTS: readonly Fault[] = [
  { name: 'an unknown package', ...add('nobody-has-it'), status: 400, says: /nobody-has-it was not found/ },
  { name: 'a wheel that fails to build', ...add('sour'), status: 400, says: /sour/ },
  {
    name: 'pins that contradict the installed packages',
    isRepeated: true,
    ...add('plum'),
    status: 400,
    says: /plum.*apple|apple.*plum/,
  },
  {
    name: 'an import of pins that contradict each other',
    ...list('apple==1.0\nplum'),
    status: 400,
    says: /apple/,
  },
  {
    name: 'a truncated wheel',
    ...add('torn'),
    status: 400,
    says: /torn/,
    harm: async () => {
      const path = join(index.root, 'wheels/torn-1.0-py3-none-any.whl');
      const whole = await readFile(path);
      await writeFile(path, whole.subarray(0, whole.length / 2));
      return () => writeFile(path, whole);
    },
  },
  {
    name: 'an index that became unreachable',
    isRepeated: true,
    ...add('pear'),
    status: 400,
    says: /pear|wheels/,
    harm: async () => {
      await rename(join(index.root, 'wheels'), join(index.root, 'gone'));
      return () => rename(join(index.root, 'gone'), join(index.root, 'wheels'));
    },
  },
  {
    name: 'requirements of random characters',
    isRepeated: true,
    ...list('\u0001{{{ garbage'),
    status: 400,
    says: /Line 1/,
  },
  {
    name: 'requirements that name a folder',
    isRepeated: true,
    ...list('-e /etc'),
    status: 400,
    says: /is an option/,
  },
  {
    name: 'a requirement with a URL',
    isRepeated: true,
    ...list('x @ file:///etc/passwd'),
    status: 400,
    says: /is a URL/,
  },
  {
    name: 'a requirement with a marker',
    isRepeated: true,
    ...list("apple; python_version<'3'"),
    status: 400,
    says: /has a marker/,
  },
  {
    name: 'an invalid version',
    isRepeated: true,
    ...list('apple==one.two'),
    status: 400,
    says: /version one.two/,
  },
  {
    name: 'an unknown extra, which is accepted, and a version that is not there',
    ...list('apple[juice]>9'),
    status: 400,
    says: /apple/,
  },
  {
    name: 'two requirements on a line',
    isRepeated: true,
    ...list('apple pear'),
    status: 400,
    says: /is not a valid package requirement/,
  },
  {
    name: 'broken YAML',
    isRepeated: true,
    ...conda('dependencies: [numpy'),
    status: 400,
    says: /cannot be read as YAML/,
  },
  {
    name: 'half a megabyte of YAML',
    isRepeated: true,
    ...conda(`dependencies:\n${'  - "no one"\n'.repeat(38_000)}  - pip:\n    - x-y-z==1`),
    status: 400,
    says: /x-y-z/,
  },
  {
    name: 'a conda package that the index lacks',
    ...conda('dependencies: [cudatoolkit-dev]'),
    status: 400,
    says: /cudatoolkit-dev/,
  },
];

describe.skipIf(uv === null || process.platform === 'win32')('while packages are changed', () => {
  it.each(rowsOfRun(FAULTS, ({ isRepeated = false }) => !isRepeated))(
    '[EN-73] a change is refused and leaves no trace: $name',
    async ({ path, body, status, says, harm }) => {
      const notebook = await notebookIn(root);
      const before = await filesOf(notebook.path);
      const undo = await harm?.();
      const answer = await call(notebook, 'POST', path, body);
      await undo?.();
      expect([answer.status, answer.body]).toEqual([status, expect.anything()]);
      expect(JSON.stringify(answer.body)).toMatch(says);
      await expectUnchanged(notebook, before);
      // The next change must succeed.
      expect((await call(notebook, 'POST', '/dependencies', { package: 'pear' })).status).toBe(200);
    },
  );

  const PHASES = ['add', 'venv', 'sync'] as const;
  const setPhase = (phase: string | null) =>
    phase === null ? rm(join(root, 'phase'), { force: true }) : writeFile(join(root, 'phase'), phase);
  const pidOf = async (): Promise<number> => {
    await expect.poll(() => readFile(join(root, 'pid'), 'utf8').catch(() => '')).not.toBe('');
    const pid = Number(await readFile(join(root, 'pid'), 'utf8'));
    await rm(join(root, 'pid'));
    return pid;
  };
  const ended = async (notebook: OpenNotebook): Promise<EnvironmentJob | null> => {
    let job: EnvironmentJob | null = null;
    const look = async () => {
      const path = '/environment/jobs/current';
      job = (await call<{ environment_job: EnvironmentJob | null }>(notebook, 'GET', path)).body
        .environment_job;
      return job?.status;
    };
    await expect.poll(look).not.toBe('running');
    return job;
  };

  it.each(PHASES)('[EN-73] a uv killed during `uv %s` leaves files and packages unchanged', async (phase) => {
    const notebook = await notebookIn(root);
    const before = await filesOf(notebook.path);
    await setPhase(phase);
    await call(notebook, 'POST', '/environment/jobs', { action: 'add', package: 'pear' });
    process.kill(await pidOf(), 'SIGKILL');
    await setPhase(null);
    expect(await ended(notebook)).toMatchObject({
      status: 'failed',
      error: expect.stringMatching(/uv was killed/),
    });
    await expectUnchanged(notebook, before);
  });

  // environmentLoss.test.ts also kills servers while uv runs.
  it.each(rowsOfRun(PHASES, (phase) => phase === 'sync'))(
    '[EN-73] a server killed during `uv %s` restores files and packages at the next opening',
    async (phase) => {
      const notebook = await notebookIn(root);
      const before = await filesOf(notebook.path);
      await setPhase(phase);
      await call(notebook, 'POST', '/environment/jobs', { action: 'add', package: 'pear' });
      const pid = await pidOf();
      await server.stop('SIGKILL');
      await setPhase(null);
      // The uv process ends with the server.
      await expect.poll(() => isThere(pid)).toBe(false);
      server = await begin();
      await expectUnchanged(await openNotebook(server, notebook.path), before);
    },
  );

  // A truncated wheel fails at the same step as one whose sending ends early.
  it.each(rowsOfRun(SENDINGS, (sending) => sending === 'page'))(
    '[EN-73] an index that disconnects while sending its %s leaves files and packages unchanged',
    async (phase) => {
      const folder = join(root, `mortal-${phase}`);
      await mkdir(folder);
      const mortal = await createMortalIndex(folder);
      const usual = server;
      // With its usual cache, uv would not need the index.
      const cache = join(folder, 'cache');
      server = await begin({ UV_DEFAULT_INDEX: mortal.url, UV_CACHE_DIR: cache, UV_HTTP_RETRIES: '0' });
      try {
        const notebook = await notebookIn(folder);
        const before = await filesOf(notebook.path);
        mortal.die(phase);
        const refused = await call(notebook, 'POST', '/dependencies', { package: 'kiwi' });
        expect([refused.status, JSON.stringify(refused.body)]).toEqual([
          400,
          expect.stringMatching(/kiwi|index/),
        ]);
        await expectUnchanged(notebook, before);
        mortal.die(null);
        expect((await call(notebook, 'POST', '/dependencies', { package: 'kiwi' })).status).toBe(200);
      } finally {
        await server.dispose();
        server = usual;
        mortal.close();
      }
    },
  );

  test('[EN-73] a full disk is reported and damages nothing, and changes work again once there is room', async ({
    skip,
  }) => {
    const dir = join(root, 'disk');
    await mkdir(dir);
    const disk = smallDisk(dir, '40m');
    if (disk === null) return skip('this machine cannot mount a small disk');
    try {
      const notebook = await notebookIn(dir);
      await notebook.execute('a0000001');
      const before = await filesOf(notebook.path);
      // The disk fills up while the package is written.
      const half = await call(notebook, 'POST', '/dependencies', { package: 'huge' });
      expect([half.status, JSON.stringify(half.body)]).toEqual([
        400,
        expect.stringMatching(/No space left|os error 28/),
      ]);
      await expectUnchanged(notebook, before);
      // The disk is full before the job starts.
      const makeRoom = await disk.fill();
      const full = await call(notebook, 'POST', '/dependencies', { package: 'pear' });
      expect([full.status, JSON.stringify(full.body)]).toEqual([
        400,
        expect.stringMatching(/ENOSPC|No space left/),
      ]);
      expect(await filesOf(notebook.path)).toEqual(before);
      await makeRoom();
      await expectUnchanged(notebook, before);
      expect((await call(notebook, 'POST', '/dependencies', { package: 'pear' })).status).toBe(200);
      await notebook.close();
    } finally {
      disk.remove();
    }
  });

  test('[EN-73] a folder that became read-only is reported, and nothing changes', async ({ skip }) => {
    const dir = join(root, 'locked');
    await mkdir(dir);
    const disk = smallDisk(dir, '64m');
    if (disk === null) return skip('this machine cannot mount a small disk');
    try {
      const notebook = await notebookIn(dir);
      const before = await filesOf(notebook.path);
      // A bind mount, because the disk itself has files open for writing and cannot be remounted read-only.
      execFileSync('mount', ['--bind', dir, dir]);
      execFileSync('mount', ['-o', 'remount,bind,ro', dir]);
      const refused = await call(notebook, 'POST', '/dependencies', { package: 'pear' });
      expect([refused.status, JSON.stringify(refused.body)]).toEqual([
        400,
        expect.stringMatching(/EROFS|read-only/i),
      ]);
      expect(await filesOf(notebook.path)).toEqual(before);
      execFileSync('umount', ['-l', dir]);
      await expectUnchanged(notebook, before);
      await notebook.close();
    } finally {
      disk.remove();
    }
  });

  /** Damage to an environment that a repair fixes. */
  test.each<[string, (dir: string) => Promise<void>]>([
    ['an environment whose Python was deleted', (dir) => rm(join(dir, '.venv/bin'), { recursive: true })],
    ['an environment whose packages were deleted', (dir) => rm(join(dir, '.venv/lib'), { recursive: true })],
    [
      'a file in place of the environment',
      async (dir) => {
        await rm(join(dir, '.venv'), { recursive: true });
        await writeFile(join(dir, '.venv'), 'not a folder');
      },
    ],
    [
      'temporary files of a killed job',
      async (dir) => {
        await mkdir(join(dir, '.svc/venv-0123abcd'), { recursive: true });
        await writeFile(join(dir, '.svc/sync-in-progress.json'), '{}');
      },
    ],
  ])('[EN-72] a repair fixes %s', async (_name, harm) => {
    const notebook = await notebookIn(root);
    const before = await filesOf(notebook.path);
    await harm(notebook.path);
    expect((await call(notebook, 'POST', '/x/environment/repair')).status).toBe(202);
    expect(await ended(notebook)).toMatchObject({ action: 'sync', status: 'completed', error: null });
    await expectUnchanged(notebook, before);
  });

  test('[EN-72] a repair resolves an unreadable lock again', async () => {
    const notebook = await notebookIn(root);
    const { lock } = await filesOf(notebook.path);
    await writeFile(join(notebook.path, 'uv.lock'), `<<<<<<< ours\n${lock}`);
    await call(notebook, 'POST', '/x/environment/repair');
    expect(await ended(notebook)).toMatchObject({ status: 'completed' });
    expect((await filesOf(notebook.path)).lock).toBe(lock);
    expect(await notebook.execute('a0000001', 'rerun')).toMatchObject({ stdout: 'apple 1.0\n' });
  });
});

function isThere(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

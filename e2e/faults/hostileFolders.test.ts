/**
 * Tests notebook folders with damaged files, links out of them, pipes, changes while open, and full or read-only disks.
 * A real server changes nothing outside the folder and loses nothing in it.
 */

import { execFileSync, spawn } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SessionStateBody } from '../../src-shared/wire/notebookState.ts';
import { connectLive } from '../support/liveClient.ts';
import { writeNotebook } from '../support/notebookFolder.ts';
import { openNotebook } from '../support/openNotebook.ts';
import { plainServer } from '../support/plainServer.ts';
import { copyEnvironment } from '../support/preparedEnvironment.ts';
import { rest } from '../support/rest.ts';
import type { ServerProcess } from '../support/serverProcess.ts';

let root = '';
let server: ServerProcess;
beforeAll(async () => {
  ({ root, server } = await plainServer('cellar-faults-'));
});
afterAll(async () => {
  await server.dispose();
  await rm(root, { recursive: true, force: true });
});

const CELLS = [
  { id: 'make0001', source: 'values = list(range(100))' },
  { id: 'read0001', source: 'print(sum(values))' },
];
const RESULT = '4950\n';

/** A notebook that ran and was closed, such as a colleague sends as an archive: the others are copies of it. */
let archive: string | null = null;

/** A copy of the archived notebook with this name. */
async function archivedFolder(name: string): Promise<string> {
  if (archive === null) {
    const notebook = await openNotebook(server, join(root, 'archive'), CELLS);
    expect((await notebook.execute('read0001')).stdout).toBe(RESULT);
    expect((await notebook.close()).status).toBe(200);
    archive = notebook.path;
  }
  const dir = join(root, name);
  const venv = join(archive, '.venv');
  await cp(archive, dir, { recursive: true, preserveTimestamps: true, filter: (path) => path !== venv });
  await copyEnvironment(archive, dir);
  return dir;
}

async function replace(path: string, content: string | 'folder' | { readonly link: string }): Promise<void> {
  await rm(path, { recursive: true, force: true });
  await mkdir(dirname(path), { recursive: true });
  if (content === 'folder') await mkdir(join(path, 'full'), { recursive: true });
  else if (typeof content === 'string') await writeFile(path, content);
  else await symlink(content.link, path);
}

/** A folder of the user that no notebook may change. */
async function preciousFolder(): Promise<string> {
  const dir = await mkdtemp(join(root, 'precious-'));
  await mkdir(join(dir, 'tmp'));
  await writeFile(join(dir, 'tmp/thesis'), 'mine');
  await writeFile(join(dir, 'thesis'), 'mine');
  return dir;
}

interface Damage {
  readonly name: string;
  /** Relative to the notebook. */
  readonly path: string;
  readonly content: string | 'folder' | 'precious folder' | 'precious file';
  /** The message of the refusal; null if the notebook opens and its cells run. */
  readonly refused: RegExp | null;
}

const DAMAGES: readonly Damage[] = [
  { name: 'a runtime.json of invalid JSON', path: '.svc/runtime.json', content: '{{{', refused: null },
  {
    name: 'a runtime.json of ten thousand brackets',
    path: '.svc/runtime.json',
    content: '['.repeat(10_000),
    refused: null,
  },
  { name: 'a folder in place of runtime.json', path: '.svc/runtime.json', content: 'folder', refused: null },
  {
    name: 'an invalid database',
    path: '.svc/artifacts/artifacts.sqlite',
    content: 'x'.repeat(9000),
    refused: null,
  },
  { name: 'an empty database', path: '.svc/artifacts/artifacts.sqlite', content: '', refused: null },
  {
    name: 'a folder in place of the database',
    path: '.svc/artifacts/artifacts.sqlite',
    content: 'folder',
    refused: /artifacts\.sqlite/,
  },
  { name: 'a file in place of the store', path: '.svc/artifacts', content: 'x', refused: /\.svc\/artifacts/ },
  { name: 'a file in place of .svc', path: '.svc', content: 'x', refused: /\.svc/ },
  { name: 'a lock of invalid JSON', path: '.svc/writer.lock', content: '{', refused: null },
  { name: 'a uv.lock of invalid TOML', path: 'uv.lock', content: '[[[', refused: null },
  { name: 'a pyproject.toml of invalid TOML', path: 'pyproject.toml', content: '[[[', refused: null },
  {
    name: '.svc as a link out of the folder',
    path: '.svc',
    content: 'precious folder',
    refused: /is a link/,
  },
  {
    name: 'the store as a link out of the folder',
    path: '.svc/artifacts',
    content: 'precious folder',
    refused: /is a link/,
  },
  {
    name: 'the blobs as a link out of the folder',
    path: '.svc/artifacts/blobs',
    content: 'precious folder',
    refused: /is a link/,
  },
  {
    name: 'the scratch folder as a link out of the folder',
    path: '.svc/tmp',
    content: 'precious folder',
    refused: null,
  },
  {
    name: 'runtime.json as a link out of the folder',
    path: '.svc/runtime.json',
    content: 'precious file',
    refused: null,
  },
  {
    name: 'a console record as a link out of the folder',
    path: '.svc/console/read0001.json',
    content: 'precious file',
    refused: null,
  },
];

describe('damaged folders', () => {
  for (const [i, { name, path, content, refused }] of DAMAGES.entries()) {
    it(`[NF-23] ${name}`, async () => {
      const dir = await archivedFolder(`harmed${i}`);
      const mine = await preciousFolder();
      const link = content === 'precious file' ? join(mine, 'thesis') : mine;
      await replace(join(dir, path), content.startsWith('precious') ? { link } : content);
      if (refused === null) {
        const notebook = await openNotebook(server, dir);
        expect((await notebook.execute('read0001', 'rerun')).stdout).toBe(RESULT);
        expect((await notebook.close()).status).toBe(200);
      } else {
        const answer = await rest<{ detail: string }>(server.url, 'POST', '/v1/notebooks/open', {
          path: dir,
        });
        expect([400, 409]).toContain(answer.status);
        expect(answer.body.detail).toMatch(refused);
      }
      expect((await readdir(mine)).toSorted()).toEqual(['thesis', 'tmp']);
      expect(await readdir(join(mine, 'tmp'))).toEqual(['thesis']);
      expect(await readFile(join(mine, 'thesis'), 'utf8')).toBe('mine');
    });
  }
});

const pipes: readonly (readonly [path: string, refused: RegExp | null])[] = [
  ['notebook.toml', /notebook\.toml/],
  ['pyproject.toml', /pyproject\.toml/],
  ['uv.lock', /uv\.lock/],
  ['.svc/runtime.json', null],
  ['cells/read0001.py', null],
];
describe('[NF-23] pipes without a writer are not waited for', () => {
  it.each(pipes)('%s', async (path, refused) => {
    const dir = await archivedFolder(`pipe-${path.replaceAll('/', '-')}`);
    await rm(join(dir, path), { force: true });
    execFileSync('mkfifo', [join(dir, path)]);
    const answer = await rest<{ detail: string }>(server.url, 'POST', '/v1/notebooks/open', { path: dir });
    if (refused === null) expect(answer.status).toBe(200);
    else
      expect([answer.status >= 400 && answer.status < 500, answer.body.detail]).toEqual([
        true,
        expect.stringMatching(refused),
      ]);
  });
});

describe('[NF-23] a folder of cells that is a link out of the notebook', () => {
  it('is not read, and nothing in it is changed or deleted', async () => {
    const dir = await archivedFolder('cells-out');
    const mine = await preciousFolder();
    await writeFile(join(mine, 'read0001.py'), 'mine');
    await replace(join(dir, 'cells'), { link: mine });
    const notebook = await openNotebook(server, dir);
    expect((await notebook.cell('read0001')).file_problem).toMatch(/outside the notebook/);
    const cells = `/v1/notebooks/${notebook.sid}/cells`;
    expect((await rest(server.url, 'PUT', `${cells}/read0001`, { source: 'x' })).status).toBe(409);
    expect((await rest(server.url, 'POST', cells, {})).status).toBe(409);
    expect((await rest(server.url, 'DELETE', `${cells}/read0001`)).status).toBe(409);
    expect((await readdir(mine)).toSorted()).toEqual(['read0001.py', 'thesis', 'tmp']);
    expect(await readFile(join(mine, 'read0001.py'), 'utf8')).toBe('mine');
    await notebook.close();
  });
});

describe('folders that change under an open notebook', () => {
  for (const gone of ['.svc', '.svc/artifacts', '.svc/tmp', '.svc/artifacts/blobs']) {
    it(`[AS-13] after ${gone} is deleted, the next runs work and are stored`, async () => {
      const notebook = await openNotebook(server, join(root, `gone-${gone.replaceAll('/', '-')}`), CELLS);
      await notebook.execute('read0001');
      // Deletion is retried, because the last run's records may still be being written.
      await rm(join(notebook.path, gone), { recursive: true, maxRetries: 10 });
      await notebook.edit('make0001', 'values = list(range(101))');
      expect((await notebook.execute('read0001')).stdout).toBe('5050\n');
      expect((await notebook.close()).status).toBe(200);
      const again = await openNotebook(server, notebook.path);
      expect(await again.execute('read0001')).toMatchObject({ stdout: '5050\n', cache_hit: true });
      await again.close();
    });
  }

  it('[NF-22] a folder that is moved can be closed at the old path and opened at the new one', async () => {
    const notebook = await openNotebook(server, join(root, 'before'), CELLS);
    await notebook.execute('read0001');
    await rename(notebook.path, join(root, 'after'));
    expect((await notebook.close()).status).toBe(200);
    const again = await openNotebook(server, join(root, 'after'));
    expect((await again.execute('read0001')).stdout).toBe(RESULT);
    await again.close();
  });

  it('[AS-12] while another program locks the store, a run waits and the server still answers', async () => {
    const notebook = await openNotebook(server, join(root, 'locked'), CELLS);
    await notebook.execute('read0001');
    const locker = spawn(
      'python3',
      [
        '-c',
        'import sqlite3, sys\ncon = sqlite3.connect(sys.argv[1], isolation_level=None)\ncon.execute("BEGIN IMMEDIATE")\nprint("locked", flush=True)\nsys.stdin.read()',
        join(notebook.path, '.svc/artifacts/artifacts.sqlite'),
      ],
      { stdio: ['pipe', 'pipe', 'inherit'] },
    );
    await new Promise((resolve) => locker.stdout.once('data', resolve));
    const live = await connectLive(server.url, notebook.sid);
    let running = true;
    const run = notebook.execute('read0001', 'rerun').finally(() => {
      running = false;
    });
    // The results are published after the output. A server that itself waited for the lock would not answer.
    await live.next('cell_console', { where: ({ text }) => text === RESULT });
    for (let n = 0; n < 200; n += 1) expect((await rest(server.url, 'GET', '/health')).status).toBe(200);
    expect(running).toBe(true);
    locker.stdin.end();
    expect((await run).stdout).toBe(RESULT);
    await live.close();
    await notebook.close();
  });
});

/** Mounts a file system of the given size; only root can make one. */
function mountSmallDisk(dir: string, size: string): boolean {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', dir], { stdio: 'ignore' });
    return true;
  } catch {
    // Not root, or a container without permission to mount: the tests are skipped.
    return false;
  }
}

describe('disks that refuse writes', () => {
  it('[RE-2] on a full disk, edits, runs and new notebooks are refused with a message, and nothing is lost', async ({
    skip,
  }) => {
    const disk = await mkdtemp(join(root, 'disk-'));
    if (!mountSmallDisk(disk, '3m')) return skip('only root can mount a small disk');
    try {
      const dir = await writeNotebook(join(disk, 'notebook'), { cells: CELLS });
      const notebook = await openNotebook(server, dir);
      await notebook.execute('read0001');
      await fill(join(disk, 'filler'));
      const path = `/v1/notebooks/${notebook.sid}/cells`;
      const source = `print(0) # ${'x'.repeat(20_000)}`;
      const refusals = [
        await rest<{ detail: string }>(server.url, 'PUT', `${path}/read0001`, { source }),
        await rest<{ detail: string }>(server.url, 'POST', path, {}),
        await rest<{ detail: string }>(server.url, 'POST', '/v1/notebooks/create', {
          parent_path: disk,
          name: 'new',
        }),
      ];
      expect(refusals.map(({ status }) => status)).toEqual([409, 409, 409]);
      for (const { body } of refusals) expect(body.detail).toMatch(/no space left/);
      expect(await readFile(join(dir, 'cells/read0001.py'), 'utf8')).toBe(CELLS[1]?.source);
      const failed = await notebook.execute('make0001', 'rerun');
      expect(failed).toMatchObject({
        status: 'error',
        error: expect.stringMatching(/no space left|disk is full/),
      });
      await rm(join(disk, 'filler'));
      expect(await readdir(disk)).toEqual(['notebook']);
      await notebook.edit('read0001', 'print(sum(values) + 1)');
      expect((await notebook.execute('read0001')).stdout).toBe('4951\n');
      await notebook.close();
    } finally {
      execFileSync('umount', ['-l', disk]);
    }
  });

  it('[SG-49] on a read-only disk, a notebook opens read-only, shows its results, and refuses changes', async ({
    skip,
  }) => {
    const disk = await mkdtemp(join(root, 'disk-'));
    if (!mountSmallDisk(disk, '8m')) return skip('only root can mount a small disk');
    try {
      const first = await openNotebook(server, join(disk, 'notebook'), CELLS);
      expect((await first.execute('read0001')).stdout).toBe(RESULT);
      await first.close();
      execFileSync('mount', ['-o', 'remount,ro', disk]);
      const opened = await rest<SessionStateBody>(server.url, 'POST', '/v1/notebooks/open', {
        path: first.path,
      });
      expect([opened.status, opened.body.folder_problem]).toEqual([
        200,
        expect.stringMatching(/is read-only/),
      ]);
      expect(opened.body.cells.find(({ id }) => id === 'read0001')).toMatchObject({ console_stdout: RESULT });
      const cell = `/v1/notebooks/${opened.body.session_id}/cells/read0001`;
      const refused = [
        await rest<{ detail: string }>(server.url, 'PUT', cell, { source: 'x = 1' }),
        await rest<{ detail: string }>(server.url, 'POST', `${cell}/execute`),
        await rest<{ detail: string }>(server.url, 'DELETE', cell),
      ];
      for (const { status, body } of refused)
        expect([status, body.detail]).toEqual([403, expect.stringMatching(/is read-only/)]);
      const created = await rest<{ detail: string }>(server.url, 'POST', '/v1/notebooks/create', {
        parent_path: disk,
        name: 'new',
      });
      expect([created.status, created.body.detail]).toEqual([409, expect.stringMatching(/read-only/)]);
      // After the disk becomes writable, the notebook only has to be opened again.
      execFileSync('mount', ['-o', 'remount,rw', disk]);
      const again = await openNotebook(server, first.path);
      expect(again.opened.folder_problem).toBeUndefined();
      await again.edit('read0001', 'print(sum(values) + 1)');
      expect((await again.execute('read0001')).stdout).toBe('4951\n');
      await again.close();
    } finally {
      execFileSync('umount', ['-l', disk]);
    }
  });
});

/** Fills the disk that contains a path to the last byte. */
async function fill(path: string): Promise<void> {
  const block = Buffer.alloc(4096);
  for (;;) {
    try {
      await writeFile(path, block, { flag: 'a' });
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOSPC') return;
      throw error;
    }
  }
}

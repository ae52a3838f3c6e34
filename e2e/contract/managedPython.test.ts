/**
 * A notebook that requires a Python the machine lacks: the built server installs it, with real uv and a fake download
 * mirror; failed and stalled downloads leave nothing behind.
 */

import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  createTestIndex,
  indexSettings,
  projectText,
  type TestIndex,
} from '../../src-main/environment/testing/testIndex.ts';
import { createTestMirror, type TestMirror } from '../../src-main/environment/testing/testMirror.ts';
import type { EnvironmentPayload } from '../../src-shared/wire/routes/environment.ts';
import { writeNotebook } from '../support/notebookFolder.ts';
import { type OpenNotebook, openNotebook } from '../support/openNotebook.ts';
import { rest } from '../support/rest.ts';
import { type ServerProcess, startServerProcess } from '../support/serverProcess.ts';

let root = '';
let server: ServerProcess | undefined;
let index: TestIndex;
let mirror: TestMirror | string = '';
beforeAll(async () => {
  mirror = await createTestMirror(process.env['CELLAR_TEST_PYTHON']);
  if (typeof mirror === 'string') return;
  root = await mkdtemp(join(tmpdir(), 'cellar-managed-'));
  index = await createTestIndex();
  server = await startServerProcess({ grants: [root], env: { ...indexSettings(index), ...mirror.env } });
});
afterAll(async () => {
  if (typeof mirror === 'string') return;
  await server?.dispose();
  await index.close();
  await mirror.close();
  await rm(root, { recursive: true, force: true });
});

const CELL = { id: 'a', source: 'import sys\nprint(sys.version_info[:2])' };

async function environmentAfterJob(notebook: OpenNotebook): Promise<EnvironmentPayload> {
  const read = async () => (await notebook.get<EnvironmentPayload>('/environment')).body;
  await expect.poll(async () => (await read()).environment_job?.status).not.toBe('running');
  return read();
}

async function writeFolder(name: string, minor: string): Promise<string> {
  const dir = await writeNotebook(join(root, name), { cells: [CELL] });
  await writeFile(join(dir, 'pyproject.toml'), projectText(name, minor, []));
  return dir;
}

async function openFolder(name: string, minor: string): Promise<OpenNotebook> {
  if (server === undefined) throw new Error('no server');
  return openNotebook(server, await writeFolder(name, minor));
}

const pythonsOf = (of: TestMirror) => readdir(of.env['UV_PYTHON_INSTALL_DIR'] ?? '').catch(() => []);

describe('a Python the machine lacks', () => {
  const failures = [
    { how: 'gone', words: /404/ },
    { how: 'broken', words: /extract|archive|gzip|invalid|unpack/i },
  ] as const;
  it.for(failures)(
    '[EN-61] that is $how on the mirror gives an error message with the fix, and leaves no files',
    async ({ how, words }, { skip }) => {
      if (typeof mirror === 'string') return skip(mirror);
      mirror.answer(how);
      const notebook = await openFolder(how, mirror.minor);
      const { environment, environment_job: job } = await environmentAfterJob(notebook);
      expect(job?.status).toBe('failed');
      expect(environment.sync_error).toMatch(words);
      expect(environment.sync_error).toContain(
        `uv could not download a Python that matches ==${mirror.minor}.*`,
      );
      expect(environment.sync_error).toContain('UV_PYTHON_INSTALL_MIRROR');
      expect(environment).toMatchObject({ sync_state: 'failed', interpreter_source: 'unknown' });
      expect((await pythonsOf(mirror)).filter((name) => name.startsWith('cpython'))).toEqual([]);
      await notebook.close();
    },
  );

  it('[EN-61] is not installed if its download stalls and is cancelled', async ({ skip }) => {
    if (typeof mirror === 'string' || server === undefined) return skip(String(mirror));
    mirror.answer('stalls');
    const before = mirror.requestCount();
    const dir = await writeFolder('stalls', mirror.minor);
    const open = await rest<{ session_id: string }>(server.url, 'POST', '/v1/notebooks/open', { path: dir });
    const session = `/v1/notebooks/${open.body.session_id}`;
    const { url } = server;
    const read = async () => (await rest<EnvironmentPayload>(url, 'GET', `${session}/environment`)).body;
    await expect.poll(() => typeof mirror !== 'string' && mirror.requestCount()).toBeGreaterThan(before);
    expect((await read()).environment_job).toMatchObject({ status: 'running', phase: 'uv_running' });
    const { body } = await rest(url, 'POST', `${session}/x/environment/cancel`);
    expect(body).toEqual({ cancelled: true });
    await expect.poll(async () => (await read()).environment_job?.status).toBe('failed');
    expect((await read()).environment_job?.error).toContain('Cancelled');
    expect((await pythonsOf(mirror)).filter((name) => name.startsWith('cpython'))).toEqual([]);
    await rest(url, 'POST', `${session}/close`);
  });

  it('[EN-60] is downloaded once, is logged, and runs the cells of every notebook that requires it', async ({
    skip,
  }) => {
    if (typeof mirror === 'string') return skip(mirror);
    mirror.answer('whole');
    const before = mirror.requestCount();
    const notebook = await openFolder('fetched', mirror.minor);
    const { environment, environment_job: job } = await environmentAfterJob(notebook);
    expect(job?.stderr).toMatch(/Downloading one[\s\S]*Downloading cpython[\s\S]*Installed Python/);
    expect(environment).toMatchObject({
      sync_state: 'ready',
      sync_error: null,
      interpreter_source: 'venv',
      python_version: mirror.minor,
    });
    const [, small = ''] = mirror.minor.split('.');
    expect(await notebook.execute('a')).toMatchObject({ status: 'ready', stdout: `(3, ${small})\n` });
    await notebook.close();
    const other = await openFolder('other', mirror.minor);
    expect((await environmentAfterJob(other)).environment).toMatchObject({ sync_state: 'ready' });
    expect(mirror.requestCount()).toBe(before + 1);
    await other.close();
  });
});

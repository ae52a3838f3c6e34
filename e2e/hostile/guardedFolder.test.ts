/**
 * Tests notebook folders from a stranger, with links, pipes and forged records in `.svc`: a real server and `svc run`
 * change nothing outside the folder.
 */

import { execFileSync } from 'node:child_process';
import { link, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import type { SessionStateBody } from '../../src-shared/wire/notebookState.ts';
import { writeNotebook } from '../support/notebookFolder.ts';
import { closeWhenSettled, rest } from '../support/rest.ts';
import { type ServerProcess, startServerProcess } from '../support/serverProcess.ts';
import { svc } from '../support/svcCommand.ts';
import { makeVictim, treeOf } from './victim.ts';

let root = '';
let victim = '';
let server: ServerProcess;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'cellar-hostile-'));
  victim = join(root, 'victim');
  await makeVictim(victim);
  // No environment is created, because each notebook is soon closed and only files are checked.
  server = await startServerProcess({ grants: [root], env: { SVC_UV: join(root, 'no-uv') } });
});
afterAll(async () => {
  await server.dispose();
  await rm(root, { recursive: true, force: true });
});

interface Hostile {
  readonly name: string;
  /** Links in the notebook's folder: the path of each, and the file or folder of the victim that it points to. */
  readonly links?: Readonly<Record<string, string>>;
  /** Records below `.svc`, such as a run on another machine could have left. */
  readonly records?: Readonly<Record<string, unknown>>;
  readonly pipes?: readonly string[];
  /** The message of the refusal to open; absent if the notebook opens. */
  readonly refused?: RegExp;
  /** The problem that the open notebook reports. */
  readonly says?: RegExp;
}

const NOTE = { lockBefore: 'theirs', projectBefore: 'theirs', isEdit: true, projectAfter: null };
const CUT = { id: 'settings', run: 'r1', stdout: 'theirs '.repeat(2_000), stderr: '' };

/** Every folder that Cellar stores something in. */
const FOLDERS = [
  ...['running', 'history', 'deleted', 'console', 'logs', 'tmp', 'mount_cache', 'fetch'],
  ...['environment_files', 'venv-00000000', 'venv-00000000-old', 'venv-00000000-gone'],
  ...['r-00000000', 'r-00000000-old', 'console/settings.json', 'history/6331.jsonl', 'deleted/6331.json'],
];
/** Every record that Cellar stores in a file. */
const FILES = [
  ...['runtime.json', 'undo.json', 'settings.json', 'environment_jobs.json', 'environment.json'],
  ...['source_drafts.json', 'test_drafts.json', 'sync-in-progress.json', 'r-in-progress.json'],
];

const HOSTILE: readonly Hostile[] = [
  {
    name: 'an interrupted environment job whose files are links',
    links: { 'pyproject.toml': '.bashrc', 'uv.lock': 'autostart.desktop' },
    records: { 'sync-in-progress.json': NOTE },
    says: /pyproject\.toml is a link\. .*remove the link/,
  },
  {
    name: 'an interrupted environment job whose lock is a dangling link',
    links: { 'uv.lock': 'autostart.desktop' },
    records: { 'sync-in-progress.json': { ...NOTE, isEdit: false } },
    says: /uv\.lock is a link\. .*remove the link/,
  },
  {
    name: 'a draft of tests whose file is a dangling link',
    links: { 'cells/c1.test.py': 'authorized_keys' },
    records: { 'test_drafts.json': [{ cell_id: 'c1', text: 'theirs\n', base: '' }] },
    says: /c1\.test\.py is a link/,
  },
  {
    name: 'a draft of a source whose file is a dangling link',
    links: { 'cells/c1.py': 'new-file' },
    records: { 'source_drafts.json': [{ cell_id: 'c1', text: 'theirs\n', base: '' }] },
    says: /c1\.py is a link to a file outside the notebook/,
  },
  { name: 'a cell that is a link', links: { 'cells/c1.py': 'precious' }, says: /c1\.py is a link/ },
  { name: 'the folder of cells as a link', links: { cells: 'other' }, says: /cells is a link/ },
  {
    name: 'notebook.toml as a link',
    links: { 'notebook.toml': 'precious' },
    refused: /notebook\.toml: is a link/,
  },
  { name: '.svc as a link', links: { '.svc': 'other' }, refused: /\.svc is a link/ },
  { name: 'the store as a link', links: { '.svc/artifacts': 'other' }, refused: /is a link/ },
  {
    name: 'the database as a link',
    links: { '.svc/artifacts/artifacts.sqlite': 'precious' },
    refused: /is a link/,
  },
  {
    name: 'the write-ahead log of the database as a link',
    links: { '.svc/artifacts/artifacts.sqlite-wal': 'precious' },
    refused: /is a link/,
  },
  {
    name: 'output of a killed run, with links in place of its folders',
    links: { '.svc/console': 'config', '.svc/logs': 'config' },
    records: { 'running/a.json': CUT },
  },
  {
    name: 'output of a killed run whose cell id is a path',
    records: { 'running/a.json': { ...CUT, id: '../../../victim/config/settings' } },
  },
  {
    name: 'an interrupted R job that restores to a path outside',
    records: {
      'r-in-progress.json': {
        lockBefore: null,
        profileBefore: null,
        makesFolder: true,
        isInit: true,
        lockAfter: null,
        target: '../victim/letters',
        retired: 'r-00000000-old',
      },
      'r-00000000-old/x.json': {},
    },
  },
  {
    name: 'an interrupted R job whose files are links',
    links: { 'renv.lock': 'precious', '.Rprofile': '.bashrc', renv: 'other' },
    records: {
      'r-in-progress.json': {
        lockBefore: 'theirs',
        profileBefore: 'theirs',
        makesFolder: true,
        isInit: true,
        lockAfter: null,
        target: null,
        retired: null,
      },
    },
  },
  { name: 'an environment that is a link', links: { '.venv': 'python' } },
  {
    name: 'all records as links',
    links: Object.fromEntries(FILES.map((file) => [`.svc/${file}`, 'precious'])),
  },
  ...FILES.map((file) => ({
    name: `${file} as a dangling link`,
    links: { [`.svc/${file}`]: `made-${file}` },
  })),
  ...FOLDERS.map((folder) => ({
    name: `${folder} as a link`,
    links: { [`.svc/${folder}`]: folder === 'deleted' ? 'letters' : 'other' },
  })),
  { name: 'pipes in place of records', pipes: ['.svc/runtime.json', '.svc/undo.json', '.svc/settings.json'] },
  { name: 'a pipe in place of a cell', pipes: ['cells/c1.py'], says: /c1\.py is not a regular file/ },
];

let caseCount = 0;
async function hostileFolder(hostile: Hostile): Promise<string> {
  caseCount += 1;
  const dir = join(root, `case${caseCount}`);
  const cells = ['c1', 'c2', 'settings'].map((id) => ({ id, source: `${id} = 1\n` }));
  await writeNotebook(dir, { cells, dependencies: [] });
  const put = async (path: string): Promise<string> => {
    await rm(join(dir, path), { recursive: true, force: true });
    await mkdir(dirname(join(dir, path)), { recursive: true });
    return join(dir, path);
  };
  for (const [path, record] of Object.entries(hostile.records ?? {})) {
    await writeFile(await put(join('.svc', path)), JSON.stringify(record));
  }
  for (const [path, to] of Object.entries(hostile.links ?? {}))
    await symlink(join(victim, to), await put(path));
  for (const path of hostile.pipes ?? []) execFileSync('mkfifo', [await put(path)]);
  return dir;
}

const request = <T>(method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: unknown) =>
  rest<T>(server.url, method, `/v1/notebooks${path}`, body);

describe('[SG-8] a notebook from a stranger', () => {
  it.each(HOSTILE)('$name: opened, edited, closed', async (hostile) => {
    const dir = await hostileFolder(hostile);
    const before = await treeOf(victim);
    const opened = await request<SessionStateBody & { detail: unknown }>('POST', '/open', { path: dir });
    if (hostile.refused !== undefined) {
      expect(opened.status).toBeOneOf([400, 409]);
      expect(String(opened.body.detail)).toMatch(hostile.refused);
    } else {
      expect([opened.status, opened.body.detail]).toEqual([200, undefined]);
      const base = `/${opened.body.session_id}`;
      // Whatever these requests answer, only the notebook's own files may change.
      const edits = [
        await request('PUT', `${base}/cells/c1`, { source: 'theirs = 2\n' }),
        await request('PUT', `${base}/cells/c1/tests`, { source: 'def test_it(): pass\n' }),
        await request('DELETE', `${base}/cells/c2`),
      ];
      const state = await request('GET', `/sessions/${opened.body.session_id}`);
      const environment = await request('GET', `${base}/environment`);
      if (hostile.says !== undefined) {
        const answers = JSON.stringify([opened.body, edits, state.body, environment.body]).replaceAll(
          '\\n',
          ' ',
        );
        expect(answers).toMatch(hostile.says);
      }
      expect((await closeWhenSettled(server.url, opened.body.session_id)).status).toBe(200);
    }
    expect(await treeOf(victim)).toEqual(before);
  });

  const RUN = ['recovery', 'a draft of a source', 'all records', 'tmp as a link', 'logs as a link'];
  it.each(HOSTILE.filter(({ name }) => RUN.some((words) => name.startsWith(words))))(
    '$name: run without a server',
    async (hostile) => {
      const dir = await hostileFolder(hostile);
      const before = await treeOf(victim);
      const end = await svc(['run', dir, '--format', 'json']);
      expect(end.signal).toBeNull();
      expect(end.code).not.toBeNull();
      expect(await treeOf(victim)).toEqual(before);
    },
  );
});

test('[SG-4] a copy of a notebook by hard links is opened and edited, and the original keeps its bytes', async () => {
  const first = await hostileFolder({ name: 'first' });
  const open = (path: string) => request<SessionStateBody>('POST', '/open', { path });
  const used = await open(first);
  await request('PUT', `/${used.body.session_id}/cells/c1`, { source: 'c1 = 2\n' });
  expect((await closeWhenSettled(server.url, used.body.session_id)).status).toBe(200);
  const copy = `${first}-copy`;
  for (const entry of await readdir(first, { recursive: true, withFileTypes: true })) {
    const from = join(entry.parentPath, entry.name);
    const to = join(copy, from.slice(first.length));
    await mkdir(entry.isDirectory() ? to : dirname(to), { recursive: true });
    if (entry.isFile()) await link(from, to);
  }
  const before = await treeOf(first);
  const again = await open(copy);
  expect([again.status, again.body]).toEqual([200, expect.anything()]);
  await request('PUT', `/${again.body.session_id}/cells/c1`, { source: 'c1 = 3\n' });
  await request('DELETE', `/${again.body.session_id}/cells/c2`);
  await closeWhenSettled(server.url, again.body.session_id);
  expect(await readFile(join(copy, 'cells/c1.py'), 'utf8')).toBe('c1 = 3\n');
  expect(await treeOf(first)).toEqual(before);
});

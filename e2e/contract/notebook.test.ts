/**
 * Tests notebooks on a real server: what runs leave on disk and after reopening, several people, opening and closing.
 */

import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Cell } from '../../src-shared/wire/cell.ts';
import type { SessionStateBody } from '../../src-shared/wire/notebookState.ts';
import type { StoredVariable } from '../../src-shared/wire/routes/extensions.ts';
import { connectLive } from '../support/liveClient.ts';
import { writeNotebook } from '../support/notebookFolder.ts';
import { openNotebook } from '../support/openNotebook.ts';
import { rest } from '../support/rest.ts';
import { type ServerProcess, startServerProcess } from '../support/serverProcess.ts';

let root = '';
let server: ServerProcess;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'cellar-notebook-'));
  server = await startServerProcess({
    grants: [root],
    env: {
      SVC_NOTEBOOK_HARNESS_ENV_ALLOWLIST: 'PATH,HOME,SHOWN_TO_CELLS',
      SHOWN_TO_CELLS: 'yes',
      HIDDEN_FROM_CELLS: 'no',
    },
  });
});
afterAll(async () => {
  await server.dispose();
  await rm(root, { recursive: true, force: true });
});

/** Every committed file of a notebook folder with the digest of its bytes. */
async function committed(dir: string): Promise<Record<string, string>> {
  const files: Record<string, string> = {};
  for (const entry of await readdir(dir, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (!entry.isFile() || /[\\/]\.(svc|venv)[\\/]/.test(path)) continue;
    files[path.slice(dir.length)] = createHash('sha256')
      .update(await readFile(path))
      .digest('hex');
  }
  return files;
}

describe('the effects of runs', () => {
  it('[NF-6] runs change no committed file but a missing uv.lock', async () => {
    const dir = await writeNotebook(join(root, 'quiet'), {
      cells: [
        { id: 'a0000001', source: 'x = 1\nx\n' },
        { id: 'b0000001', source: 'print(x)\nraise ValueError("no")\n' },
      ],
    });
    const before = await committed(dir);
    const notebook = await openNotebook(server, dir);
    await notebook.execute('a0000001');
    await notebook.execute('b0000001');
    await notebook.close();
    const { '/uv.lock': _lock, ...after } = await committed(dir);
    expect(after).toEqual(before);
  });

  it('[ST-8] a failed cell is still failed after reopening, until its source changes', async () => {
    const dir = join(root, 'failed');
    const first = await openNotebook(server, dir, [{ id: 'bad00001', source: 'value = 1 / 0' }]);
    await first.execute('bad00001');
    await first.close();
    const second = await openNotebook(server, dir);
    expect(await second.cell('bad00001')).toMatchObject({
      status: 'error',
      error: expect.stringContaining('ZeroDivisionError: division by zero'),
    });
    await second.edit('bad00001', 'value = 1 / 2');
    expect(await second.cell('bad00001')).toMatchObject({ status: 'idle', error: null });
  });

  it('[PV-8] a cache hit of a leaf shows its console and displays, also after reopening, and has no outputs', async () => {
    const dir = join(root, 'leaf');
    const cells = [
      {
        id: 'leaf0001',
        source: 'import sys\nprint("out")\nprint("err", file=sys.stderr)\ndisplay({"a": 1})\n[1, 2]',
      },
    ];
    const first = await openNotebook(server, dir, cells);
    const ran = await first.execute('leaf0001');
    expect(ran).toMatchObject({ cache_hit: false, stdout: 'out\n', stderr: 'err\n' });
    await first.close();
    const second = await openNotebook(server, dir);
    expect(await second.cell('leaf0001')).toMatchObject({ status: 'ready', console_stdout: 'out\n' });
    const hit = await second.execute('leaf0001');
    expect(hit).toMatchObject({
      cache_hit: true,
      execution_method: 'cached',
      outputs: {},
      stdout: 'out\n',
      stderr: 'err\n',
    });
    expect(hit.displays.map((display) => display.preview)).toEqual([{ a: 1 }, [1, 2]]);
  });

  it.each([
    ['a value', 'data = [1, 2]\nfor i in data:\n    pass', 'len(data) + i', 4],
    ['a function and the value it needs', 'STEP = 2\ndef next_of(x):\n    return x + STEP', 'next_of(1)', 3],
    ['a module', 'import math', 'math.floor(2.5)', 2],
  ])(
    '[PV-32] a cell added below a leaf reads %s from the store: nothing runs twice',
    async (name, made, read, shown) => {
      const notebook = await openNotebook(server, join(root, `kept ${name}`), [
        { id: 'leaf0002', source: made },
      ]);
      await notebook.execute('leaf0002');
      const cells = `/v1/notebooks/${notebook.sid}/cells`;
      const added = await rest<Cell>(server.url, 'POST', cells, { after_cell_id: 'leaf0002' });
      await notebook.edit(added.body.id, read);
      expect(await notebook.cell('leaf0002')).toMatchObject({ status: 'ready' });
      const ran = await notebook.execute(added.body.id);
      expect(ran).toMatchObject({ status: 'ready', display: { preview: shown } });
      expect(await notebook.execute('leaf0002')).toMatchObject({ cache_hit: true });
    },
  );

  it('[PV-32] unread values are listed by their cell after the run, after a hit, and after reopening', async () => {
    const dir = join(root, 'unread');
    const first = await openNotebook(server, dir, [
      { id: 'leaf0003', source: 'import math\ndata = [1, 2]\nfor i in data:\n    pass' },
    ]);
    const listed = async (notebook: typeof first) => {
      const { artifact_uris, unread_uris = {} } = await notebook.cell('leaf0003');
      const { body } = await notebook.get<{ variables: StoredVariable[] }>('/x/variables');
      const variables = body.variables.map(({ name, artifact_uri, value }) => [
        name,
        artifact_uri === unread_uris[name],
        value,
      ]);
      return { read: Object.keys(artifact_uris), unread: Object.keys(unread_uris).sort(), variables };
    };
    const expected = [
      ['data', true, '[1, 2]'],
      ['i', true, '2'],
    ];
    expect((await listed(first)).read).toEqual([]);
    await first.execute('leaf0003');
    expect(await listed(first)).toEqual({ read: [], unread: ['data', 'i'], variables: expected });
    await first.close();
    const second = await openNotebook(server, dir);
    expect(await listed(second)).toEqual({ read: [], unread: ['data', 'i'], variables: expected });
    expect(await second.execute('leaf0003')).toMatchObject({ cache_hit: true });
    expect(await listed(second)).toEqual({ read: [], unread: ['data', 'i'], variables: expected });
    const cells = `/v1/notebooks/${second.sid}/cells`;
    const added = await rest<Cell>(server.url, 'POST', cells, { after_cell_id: 'leaf0003' });
    await second.edit(added.body.id, 'i');
    const both = [
      ['i', false, '2'],
      ['data', true, '[1, 2]'],
    ];
    expect(await listed(second)).toEqual({ read: ['i'], unread: ['data'], variables: both });
  });

  it.each([
    ['by its name', 'import os\nkey = os.environ["HOME"]'],
    ['by a computed name', 'import os\nkey = os.environ["HO" + "ME"]'],
    ['together with all others', 'from os import environ as variables\nkey = dict(variables)'],
    ['set by @env', '# @env API_KEY=k\nfrom posix import environ as variables\nkey = list(variables)'],
    [
      'set by @env, in a child process',
      '# @env API_KEY=k\nimport subprocess\nkey = subprocess.getoutput("env")',
    ],
  ])(
    '[PV-33] what a cell computed from an environment variable read %s is stored once it is read, not before',
    async (how, source) => {
      const notebook = await openNotebook(server, join(root, `keys ${how}`), [{ id: 'key00001', source }]);
      const ran = await notebook.execute('key00001');
      expect(ran).toMatchObject({ status: 'ready', outputs: {} });
      expect((await notebook.cell('key00001')).unread_uris).toBeUndefined();
    },
  );

  it('[ST-6] results show their displays after reopening, even if the records of their runs are lost', async () => {
    const dir = join(root, 'lost');
    const cells = [
      { id: 'a0000001', source: 'x = 1\ndisplay(Markdown("**x**"))' },
      { id: 'b0000001', source: '[x, 2]' },
    ];
    const first = await openNotebook(server, dir, cells);
    await first.execute('b0000001');
    const statusAndDisplays = async (notebook: typeof first) =>
      (await notebook.get<{ cells: Cell[] }>('/cells')).body.cells.map((cell) => [
        cell.status,
        cell.display_outputs,
      ]);
    const before = await statusAndDisplays(first);
    await first.close();
    await rm(join(dir, '.svc/runtime.json'));
    expect(await statusAndDisplays(await openNotebook(server, dir))).toEqual(before);
  });

  it('[VA-40] a pickled value shows its text: after a run, a hit, reopening, and in a loop', async () => {
    const dir = join(root, 'texts');
    const first = await openNotebook(server, dir, [
      { id: 'a0000001', source: 'pair = (1, "a")\npair' },
      { id: 'b0000001', source: 'len(pair)' },
      { id: 'c0000001', source: '# @loop max_iter=2 carry=pair\npair = (len(pair),)\npair' },
    ]);
    const display = { content_type: 'pickle/object', preview: '<tuple object>', text: "(1, 'a')" };
    const ran = await first.execute('a0000001');
    expect(ran).toMatchObject({
      display,
      outputs: { _: { ...display, type: 'tuple' }, pair: { ...display, type: 'tuple' } },
    });
    expect(await first.execute('a0000001')).toMatchObject({ cache_hit: true, display });
    await first.execute('c0000001');
    const iteration = '/x/cells/c0000001/iterations/0';
    expect((await first.get(iteration)).body).toMatchObject({ displays: [{ text: '(2,)' }] });
    await first.close();
    await rm(join(dir, '.svc/runtime.json'));
    const second = await openNotebook(server, dir);
    expect(await second.cell('a0000001')).toMatchObject({ display_outputs: [display] });
    expect(await second.cell('c0000001')).toMatchObject({ display_outputs: [{ text: '(1,)' }] });
  });

  it('[ST-7] after a change of an environment variable, only that variable is reported as the cause', async () => {
    const dir = join(root, 'environ');
    const source = (value: string) => `# @env MODE=${value}\nimport os\nprint(os.environ["MODE"])`;
    const notebook = await openNotebook(server, dir, [{ id: 'env00001', source: source('one') }]);
    expect((await notebook.execute('env00001')).stdout).toBe('one\n');
    await notebook.edit('env00001', source('two'));
    expect((await notebook.cell('env00001')).causality).toEqual({
      reason: 'env',
      details: [{ type: 'env_changed', package: 'notebook env' }],
    });
    expect(await notebook.execute('env00001')).toMatchObject({ cache_hit: false, stdout: 'two\n' });
    await notebook.edit('env00001', source('one'));
    expect(await notebook.execute('env00001')).toMatchObject({ cache_hit: true, stdout: 'one\n' });
  });

  it('[EX-13] a cell sees the server’s variables that the allow list names, and no others', async () => {
    const notebook = await openNotebook(server, join(root, 'allow'), [
      {
        id: 'env00001',
        source:
          'import os\nprint(os.environ.get("SHOWN_TO_CELLS"), os.environ.get("HIDDEN_FROM_CELLS"), "SVC_UV" in os.environ)',
      },
    ]);
    expect((await notebook.execute('env00001')).stdout).toBe('yes None False\n');
  });
});

describe('several people', () => {
  it('[LP-9] [LP-17] [LP-18] edits are broadcast, locks are enforced, presence lists everyone', async () => {
    const notebook = await openNotebook(server, join(root, 'people'), [
      { id: 'a0000001', source: 'x = 1' },
      { id: 'b0000001', source: 'y = x' },
    ]);
    const first = await connectLive(server.url, notebook.sid);
    const second = await connectLive(server.url, notebook.sid);
    first.send('cell_focus', { cell_id: 'a0000001', author: 'first' });
    second.send('cell_focus', { cell_id: 'b0000001', author: 'second' });
    const presence = await first.next('presence', {
      where: (p) =>
        p.principals.length === 2 && p.principals.every((entry) => entry.focused_cell_id !== null),
    });
    expect(
      presence.payload.principals.map(({ principal, focused_cell_id }) => [principal, focused_cell_id]),
    ).toEqual([
      ['first', 'a0000001'],
      ['second', 'b0000001'],
    ]);
    first.send('cell_source_update', { cell_id: 'a0000001', source: 'x = 2', author: 'first' });
    const own = await first.next('dag_update');
    const otherFrame = await second.next('dag_update');
    expect(own.payload.cells.map((cell) => cell.source)).toEqual([null, null]);
    expect(otherFrame.payload.cells.map((cell) => cell.source)).toEqual(['x = 2', null]);
    expect(own.seq).toBe(otherFrame.seq);

    const since = second.mark();
    second.send('cell_source_update', { cell_id: 'a0000001', source: 'x = 3', author: 'second' });
    const locked = await second.next('error', { since });
    expect(locked.payload).toMatchObject({ code: 'cell_locked', cell_id: 'a0000001', held_by: 'first' });
    const refused = await rest<{ detail: unknown }>(
      server.url,
      'PUT',
      `/v1/notebooks/${notebook.sid}/cells/a0000001`,
      {
        source: 'x = 3',
        author: 'second',
      },
    );
    expect(refused).toMatchObject({
      status: 409,
      body: { detail: { code: 'cell_locked', held_by: 'first' } },
    });
    second.send('cell_source_update', {
      cell_id: 'a0000001',
      source: 'x = 3',
      author: 'second',
      force: true,
    });
    await first.next('dag_update', { where: (p) => p.cells[0]?.source === 'x = 3' });
    await expect.poll(() => readFile(join(notebook.path, 'cells/a0000001.py'), 'utf8')).toContain('x = 3');
    await first.close();
    await second.close();
  });

  it('[LP-6] a viewer can read but not change', async () => {
    const notebook = await openNotebook(server, join(root, 'viewer'), [{ id: 'a0000001', source: 'x = 1' }]);
    const viewer = await connectLive(server.url, notebook.sid, '?role=viewer');
    viewer.send('cell_execute', { cell_id: 'a0000001' });
    expect((await viewer.next('error')).payload.code).toBe('read_only');
    viewer.send('notebook_sync', {});
    expect((await viewer.next('notebook_state')).payload.cells).toHaveLength(1);
    await viewer.close();
  });
});

describe('opening', () => {
  it('[EN-1] opening answers before the environment is synced; the sync is a job with frames, and cells run after it', async () => {
    const dir = await writeNotebook(join(root, 'syncing'), { cells: [{ id: 'a0000001', source: '1 + 1' }] });
    const opened = await rest<SessionStateBody>(server.url, 'POST', '/v1/notebooks/open', { path: dir });
    expect(opened.body).toMatchObject({
      environment: { sync_state: 'pending' },
      environment_job: { status: 'running', action: 'sync', phase: 'uv_running' },
    });
    const live = await connectLive(server.url, opened.body.session_id);
    live.send('cell_execute', { cell_id: 'a0000001' });
    const early = await live.next('error');
    expect(early.payload).toMatchObject({ code: 'ENVIRONMENT_BUSY', cell_id: 'a0000001' });
    const finished = await live.next('environment_job_finished');
    expect(finished.payload).toMatchObject({
      environment_job: { status: 'completed', error: null },
      environment: { sync_state: 'ready', interpreter_source: 'venv' },
    });
    live.send('cell_execute', { cell_id: 'a0000001' });
    await live.next('cell_status', { where: (p) => p.status === 'ready' });
    await live.close();
  });

  it('[EN-3] without uv, a suitable Python of the machine runs the cells, with a notice', async () => {
    const broken = await startServerProcess({ grants: [root], env: { SVC_UV: '/nowhere/uv' } });
    const dir = await writeNotebook(join(root, 'nouv'), {
      cells: [{ id: 'a0000001', source: 'print("ran")' }],
    });
    const notebook = await openNotebook(broken, dir);
    const state = await notebook.get<SessionStateBody>('/cells');
    expect(state.status).toBe(200);
    const session = await rest<SessionStateBody>(broken.url, 'GET', `/v1/notebooks/sessions/${notebook.sid}`);
    expect(session.body.environment).toMatchObject({ sync_state: 'fallback', interpreter_source: 'path' });
    expect(session.body.environment.sync_error).toMatch(/\/nowhere\/uv.*Cells run on Python/s);
    expect((await notebook.execute('a0000001')).stdout).toBe('ran\n');
    await broken.dispose();
  });

  it('[LP-7] closing notifies every client, then closes with 1000; the session is removed', async () => {
    const notebook = await openNotebook(server, join(root, 'closing'), [{ id: 'a0000001', source: '1' }]);
    const live = await connectLive(server.url, notebook.sid);
    expect((await notebook.close()).status).toBe(200);
    expect((await live.next('session_closed')).payload.reason).toBe('closed');
    expect(await live.closed).toMatchObject({ code: 1000 });
    await expect(connectLive(server.url, notebook.sid)).rejects.toThrow('403');
  });

  it('[RE-36] opening during a close waits for its end and opens a new session', async () => {
    const dir = join(root, 'again');
    const notebook = await openNotebook(server, dir, [{ id: 'a0000001', source: 'x = 1' }]);
    const open = () => rest<SessionStateBody>(server.url, 'POST', '/v1/notebooks/open', { path: dir });
    const [closed, one, other] = await Promise.all([notebook.close(), open(), open()]);
    expect([closed.status, one.status, other.status]).toEqual([200, 200, 200]);
    expect(one.body.session_id).toBe(other.body.session_id);
  });

  it('[NF-1] [NF-3] a handwritten notebook keeps every byte that Cellar does not change', async () => {
    const dir = await writeNotebook(join(root, 'bytes'), {
      cells: [{ id: 'a0000001', source: 'x = 1\r\n' }],
    });
    const toml = await readFile(join(dir, 'notebook.toml'), 'utf8');
    await writeFile(join(dir, 'notebook.toml'), `# mine\n${toml}\n[later]\nkey = "kept" # yes\n`);
    const notebook = await openNotebook(server, dir);
    await rest(server.url, 'PUT', `/v1/notebooks/${notebook.sid}/name`, { name: 'New name' });
    await notebook.edit('a0000001', 'x = 2\n');
    const after = await readFile(join(dir, 'notebook.toml'), 'utf8');
    expect(after).toMatch(/^# mine\n/);
    expect(after).toContain('[later]\nkey = "kept" # yes\n');
    expect(after).toContain('name = "New name"');
    expect(await readFile(join(dir, 'cells/a0000001.py'), 'utf8')).toBe('x = 2\r\n');
  });
});

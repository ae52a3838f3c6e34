/**
 * Tests the feature "tests of a cell" on a real server, over REST and live: counts, merged edits, cancels, and the
 * installation of pytest.
 */

import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestResult } from '../../src-shared/wire/cellTests.ts';
import { connectLive } from '../support/liveClient.ts';
import { type OpenNotebook, openNotebook } from '../support/openNotebook.ts';
import { onlyWheels, packPytest } from '../support/pytestWheels.ts';
import { replaceFile } from '../support/replaceFile.ts';
import { type Answer, rest } from '../support/rest.ts';
import { PROJECT_ROOT, type ServerProcess, startServerProcess } from '../support/serverProcess.ts';

let root = '';
let server: ServerProcess;
let notebook: OpenNotebook;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'cellar-cell-tests-'));
  await packPytest(join(root, 'wheels'));
  server = await startServerProcess({ grants: [root], env: onlyWheels(join(root, 'wheels')) });
  notebook = await openNotebook(server, join(root, 'tested'), [
    { id: 'base0001', source: 'n = 2' },
    { id: 'calc0001', source: 'def twice(x):\n    return n * x\ntotal = twice(n)\n' },
    { id: 'last0001', source: 'print(total)' },
    { id: 'words001', source: '# Words', language: 'markdown' },
  ]);
});
afterAll(async () => {
  await server.dispose();
  await rm(root, { recursive: true, force: true });
});

type Tested = Pick<TestResult, 'passed' | 'failed' | 'errored' | 'skipped' | 'tests' | 'pytest_unavailable'>;

function testsPath(cell: string, { sid }: OpenNotebook = notebook): string {
  return `/v1/notebooks/${sid}/cells/${cell}/tests`;
}

async function tested(source: string, open = notebook): Promise<Answer<Tested & { detail?: unknown }>> {
  await rest(server.url, 'PUT', testsPath('calc0001', open), { source });
  return rest(server.url, 'POST', testsPath('calc0001', open));
}

function alive(pid: string): boolean {
  try {
    return process.kill(Number(pid), 0);
  } catch {
    return false;
  }
}

const GOOD =
  'def test_total(cell):\n    assert cell.total == 4\n\ndef test_twice(cell):\n    assert cell["twice"](5) == 10\n';

describe('the tests of a cell, over REST', () => {
  it('[CT-4] [CT-8] [CT-5] install pytest into the development group once, and change no result', async () => {
    await notebook.execute('last0001');
    const before = await notebook.cell('calc0001');
    expect((await tested(GOOD)).body).toMatchObject({
      cell_id: 'calc0001',
      passed: 2,
      failed: 0,
      errored: 0,
      skipped: 0,
      pytest_unavailable: false,
      tests: [
        { name: 'test_total', nodeid: 'cells/calc0001.test.py::test_total', outcome: 'passed', message: '' },
        { name: 'test_twice', nodeid: 'cells/calc0001.test.py::test_twice', outcome: 'passed', message: '' },
      ],
    });
    const after = await notebook.cell('calc0001');
    expect(after.test_result).toMatchObject({ auto_installed: ['pytest'], stale: false, passed: 2 });
    expect(await readFile(join(notebook.path, 'pyproject.toml'), 'utf8')).toMatch(
      /\[dependency-groups\]\ndev = \[\n\s+"pytest>=8",?\n\]/,
    );
    const same = ({ status, artifact_uris, cache_hit }: typeof before) => ({
      status,
      artifact_uris,
      cache_hit,
    });
    expect(same(after)).toEqual(same(before));
    expect((await notebook.execute('last0001')).cache_hit).toBe(true);
    await tested(GOOD);
    expect((await notebook.cell('calc0001')).test_result?.auto_installed).toEqual([]);
  });

  const BAD: readonly (readonly [string, string, object, RegExp])[] = [
    [
      'a syntax error',
      'def test_a(:\n',
      { errored: 1 },
      /cells\/calc0001\.test\.py.*\n?.*line 1|SyntaxError/,
    ],
    ['a file without tests', 'x = 1\n', { errored: 1 }, /^No tests were found in cells\/calc0001\.test\.py/],
    [
      'a test that ends the process',
      'import os\ndef test_a(): pass\ndef test_b(): os._exit(3)\ndef test_c(): pass\n',
      { passed: 1, errored: 1 },
      /exit code 3[\s\S]*1 test after it did not run\.$/,
    ],
    [
      '10 MB of output',
      'def test_a():\n    print("x" * 10_000_000)\n    assert 0\n',
      { failed: 1 },
      /^[\s\S]{1,25000}$/,
    ],
    [
      'a failed assertion',
      'def test_a(cell):\n    assert cell.total == 5\n',
      { failed: 1 },
      /assert 4 == 5[\s\S]*cells\/calc0001\.test\.py:2: AssertionError/,
    ],
  ];
  it.each(BAD)('[CT-2] [CT-3] %s returns an error message', async (_name, source, counts, words) => {
    const { status, body } = await tested(source);
    expect(status).toBe(200);
    expect(body).toMatchObject({ passed: 0, failed: 0, errored: 0, ...counts });
    expect(body.tests.find(({ message }) => message !== '')?.message).toMatch(words);
  });

  it('[CT-10] are refused with a message if there are none, the cell is not Python, or the file is invalid', async () => {
    expect(await tested(' \n')).toMatchObject({
      status: 400,
      body: { detail: expect.stringContaining('no tests') },
    });
    const words = { source: 'def test_a(): pass' };
    expect(await rest(server.url, 'PUT', testsPath('words001'), words)).toMatchObject({ status: 400 });
    expect(await rest(server.url, 'POST', testsPath('words001'))).toMatchObject({ status: 400 });
    expect(await rest(server.url, 'POST', testsPath('nobody01'))).toMatchObject({ status: 404 });
    await mkdir(join(notebook.path, 'cells/last0001.test.py'));
    const put = await rest<{ detail: string }>(server.url, 'PUT', testsPath('last0001'), words);
    expect(put.status).toBe(409);
    expect(put.body.detail).toContain('cells/last0001.test.py is not a regular file');
    await rm(join(notebook.path, 'cells/last0001.test.py'), { recursive: true });
  });

  it('[CT-9] are restored with a deleted cell, and after reopening', async () => {
    await tested(GOOD);
    const base = `/v1/notebooks/${notebook.sid}`;
    await rest(server.url, 'DELETE', `${base}/cells/calc0001`);
    await rest(server.url, 'POST', `${base}/x/cells/calc0001/restore`, {});
    const tests = { test_source: GOOD, test_result: { passed: 2, stale: false } };
    expect(await notebook.cell('calc0001')).toMatchObject(tests);
    await notebook.execute('last0001');
    await notebook.close();
    notebook = await openNotebook(server, notebook.path);
    expect(await notebook.cell('calc0001')).toMatchObject(tests);
  });
});

describe('a test file that another program changed', () => {
  const lines = (...middle: readonly string[]) =>
    ['def test_a(cell):', '    assert cell.total', '', ...middle, '', 'def test_z(cell): pass', ''].join(
      '\n',
    );
  const BASE = lines('def test_m(cell): pass');

  interface Put {
    readonly test_source?: string;
    readonly detail?: { readonly code: string; readonly disk_source: string };
  }
  /** Another program writes `theirs` and the server reads it; then an edit based on the older text is saved. */
  async function save(options: { theirs: string; mine: string; base?: string }): Promise<Answer<Put>> {
    const path = testsPath('calc0001');
    await rest(server.url, 'PUT', path, { source: BASE });
    await replaceFile(join(notebook.path, 'cells/calc0001.test.py'), options.theirs);
    const read = async () => (await notebook.cell('calc0001')).test_source;
    await expect.poll(read).toBe(options.theirs);
    const base = options.base === undefined ? {} : { base: options.base };
    return rest<Put>(server.url, 'PUT', path, { source: options.mine, ...base });
  }
  const onDisk = () => readFile(join(notebook.path, 'cells/calc0001.test.py'), 'utf8');

  it('[CT-15] an edit based on an older text is merged with changes of other lines, and the answer has both', async () => {
    const theirs = BASE.replace('def test_z(cell): pass', 'def test_z(cell): assert True');
    const mine = BASE.replace('assert cell.total', 'assert cell.total == 4');
    const both = theirs.replace('assert cell.total', 'assert cell.total == 4');
    const { status, body } = await save({ theirs, mine, base: BASE });
    expect([status, body.test_source, await onDisk()]).toEqual([200, both, both]);
  });

  it('[CT-15] changes of the same lines are refused with the file’s text; an edit based on that text is saved', async () => {
    const theirs = lines('def test_m(cell): assert 1');
    const mine = lines('def test_m(cell): assert 2');
    const { status, body } = await save({ theirs, mine, base: BASE });
    expect([status, body.detail?.code, body.detail?.disk_source]).toEqual([
      409,
      'source_changed_on_disk',
      theirs,
    ]);
    expect(await onDisk()).toBe(theirs);
    await rest(server.url, 'PUT', testsPath('calc0001'), { source: mine, base: theirs });
    expect(await onDisk()).toBe(mine);
  });

  it('[CT-15] a deletion based on an older text is also refused', async () => {
    const theirs = lines('def test_m(cell): assert 3');
    expect((await save({ theirs, mine: '', base: BASE })).status).toBe(409);
    expect(await onDisk()).toBe(theirs);
  });

  it('[CT-15] a run over the live protocol merges too, and reports the merged text to the caller', async () => {
    const theirs = lines('def test_m(cell): pass', 'def test_n(cell): pass');
    const live = await connectLive(server.url, notebook.sid, '?extensions=1');
    await save({ theirs, mine: theirs, base: theirs });
    live.send('cell_run_tests', { cell_id: 'calc0001', test_source: BASE, base: BASE });
    expect((await live.next('cell_test_results')).payload).toMatchObject({ passed: 4 });
    const changed = await live.next('cell_tests_changed', {
      where: ({ test_source }) => test_source === theirs,
    });
    expect(changed.payload.cell_id).toBe('calc0001');
    expect(await onDisk()).toBe(theirs);
    await live.close();
  });
});

describe('the tests of a cell, live', () => {
  it('[CT-7] write the file, and send progress and results to every client', async () => {
    const live = await connectLive(server.url, notebook.sid);
    const other = await connectLive(server.url, notebook.sid, '?extensions=1');
    const source = 'def test_a(cell):\n    assert cell.total == 4\n';
    live.send('cell_run_tests', { cell_id: 'calc0001', test_source: source });
    const results = await live.next('cell_test_results');
    expect(results.payload).toMatchObject({
      passed: 1,
      stale: false,
      auto_installed: [],
      pytest_unavailable: false,
    });
    const lastFrame = await live.next('cell_test_status', { where: ({ status }) => status !== 'running' });
    expect([lastFrame.payload.status, lastFrame.seq]).toEqual(['ready', results.seq + 1]);
    expect(await readFile(join(notebook.path, 'cells/calc0001.test.py'), 'utf8')).toBe(source);
    expect((await other.next('cell_tests_changed')).payload.test_source).toBe(source);
    expect(live.frames.some(({ type }) => type === 'cell_tests_changed')).toBe(false);
    await Promise.all([live.close(), other.close()]);
  });

  it('[CT-11] are stopped with all their processes when they never end, which frees the notebook', async () => {
    const live = await connectLive(server.url, notebook.sid);
    const pids = join(root, 'pids');
    const source = `import os, subprocess, time\ndef test_a():\n    child = subprocess.Popen(["sleep", "600"])\n    with open(${JSON.stringify(pids)}, "w") as f: f.write(f"{os.getpid()} {child.pid}")\n    while True:\n        try: time.sleep(1)\n        except BaseException: pass\n`;
    live.send('cell_run_tests', { cell_id: 'calc0001', test_source: source });
    await expect.poll(() => readFile(pids, 'utf8').catch(() => '')).toMatch(/^\d+ \d+$/);
    expect(await notebook.cell('calc0001')).toMatchObject({ tests_running: true });
    const busy = await rest(server.url, 'POST', `/v1/notebooks/${notebook.sid}/cells/base0001/execute`);
    expect(busy).toMatchObject({
      status: 409,
      body: { detail: 'Notebook is already executing cell calc0001' },
    });
    const cancel = `/v1/notebooks/${notebook.sid}/x/cells/calc0001/tests/cancel`;
    expect((await rest(server.url, 'POST', cancel, {})).body).toEqual({
      cell_id: 'calc0001',
      cancelled: true,
    });
    const started = (await readFile(pids, 'utf8')).split(' ');
    await expect.poll(() => started.filter(alive)).toEqual([]);
    expect((await notebook.execute('base0001')).status).toBe('ready');
    await live.close();
  });
});

describe('the example of tests', () => {
  it('[CT-14] passes its tests, and a change of the discount makes both cells’ tests stale', async () => {
    const dir = join(root, 'example');
    await cp(join(PROJECT_ROOT, 'examples/tested-cells'), dir, {
      recursive: true,
      filter: (path) => !/[\\/](\.svc|\.venv|uv\.lock)$/.test(path),
    });
    const open = await openNotebook(server, dir);
    for (const [cell, passed] of [
      ['prices', 5],
      ['bill', 2],
    ] as const) {
      const { body } = await rest<Tested>(server.url, 'POST', testsPath(cell, open));
      expect(body).toMatchObject({ passed, failed: 0, errored: 0 });
    }
    expect((await open.execute('bill')).stdout).toContain('total   131.70\n');
    const stale = async () =>
      Promise.all(['prices', 'bill'].map(async (id) => (await open.cell(id)).test_result?.stale));
    expect(await stale()).toEqual([false, false]);
    const source = (await open.cell('prices')).source;
    await open.edit('prices', source.replace('0.10', '0.20'));
    expect(await stale()).toEqual([true, true]);
    await open.edit('prices', source);
    expect(await stale()).toEqual([false, false]);
    await open.close();
  });
});

describe('while pytest is being installed', () => {
  it('[CT-11] a cancel stops uv immediately and leaves the folder unchanged; the next run installs pytest', async () => {
    const tools = join(root, 'tools');
    await mkdir(tools);
    // A uv that hangs during the installation while the file exists, as with a slow index.
    const hang = join(tools, 'hang');
    await writeFile(
      join(tools, 'uv'),
      `#!/bin/sh\nif [ "$1" = sync ] && [ -e ${hang} ]; then sleep 600 & echo "$$ $!" > ${tools}/pids; wait; fi\nexec '${process.env['SVC_UV'] ?? 'uv'}' "$@"\n`,
      { mode: 0o755 },
    );
    const env = { ...onlyWheels(join(root, 'wheels')), SVC_UV: join(tools, 'uv') };
    const own = await startServerProcess({ grants: [root], env });
    try {
      const open = await openNotebook(own, join(root, 'hanging'), [{ id: 'calc0001', source: 'n = 1' }]);
      const committed = async () =>
        Promise.all(
          ['pyproject.toml', 'uv.lock'].map((name) =>
            readFile(join(open.path, name), 'utf8').catch(() => null),
          ),
        );
      const before = await committed();
      await writeFile(hang, '');
      const live = await connectLive(own.url, open.sid);
      live.send('cell_run_tests', {
        cell_id: 'calc0001',
        test_source: 'def test_n(cell): assert cell.n == 1\n',
      });
      const pidsFile = join(tools, 'pids');
      await expect.poll(() => readFile(pidsFile, 'utf8').catch(() => '')).toMatch(/^\d+ \d+\n/);
      const started = (await readFile(pidsFile, 'utf8')).trim().split(' ');
      const cancel = `/v1/notebooks/${open.sid}/x/cells/calc0001/tests/cancel`;
      expect((await rest(own.url, 'POST', cancel, {})).body).toEqual({
        cell_id: 'calc0001',
        cancelled: true,
      });
      // A process that has ended still exists until its parent has waited for it.
      await expect.poll(() => started.filter(alive)).toEqual([]);
      expect(await committed()).toEqual(before);
      await live.next('cell_test_status', { where: ({ status }) => status !== 'running' });
      await rm(hang);
      expect((await open.execute('calc0001')).status).toBe('ready');
      const again = await rest<Tested>(own.url, 'POST', testsPath('calc0001', open));
      expect(again.body).toMatchObject({ passed: 1, pytest_unavailable: false });
      await live.close();
    } finally {
      await own.dispose();
    }
  });
});

describe('without a package index', () => {
  it('[CT-4] reports that pytest is unavailable, and leaves the disk unchanged', async () => {
    const env = {
      UV_INDEX_URL: 'http://127.0.0.1:9/simple',
      UV_NO_CONFIG: '1',
      UV_HTTP_RETRIES: '0',
      UV_CACHE_DIR: join(root, 'empty'),
    };
    const offline = await startServerProcess({ grants: [root], env });
    try {
      const open = await openNotebook(offline, join(root, 'offline'), [{ id: 'calc0001', source: 'n = 1' }]);
      const file = join(open.path, 'pyproject.toml');
      const before = await readFile(file, 'utf8');
      const path = testsPath('calc0001', open);
      await rest(offline.url, 'PUT', path, { source: 'def test_a(): pass' });
      const { status, body } = await rest<TestResult>(offline.url, 'POST', path);
      expect([status, body.pytest_unavailable, body.tests]).toEqual([200, true, []]);
      expect(body.problem).toMatch(/^pytest is not installed in this notebook, and installing it failed: /);
      expect(await readFile(file, 'utf8')).toBe(before);
      expect((await open.execute('calc0001')).status).toBe('ready');
    } finally {
      await offline.dispose();
    }
  });
});

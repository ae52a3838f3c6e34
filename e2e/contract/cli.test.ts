/**
 * Tests the built `svc` program as a process: run, validate, new and serve, with their messages, exit codes and
 * signals.
 */

import { cp, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectLive } from '../support/liveClient.ts';
import { rowsOfRun } from '../support/longRun.ts';
import { writeReadyNotebook } from '../support/preparedEnvironment.ts';
import { openReady } from '../support/rest.ts';
import { PROJECT_ROOT, startServerProcess } from '../support/serverProcess.ts';
import { type RunReport, svc } from '../support/svcCommand.ts';

let root = '';
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'cellar-cli-'));
});
afterAll(() => rm(root, { recursive: true, force: true }));

describe('svc run', () => {
  const EXAMPLES: readonly (readonly [name: string, text: string])[] = [
    ['first-steps', 'welcome'],
    ['forecasts', 'intro'],
    ['shortest-tour', 'intro'],
    ['shared-code', 'intro'],
    ['tested-cells', 'intro'],
    ['slider-and-chart', 'welcome'],
  ];
  // src-main/notebook/examples.test.ts reads all of them; everyLanguage.test.ts runs controls, too.
  it.each(rowsOfRun(EXAMPLES, ([name]) => name === 'shared-code'))(
    '[CL-1] the example %s runs twice: all cells succeed, and in the second run every code cell is a cache hit',
    async (name, text) => {
      const dir = join(root, name);
      await cp(join(PROJECT_ROOT, 'examples', name), dir, {
        recursive: true,
        filter: (source) => !/[\\/](\.svc|\.venv|uv\.lock)$/.test(source),
      });
      const first = await svc(['run', dir, '--format', 'json']);
      expect(first.code, first.stderr).toBe(0);
      const report: RunReport = JSON.parse(first.stdout);
      expect(report.success).toBe(true);
      expect(report.cells.filter((cell) => cell.id !== text).every((cell) => !cell.cache_hit)).toBe(true);
      const again = await svc(['run', dir, '--format', 'json']);
      expect(again.stderr).toBe('');
      const second: RunReport = JSON.parse(again.stdout);
      expect(second.cells.map(({ id, status, cache_hit }) => ({ id, status, cache_hit }))).toEqual(
        report.cells.map(({ id }) => ({ id, status: 'ok', cache_hit: true })),
      );
      const forced: RunReport = JSON.parse((await svc(['run', dir, '--force', '--format', 'json'])).stdout);
      expect(forced.cells.filter((cell) => cell.id !== text).every((cell) => !cell.cache_hit)).toBe(true);
    },
  );

  it('[SO-310] cells whose results only a new run can confirm are run and reported once', async () => {
    const dir = await writeReadyNotebook(join(root, 'doubtful'), {
      cells: [
        { id: 'first001', source: '# @name load\nx = 1\nprint(x)' },
        { id: 'other001', source: 'print("fine")' },
      ],
    });
    expect((await svc(['run', dir])).code).toBe(0);
    const database = new Database(join(dir, '.svc/artifacts/artifacts.sqlite'));
    const mark = database.prepare(
      "UPDATE artifact_versions SET provenance_hash = 'recheck:' || provenance_hash WHERE id LIKE '%first001%'",
    );
    expect(mark.run().changes).toBeGreaterThan(0);
    database.close();
    const end = await svc(['run', dir, '--format', 'json']);
    expect(end.stderr).toMatch(/^svc: An older version of Cellar could .*: “load”\. .* They run now\.\n$/);
    const report: RunReport = JSON.parse(end.stdout);
    expect(report.cells.map(({ cache_hit }) => cache_hit)).toEqual([false, true]);
    expect((await svc(['run', dir, '--format', 'json'])).stderr).toBe('');
  });

  it('[CL-2] a failing cell: exit 1 with its error, and its readers are skipped', async () => {
    const dir = await writeReadyNotebook(join(root, 'failing'), {
      cells: [
        { id: 'bad00001', source: 'x = 1 / 0' },
        { id: 'reads001', source: 'x' },
        { id: 'other001', source: 'print("fine")' },
        { id: 'empty001', source: '' },
      ],
    });
    const end = await svc(['run', dir, '--format', 'json']);
    expect(end.code).toBe(1);
    const report: RunReport = JSON.parse(end.stdout);
    expect(report.success).toBe(false);
    expect(report.cells).toMatchObject([
      { id: 'bad00001', status: 'error', error: 'ZeroDivisionError: division by zero' },
      { id: 'other001', status: 'ok', stdout: 'fine\n' },
      { id: 'empty001', status: 'ok' },
      { id: 'reads001', status: 'skipped', reason: 'upstream failed' },
    ]);
    const quiet = await svc(['run', dir, '--quiet']);
    expect(quiet.code).toBe(1);
    expect(quiet.stdout).toContain('ZeroDivisionError: division by zero');
    expect(quiet.stdout).not.toContain('fine');
  });

  it('[CL-3] a notebook with another writer: exit 2, and the holder is named', async () => {
    const dir = await writeReadyNotebook(join(root, 'held'), { cells: [{ id: 'a0000001', source: '1' }] });
    const server = await startServerProcess({ grants: [root] });
    await fetch(`${server.url}/v1/notebooks/open`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ path: dir }),
    });
    const end = await svc(['run', dir, '--format', 'json']);
    expect(end.code).toBe(2);
    expect(end.stderr).toContain(String(server.pid));
    await server.dispose();
  });
});

describe('svc validate, svc new', () => {
  it('[CL-4] validate accepts a bundled example', async () => {
    const examples = join(PROJECT_ROOT, 'examples');
    // Each row starts the program; src-main/notebook/examples.test.ts also reads the examples.
    for (const name of rowsOfRun(await readdir(examples), (name) => name === 'every-language')) {
      const { stdout } = await svc(['validate', join(examples, name), '--format', 'json']);
      expect([name, JSON.parse(stdout)]).toMatchObject([name, { summary: { errors: 0, warnings: 0 } }]);
    }
  });

  it('[CL-4] validate reports the problems and runs nothing', async () => {
    const good = await writeReadyNotebook(join(root, 'good'), {
      cells: [{ id: 'warn0001', source: '# @timeout abc\nx = 1' }],
    });
    const ok = await svc(['validate', good, '--format', 'json']);
    expect(ok.code).toBe(0);
    expect(JSON.parse(ok.stdout)).toMatchObject({
      valid: true,
      errors: [],
      cells: [{ id: 'warn0001', defines: ['x'], diagnostics: [{ code: 'timeout_not_numeric', line: 1 }] }],
      summary: { cells: 1, errors: 0, warnings: 1 },
    });
    const broken = join(root, 'broken');
    await mkdir(broken);
    await writeFile(join(broken, 'notebook.toml'), 'notebook_id = ');
    const bad = await svc(['validate', broken, '--format', 'json']);
    expect(bad.code).toBe(1);
    expect(JSON.parse(bad.stdout)).toMatchObject({ valid: false, errors: [{ code: 'parse_failed' }] });
    const cycle = await writeReadyNotebook(join(root, 'cycle'), {
      cells: [
        { id: 'one00001', source: '# @after two00001\nx = 1' },
        { id: 'two00001', source: 'y = x' },
      ],
    });
    expect(JSON.parse((await svc(['validate', cycle, '--format', 'json'])).stdout)).toMatchObject({
      valid: false,
      errors: [{ code: 'dag_build_failed' }],
    });
  });

  it('[CL-5] new creates a folder once and leaves an existing one unchanged', async () => {
    const args = ['new', 'My Notebook', '--parent', root, '--no-env', '--format', 'json'];
    const end = await svc(args);
    expect(end.code, end.stderr).toBe(0);
    expect(JSON.parse(end.stdout)).toMatchObject({
      notebook_dir: join(root, 'my_notebook'),
      environment_initialized: false,
    });
    expect((await svc(args)).code).toBe(0);
    expect((await svc(['validate', join(root, 'my_notebook')])).code).toBe(0);
    await mkdir(join(root, 'taken'));
    await writeFile(join(root, 'taken/mine.txt'), 'mine');
    expect(await svc(['new', 'taken', '--parent', root, '--no-env'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('is not a notebook'),
    });
  });

  for (const [name, args] of [
    ['no command', []],
    ['an unknown command', ['frobnicate']],
    ['an unknown flag', ['run', '.', '--sideways']],
    ['no folder', ['run']],
    ['an unknown format', ['validate', '.', '--format', 'xml']],
    ['a timeout that is no number', ['run', '.', '--timeout', 'soon']],
    ['a missing folder', ['run', '/nowhere/at/all']],
  ] as const) {
    it(`[CL-6] ${name}: exit 2, with a message on stderr or the usage`, async () => {
      const end = await svc(args);
      expect(end.code).toBe(2);
      expect(`${end.stdout}${end.stderr}`).toMatch(/\S/);
    });
  }
});

describe('svc serve', () => {
  it('[CL-16] a failed start prints one message and exits with code 2', async () => {
    const busy = await startServerProcess();
    const file = join(root, 'a-file');
    await writeFile(file, '');
    type Row = readonly [args: readonly string[], env: Record<string, string>, says: RegExp];
    const rows: readonly Row[] = [
      [['--port', String(busy.port)], {}, /^svc: Port \d+ is in use on 127\.0\.0\.1\. Choose another/],
      [
        ['--host', '192.0.2.1'],
        { SVC_ALLOW_REMOTE_CLIENTS_IN_PERSONAL: '1' },
        /not an address of this machine/,
      ],
      [[], { SVC_NOTEBOOK_STORAGE_DIR: file }, /^svc: SVC_NOTEBOOK_STORAGE_DIR: .*cannot be created/],
      [
        [],
        { SVC_NOTEBOOK_STORAGE_DIR: join(file, 'x') },
        /^svc: SVC_NOTEBOOK_STORAGE_DIR: .*cannot be created/,
      ],
      [
        [],
        { SVC_NOTEBOOK_STORAGE_DIR: '/proc/nope/x' },
        /^svc: SVC_NOTEBOOK_STORAGE_DIR: .*cannot be created/,
      ],
      [
        [],
        { SVC_NOTEBOOK_STORAGE_DIR: '/proc/nope/x', SVC_CACHE_DIR: '/proc/nope/x', NODE_COMPILE_CACHE: '' },
        /^svc: SVC_NOTEBOOK_STORAGE_DIR: .*cannot be created/,
      ],
    ];
    // A file in place of a parent folder, and /proc without other folders, fail in the same way as the rows beside them.
    for (const [args, env, says] of rowsOfRun(rows, (_row, index) => index !== 3 && index !== 4)) {
      const end = await svc(['serve', '--port', '0', ...args], {
        env: { SVC_NOTEBOOK_STORAGE_DIR: root, ...env },
      });
      expect([end.code, end.stdout, end.stderr.trim().split('\n').length], end.stderr).toEqual([2, '', 1]);
      expect(end.stderr).toMatch(says);
    }
    await busy.dispose();
  });

  it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    '[CL-8] %s makes it drain: sockets are notified, and it exits with code 0',
    async (signal) => {
      const dir = await writeReadyNotebook(join(root, `drained-${signal}`), {
        cells: [{ id: 'one00001', source: '1' }],
      });
      const server = await startServerProcess({ grants: [root] });
      const { session_id } = await openReady(server.url, dir);
      const live = await connectLive(server.url, session_id);
      await server.stop(signal);
      expect(server.exitCode(), server.stderr()).toBe(0);
      const closed = await live.next('session_closed');
      expect(closed.payload.reason).toBe('shutdown');
      await server.dispose();
    },
  );
});

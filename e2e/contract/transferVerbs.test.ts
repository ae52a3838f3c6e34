/** Tests `svc export` and `svc import` as processes, on a folder and on a running server. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { writeReadyNotebook } from '../support/preparedEnvironment.ts';
import { openReady } from '../support/rest.ts';
import { PROJECT_ROOT, type ServerProcess, startServerProcess } from '../support/serverProcess.ts';
import { svc } from '../support/svcCommand.ts';

let root = '';
let dir = '';
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'cellar-transfer-cli-'));
  dir = await writeReadyNotebook(join(root, 'sales'), { cells: [{ id: 'a1', source: 'x = 1\nx' }] });
  await appendFile(join(dir, 'notebook.toml'), '\n[app]\nlayout = "slides"\ntitle = "For readers"\n');
});
afterAll(() => rm(root, { recursive: true, force: true }));

it('[TR-40] [TR-41] a notebook is exported and imported', async () => {
  const markdown = await svc(['export', dir, '--to', 'markdown']);
  expect(markdown.code, markdown.stderr).toBe(0);
  expect(markdown.stdout).toContain('```python\nx = 1\nx\n```');
  const app = await svc(['export', dir, '--to', 'html', '--app-layout']);
  expect([app.code, app.stdout], app.stderr).toEqual([0, expect.stringContaining('<h1>For readers</h1>')]);
  const wrong = await svc(['export', dir, '--to', 'markdown', '--app-layout']);
  expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('--app-layout requires --to html')]);
  const zip = join(root, 'out.snapshot.zip');
  const written = await svc(['export', dir, '--to', 'snapshot', '--out', zip, '--include', 'all']);
  expect(written.code, written.stderr).toBe(0);
  expect((await svc(['export', dir, '--to', 'snapshot', '--out', zip])).code).toBe(2);
  expect((await svc(['export', dir, '--to', 'snapshot', '--out', `${zip}2`, '--cells', 'nobody'])).code).toBe(
    1,
  );
  const back = await svc(['import', zip, '--out', join(root, 'back')]);
  expect(back.code, back.stderr).toBe(0);
  expect(back.stdout).toContain(join(root, 'back'));
  expect(await readFile(join(root, 'back/cells/a1.py'), 'utf8')).toBe('x = 1\nx');
  expect((await svc(['import', zip, '--out', join(root, 'back')])).code).toBe(1);
});

it('[TR-41] a Jupyter notebook is imported with the files beside it', async () => {
  const file = join(root, 'Study.ipynb');
  const cells = [{ cell_type: 'code', source: 'import numpy, helpers\n!ls' }];
  await writeFile(file, JSON.stringify({ cells }));
  await writeFile(join(root, 'requirements.txt'), 'numpy==2.1.0\n');
  await writeFile(join(root, 'helpers.py'), '');
  const end = await svc(['import', file, '--out', join(root, 'made')]);
  expect(end.code, end.stderr).toBe(0);
  expect(end.stdout).toContain('Shell commands that were not run');
  const project = await readFile(join(root, 'made/pyproject.toml'), 'utf8');
  expect(project).toContain('"numpy==2.1.0"');
  expect(project).not.toContain('helpers');
});

it('[TR-71] --out names exactly the new folder', async () => {
  const file = join(root, 'Named.ipynb');
  await writeFile(file, JSON.stringify({ cells: [{ cell_type: 'code', source: 'x = 1' }] }));
  const end = await svc(['import', file, '--out', join(root, 'My Analysis')]);
  expect(end.code, end.stderr).toBe(0);
  expect(await readdir(root)).toContain('My Analysis');
  expect(await readdir(join(root, 'My Analysis'))).toContain('notebook.toml');
});

it.each([
  [
    'a file above the limit',
    Buffer.alloc(50 * 1024 * 1024 + 1, ' '),
    /^svc: [^\n]* is larger than 50 MB[^\n]*\n$/,
  ],
  ['another encoding', Buffer.from('{"cells": ["é"]}', 'latin1'), /^svc: [^\n]*not UTF-8[^\n]*\n$/],
])('[TR-72] %s prints one sentence and exits with code 1', async (_name, bytes, words) => {
  const file = join(root, 'refused.ipynb');
  await writeFile(file, bytes);
  const refused = await svc(['import', file, '--out', join(root, 'refused')]);
  expect([refused.code, refused.stdout]).toEqual([1, '']);
  expect(refused.stderr).toMatch(words);
  expect(await readdir(root)).not.toContain('refused');
});

let server: ServerProcess | null = null;
afterAll(() => server?.dispose());

it('[TR-40] [TR-41] a notebook of a running server is exported and imported', async () => {
  server = await startServerProcess({ grants: [root] });
  const { session_id } = await openReady(server.url, dir);
  const target = ['--server', server.url, '--session', session_id];
  const here = await svc(['export', dir, '--to', 'markdown']);
  expect(here.code, here.stderr).toBe(2); // the server has the notebook open
  const markdown = await svc(['export', ...target, '--to', 'markdown', '--no-console']);
  expect(markdown.code, markdown.stderr).toBe(0);
  expect(markdown.stdout).toContain('```python\nx = 1\nx\n```');
  const app = await svc(['export', ...target, '--to', 'html', '--app-layout']);
  expect([app.code, app.stdout], app.stderr).toEqual([0, expect.stringContaining('<h1>For readers</h1>')]);
  const zip = join(root, 'served.snapshot.zip');
  const written = await svc(['export', ...target, '--to', 'snapshot', '--out', zip, '--include', 'all']);
  expect([written.code, written.stdout], written.stderr).toEqual([0, `${zip}\n`]);
  const unknown = await svc(['export', ...target, '--to', 'snapshot', '--out', `${zip}2`, '--cells', 'no']);
  expect([unknown.code, unknown.stderr]).toEqual([1, 'svc: No such cell: no.\n']);
  const unknownSession = await svc(['export', '--server', server.url, '--session', 'none', '--to', 'html']);
  expect([unknownSession.code, unknownSession.stdout]).toEqual([1, '']);

  const back = await svc(['import', zip, '--server', server.url, '--out', 'again']);
  expect([back.code, back.stdout], back.stderr).toEqual([
    0,
    `${join(server.storageDir, 'again')}\n0 results imported.\nIt has a new id, because a notebook with the same id already exists.\n`,
  ]);
  expect(await readFile(join(server.storageDir, 'again/cells/a1.py'), 'utf8')).toBe('x = 1\nx');
  const twice = await svc(['import', zip, '--server', server.url, '--out', 'again']);
  expect([twice.code, twice.stdout]).toEqual([1, '']);
  const beside = await svc(['import', zip, ...target, '--out', 'beside']);
  expect([beside.code, beside.stdout.split('\n')[0]], beside.stderr).toEqual([0, join(root, 'beside')]);
  const study = join(root, 'Seen.ipynb');
  await writeFile(study, JSON.stringify({ cells: [{ cell_type: 'code', source: 'x = 1\n!ls' }] }));
  const end = await svc(['import', study, '--server', server.url]);
  expect(end.code, end.stderr).toBe(0);
  expect(end.stdout).toContain('Shell commands that were not run');
});

it('[TR-40] an interrupted export leaves no file', async () => {
  const cutting = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/zip' });
    response.write('half', () => response.destroy());
  });
  await once(cutting.listen(0, '127.0.0.1'), 'listening');
  const { port } = cutting.address() as AddressInfo; // a TCP address
  const folder = join(root, 'cut');
  await mkdir(folder);
  const target = ['--server', `http://127.0.0.1:${port}`, '--session', 's'];
  const end = await svc(['export', ...target, '--to', 'snapshot', '--out', join(folder, 'x.zip')]);
  cutting.close();
  expect([end.code, end.stderr]).toEqual([
    1,
    `svc: http://127.0.0.1:${port} closed the connection before the response was complete\n`,
  ]);
  expect(await readdir(folder)).toEqual([]);
});

it('[TR-40] a closed pipe during an export is no error', async () => {
  const long = await writeReadyNotebook(join(root, 'long'), {
    cells: [{ id: 'a1', source: 'word '.repeat(400_000), language: 'markdown' }],
  });
  const child = spawn(process.execPath, [
    join(PROJECT_ROOT, 'dist/svc.mjs'),
    'export',
    long,
    '--to',
    'markdown',
  ]);
  let stderr = '';
  child.stderr.on('data', (text) => (stderr += text));
  child.stdout.once('data', () => child.stdout.destroy());
  const [code] = await once(child, 'exit');
  expect([code, stderr]).toEqual([0, '']);
});

it.each([
  'import',
  'import a.txt',
  'import missing.ipynb',
  'export .',
  'export . --to pdf',
  'export . --to snapshot',
  'export --server http://127.0.0.1:1 --session s --to html',
  'export --session s --to html',
  'import package.json.ipynb --session s',
])('[TR-40] [TR-41] wrong usage exits with code 2: svc %s', async (line) => {
  const end = await svc(line.split(' '));
  expect(end.code).toBe(2);
  expect(end.stderr).toMatch(/^svc: /);
});

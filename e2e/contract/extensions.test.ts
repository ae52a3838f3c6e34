/**
 * Tests Cellar's own REST routes on a real server: whole console logs, explanations, stored versions, comparisons,
 * exports.
 */

import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Comparison } from '../../src-shared/wire/routes/comparison.ts';
import type {
  Explanation,
  LogLine,
  ResultVersion,
  StoredVariable,
} from '../../src-shared/wire/routes/extensions.ts';
import type { RunSample } from '../../src-shared/wire/runSample.ts';
import { rowsOfRun } from '../support/longRun.ts';
import { type OpenNotebook, openNotebook } from '../support/openNotebook.ts';
import { writeReadyNotebook } from '../support/preparedEnvironment.ts';
import { rest } from '../support/rest.ts';
import { type ServerProcess, startServerProcess } from '../support/serverProcess.ts';
import { storeTable } from '../support/storedTable.ts';

let root = '';
let server: ServerProcess;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'cellar-extensions-'));
  server = await startServerProcess({ grants: [root], env: { SVC_NOTEBOOK_CONSOLE_LOG_BYTES: '3000000' } });
});
afterAll(async () => {
  await server.dispose();
  await rm(root, { recursive: true, force: true });
});

const base = (open: OpenNotebook) => `${server.url}/v1/notebooks/${open.sid}`;
async function logOf(open: OpenNotebook, cell: string, stream = 'stdout'): Promise<string> {
  const response = await fetch(`${base(open)}/x/cells/${cell}/log?stream=${stream}`);
  expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8');
  return response.text();
}
const explained = async (open: OpenNotebook, cell: string) =>
  (await open.get<Explanation>(`/x/cells/${cell}/explain`)).body;

describe('the whole log of a cell', () => {
  // Counts of lines beyond what is held in memory, what is streamed, and what the console's file stores.
  for (const lines of rowsOfRun([5, 1_000, 5_000, 20_000], (count) => count === 5 || count === 20_000)) {
    it(`[EX-24] has all of ${lines} lines while open, after a restart and for a cache hit`, async () => {
      const open = await openNotebook(server, join(root, `log${lines}`), [
        { id: 'loud0001', source: `for i in range(${lines}): print(f"{i:06d} " + "x" * 92)\n` },
      ]);
      const text = Array.from(
        { length: lines },
        (_, i) => `${String(i).padStart(6, '0')} ${'x'.repeat(92)}\n`,
      ).join('');
      await open.execute('loud0001');
      expect(await logOf(open, 'loud0001')).toBe(text);
      expect(await logOf(open, 'loud0001', 'stderr')).toBe('');
      await open.close();
      const again = await openNotebook(server, open.path);
      expect(await logOf(again, 'loud0001')).toBe(text);
      await again.edit('loud0001', 'print("short")');
      await again.execute('loud0001');
      expect(await logOf(again, 'loud0001')).toBe('short\n');
      await again.edit('loud0001', `for i in range(${lines}): print(f"{i:06d} " + "x" * 92)\n`);
      expect((await again.execute('loud0001')).cache_hit).toBe(true);
      expect(await logOf(again, 'loud0001')).toBe(text);
    });
  }

  it('[EX-24] is complete for a failed run and for a run in progress', async () => {
    const open = await openNotebook(server, join(root, 'failing'), [
      { id: 'fails001', source: 'print("y" * 30_000)\n1 / 0' },
      { id: 'slow0001', source: 'import time\nprint("z" * 200_000, flush=True)\ntime.sleep(60)' },
    ]);
    await open.execute('fails001');
    expect(await logOf(open, 'fails001')).toBe(`${'y'.repeat(30_000)}\n`);
    const running = rest(server.url, 'POST', `/v1/notebooks/${open.sid}/cells/slow0001/execute`);
    await expect.poll(async () => (await logOf(open, 'slow0001')).length).toBe(200_001);
    await rest(server.url, 'POST', `/v1/notebooks/${open.sid}/cells/slow0001/cancel`);
    await running;
    expect((await logOf(open, 'slow0001')).length).toBe(200_001);
  });

  it('[EX-24] ends with a note beyond the limit, and names its file if that is missing', async () => {
    const open = await openNotebook(server, join(root, 'limited'), [
      { id: 'flood001', source: 'for _ in range(50): print("x" * 99_999)' },
    ]);
    await open.execute('flood001');
    const log = await logOf(open, 'flood001');
    expect(log.length).toBeLessThan(3_000_200);
    expect(log).toMatch(/the log reached its limit here/);
    const folder = join(open.path, '.svc/logs');
    for (const name of await readdir(folder)) await rm(join(folder, name));
    await open.close();
    const again = await openNotebook(server, open.path);
    expect(await logOf(again, 'flood001')).toMatch(/^\[… the beginning of this log was discarded …\]\nx+/);
  });
});

describe('the explanation of a cell’s state', () => {
  it('[PV-21] is read from the records of its last run, also after reopening', async () => {
    const open = await openNotebook(server, join(root, 'why'), [
      { id: 'trips001', source: 'trips = [1, 2]' },
      { id: 'mean0001', source: 'mean = sum(trips) / len(trips)' },
      { id: 'shown001', source: 'mean' },
    ]);
    expect(await explained(open, 'mean0001')).toMatchObject({ verdict: 'never_run', last_run: null });
    await open.execute('shown001');
    expect(await explained(open, 'mean0001')).toMatchObject({ status: 'ready', verdict: 'fresh' });
    await open.edit('trips001', 'trips = [1, 3]');
    expect(await explained(open, 'mean0001')).toMatchObject({
      verdict: 'stale',
      headline: 'trips is out of date and runs first. The code of this cell is unchanged.',
    });
    expect((await explained(open, 'mean0001')).code).toEqual([
      { cell_id: 'trips001', before: 'trips = [1, 2]' },
    ]);
    await open.execute('trips001');
    await open.close();
    const again = await openNotebook(server, open.path);
    const { last_run, ...why } = await explained(again, 'mean0001');
    expect(why.code).toEqual([{ cell_id: 'trips001', before: 'trips = [1, 2]' }]);
    expect(why).toMatchObject({
      status: 'stale',
      verdict: 'stale',
      headline: 'trips ran again and its result changed. The code of this cell is unchanged.',
    });
    expect(why.inputs.find(({ kind }) => kind === 'input')).toMatchObject({
      state: 'changed',
      cell_id: 'trips001',
    });
    expect(Date.parse(last_run?.at ?? '')).toBeGreaterThan(Date.now() - 600_000);
    await again.edit('trips001', 'trips = [1, 2]');
    await again.execute('trips001');
    await again.execute('shown001');
    expect(await explained(again, 'shown001')).toMatchObject({
      verdict: 'hit',
      last_run: { cache_hit: true },
    });
  });
});

describe('what a notebook stores', () => {
  it('[RE-46] lists every stored version, newest first, with the current one marked', async () => {
    const open = await openNotebook(server, join(root, 'kept'), [
      { id: 'value001', source: 'x = 1' },
      { id: 'shown001', source: 'x' },
    ]);
    for (const value of [1, 2, 3]) {
      await open.edit('value001', `x = ${value}`);
      await open.execute('shown001');
    }
    const { body } = await open.get<{ results: ResultVersion[]; runs: RunSample[] }>(
      '/x/cells/value001/results',
    );
    expect(body.runs.at(-1)).toMatchObject({
      duration_ms: expect.any(Number),
      cache_hit: expect.any(Boolean),
    });
    // Windows does not count hard links.
    if (process.platform !== 'win32')
      expect(body.runs.find((run) => !run.cache_hit)).toMatchObject({
        cpu_ms: expect.any(Number),
        peak_bytes: expect.any(Number),
      });
    expect(body.results.map(({ variable, version, current }) => [variable, version, current])).toEqual([
      ['x', 3, true],
      ['x', 2, false],
      ['x', 1, false],
    ]);
    const displayResults = await open.get<{ results: ResultVersion[] }>('/x/cells/shown001/results');
    expect(displayResults.body.results[0]).toMatchObject({ variable: 'display 1', current: true });
  });

  it('[RE-51] two results are compared by content; a result of another cell is not found', async () => {
    const open = await openNotebook(server, join(root, 'compared'), [
      { id: 'value001', source: 'x = {"a": [1, 2]}' },
      { id: 'shown001', source: 'x' },
    ]);
    await open.execute('shown001');
    await open.edit('value001', 'x = {"a": [1, 3]}');
    await open.execute('shown001');
    const { body } = await open.get<{ results: ResultVersion[] }>('/x/cells/value001/results');
    const [after = '', before = ''] = body.results.map(({ artifact_uri }) =>
      encodeURIComponent(artifact_uri),
    );
    const compare = (query: string) =>
      open.get<{ comparison: Comparison }>(`/x/cells/value001/compare?${query}`);
    expect((await compare(`before=${before}&after=${after}`)).body.comparison).toEqual({
      kind: 'text',
      before: '{\n  "a": [\n    1,\n    2\n  ]\n}',
      after: '{\n  "a": [\n    1,\n    3\n  ]\n}',
    });
    expect((await compare(`before=${after}&after=${after}`)).body.comparison).toEqual({ kind: 'same' });
    expect((await compare(`before=${before}&after=svc://artifact/other@v=1`)).status).toBe(404);
    expect((await compare(`before=${before}`)).status).toBe(422);
  });

  it('[RE-50] two tables are compared by columns, rows and values', async () => {
    const path = await writeReadyNotebook(join(root, 'tables'), { cells: [{ id: 'frame001', source: '1' }] });
    const before = encodeURIComponent(await storeTable(path, 'frame001', 'pandas_labels'));
    const after = encodeURIComponent(
      await storeTable(path, 'frame001', 'pandas_named', 'table_pandas_labels'),
    );
    const open = await openNotebook(server, path);
    const { body } = await open.get<{ comparison: Comparison }>(
      `/x/cells/frame001/compare?before=${before}&after=${after}`,
    );
    expect(body.comparison).toMatchObject({ kind: 'table', rows: { before: 3, after: 2 }, rows_compared: 2 });
  });

  it('[VA-35] column distributions cover the rows that match search and filters', async () => {
    const path = await writeReadyNotebook(join(root, 'spread'), { cells: [{ id: 'frame001', source: '1' }] });
    const uri = await storeTable(path, 'frame001', 'pandas_labels');
    const tensor = await storeTable(path, 'frame001', 'tensor');
    const open = await openNotebook(server, path);
    const ask = (query: Readonly<Record<string, string>>) =>
      open.get<unknown>(`/x/cells/frame001/data/distribution?${new URLSearchParams(query)}`);
    const once = (value: unknown) => ({ value, count: 1 });
    const only = (value: number) => ({ from: value, to: value, count: 1 });
    const answer = (names: readonly string[], numbers: readonly number[]) => ({
      cell_id: 'frame001',
      artifact_uri: uri,
      pageable: true,
      columns: [
        { name: 'index', nulls: 0, spread: { kind: 'values', values: names.map(once), others: 0 } },
        { name: 'x', nulls: 0, spread: { kind: 'bins', bins: numbers.map(only) } },
      ],
      total: names.length,
    });
    expect((await ask({ artifact_uri: uri })).body).toEqual(answer(['a', 'b', 'c'], [1, 2, 3]));
    const filters = '[{"col":"x","op":"ge","value":2}]';
    expect((await ask({ artifact_uri: uri, filters })).body).toEqual(answer(['a', 'b'], [2, 3]));
    expect((await ask({ artifact_uri: uri, filters, search: 'b' })).body).toEqual(answer(['b'], [3]));
    expect((await ask({ artifact_uri: tensor })).body).toMatchObject({
      pageable: false,
      columns: [],
      total: 0,
    });
  });

  it('[RE-52] stored values have a shape, and short ones their value, after reopening', async () => {
    const open = await openNotebook(server, join(root, 'variables'), [
      { id: 'value001', source: 'city = "Lyon"\nmany = list(range(1000))\nunread = 1' },
      { id: 'shown001', source: 'city, many' },
    ]);
    await open.execute('shown001');
    await open.close();
    const again = await openNotebook(server, open.path);
    const { body } = await again.get<{ variables: StoredVariable[] }>('/x/variables');
    expect(body.variables.map(({ name, cell_id, value }) => [name, cell_id, value])).toEqual([
      ['city', 'value001', '"Lyon"'],
      ['many', 'value001', null],
    ]);
  });

  it('[RE-45] the log of a notebook contains only its own lines', async () => {
    const open = await openNotebook(server, join(root, 'logged'), [{ id: 'a0000001', source: '1' }]);
    await open.execute('a0000001');
    const { body } = await open.get<{ lines: LogLine[] }>('/x/log');
    expect(body.lines.map(({ message }) => message)).toContain('a cell ended');
  });

  it('[RE-47] a table is exported as viewed: filtered, sorted, as CSV or Parquet, with its name', async () => {
    const path = await writeReadyNotebook(join(root, 'table'), { cells: [{ id: 'frame001', source: '1' }] });
    const uri = encodeURIComponent(await storeTable(path, 'frame001', 'pandas_labels'));
    const open = await openNotebook(server, path);
    const ask = (query: string) =>
      fetch(`${base(open)}/cells/frame001/data/export?artifact_uri=${uri}&${query}`);
    const filters = encodeURIComponent('[{"col":"x","op":"ge","value":2}]');
    const csv = await ask(`fmt=csv&sort_by=x&sort_dir=desc&filters=${filters}`);
    expect(await csv.text()).toBe('index,x\r\nb,3\r\na,2\r\n');
    expect(csv.headers.get('content-disposition')).toBe('attachment; filename="frame001.csv"');
    expect(csv.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(csv.headers.get('content-security-policy')).toContain('sandbox');
    expect(await (await ask('')).text()).toBe(await (await ask('fmt=csv')).text());
    const parquet = await ask('fmt=parquet');
    expect(parquet.headers.get('content-type')).toBe('application/vnd.apache.parquet');
    const bytes = Buffer.from(await parquet.arrayBuffer());
    expect([bytes.toString('latin1', 0, 4), bytes.toString('latin1', bytes.length - 4)]).toEqual([
      'PAR1',
      'PAR1',
    ]);
  });

  it('[RE-48] an example is a folder that opens', async () => {
    const { body } = await rest<{ path: string }>(
      server.url,
      'POST',
      '/v1/notebooks/x/examples/first-steps',
      {},
    );
    const valid = await rest(server.url, 'POST', '/v1/notebooks/recents/validate', { paths: [body.path] });
    expect(valid.body).toEqual({ valid: [body.path] });
    const nobody = await rest(server.url, 'POST', '/v1/notebooks/x/examples/%2e%2e', {});
    expect(nobody.status).toBe(404);
  });

  it('[NF-33] files are listed as they are on disk', async () => {
    const path = await writeReadyNotebook(join(root, 'files 🙂'), {
      cells: [{ id: 'a0000001', source: '1' }],
    });
    await writeFile(join(path, 'numbers.csv'), 'a\n1\n');
    const open = await openNotebook(server, path);
    const { body } = await open.get<{ files: { path: string; kind: string }[] }>('/x/files');
    expect(body.files.map(({ kind, path: name }) => `${kind} ${name}`)).toEqual(
      expect.arrayContaining(['data numbers.csv', 'cell cells/a0000001.py', 'config notebook.toml']),
    );
  });
});

import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { notebookFolder } from '../../notebook/folder/notebookFolder.ts';
import type { ConnectSettings } from '../../sql/driver.ts';
import { createSqlThreads } from '../../sql/sqlThreads.ts';
import { sampleFile, sampleMount, sampleTable } from './sampleData.ts';

const threads = createSqlThreads();
const { signal } = new AbortController();
let root = '';
let dir = notebookFolder('');
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'cellar-sample-'));
  dir = notebookFolder(join(root, 'nb'));
  mkdirSync(join(dir, 'data'), { recursive: true });
  writeFileSync(join(dir, "it's [1]*.csv"), 'id,day\n1,2024-01-02\n2,\n');
  writeFileSync(join(dir, 'a.jsonl'), '{"n": 1, "t": "x"}\n{"n": 2, "t": null}\n');
  writeFileSync(join(dir, 'long.csv'), `n\n${Array.from({ length: 500 }, (_, n) => n).join('\n')}\n`);
  writeFileSync(join(dir, 'bad.parquet'), 'no parquet');
  writeFileSync(join(root, 'outside.csv'), 'a\n1\n');
  symlinkSync(join(root, 'outside.csv'), join(dir, 'link.csv'));
  mkdirSync(join(root, 'mounted'));
  writeFileSync(join(root, 'mounted', 'b.csv'), 'b\n7\n');
  const database = new Database(join(dir, 'shop.db'));
  database.exec('CREATE TABLE "or""ders" (id INTEGER, note TEXT)');
  database.prepare('INSERT INTO "or""ders" VALUES (1, ?)').run('x'.repeat(2_000));
  database.close();
});
afterAll(async () => {
  await threads.close();
  rmSync(root, { recursive: true, force: true });
});

const ofFile = (path: string) => sampleFile(threads, dir, { path, signal });
const db = (): ConnectSettings => ({
  name: 'shop',
  driver: 'sqlite',
  keys: { path: 'shop.db' },
  auth: {},
  options: {},
  notebookDir: dir,
  mounts: {},
});

it.each<[string, readonly string[], readonly (readonly unknown[])[]]>([
  [
    "it's [1]*.csv",
    ['id', 'day'],
    [
      [1, '2024-01-02'],
      [2, null],
    ],
  ],
  [
    'a.jsonl',
    ['n', 't'],
    [
      [1, 'x'],
      [2, null],
    ],
  ],
])('[WI-337] the first rows of the file %s', async (path, columns, rows) => {
  const sample = await ofFile(path);
  if ('problem' in sample) throw new Error(sample.problem);
  expect(sample.columns.map(({ name }) => name)).toEqual(columns);
  expect(sample.rows).toEqual(rows);
});

it('[WI-337] only the first rows of a long file are returned', async () => {
  expect(await ofFile('long.csv')).toMatchObject({ rows: { length: 50, 49: [49] } });
});

it.each([
  ['bad.parquet', /parquet/i],
  ['link.csv', /link/],
  ['../outside.csv', /not a path below a folder/],
  ['gone.csv', /gone\.csv|No files found/],
  ['book.xlsx', /has no preview/],
])('[WI-337] %s has no first rows, and the reason is shown', async (path, problem) => {
  expect(await ofFile(path)).toEqual({ problem: expect.stringMatching(problem) });
});

it('[WI-337] a table of a connection, with its name quoted and long text cut', async () => {
  const table = { catalog: null, schema: 'main', name: 'or"ders' };
  expect(await sampleTable(threads, db(), { table, signal })).toMatchObject({
    columns: [{ name: 'id' }, { name: 'note' }],
    rows: [[1, `${'x'.repeat(500)}…`]],
  });
  const injected = { ...table, name: 'x"; DROP TABLE "or""ders' };
  expect(await sampleTable(threads, db(), { table: injected, signal })).toHaveProperty('problem');
  expect(await sampleTable(threads, db(), { table, signal })).toHaveProperty('rows');
});

it('[WI-337] BigQuery is not queried: it charges for the whole table', async () => {
  const table = { catalog: null, schema: 'd', name: 't' };
  const result = await sampleTable(threads, { ...db(), driver: 'bigquery' }, { table, signal });
  expect(result).toEqual({ problem: expect.stringContaining('charges for the whole table') });
});

it('[WI-337] a local mount, also outside of the folder; a remote one is not fetched', async () => {
  const mount = { name: 'raw', mode: 'ro', pin: null, options: {}, credential: null } as const;
  const local = { ...mount, uri: `file://${join(root, 'mounted')}` };
  expect(await sampleMount(threads, dir, { mount: local, signal })).toMatchObject({ rows: [[7]] });
  const remote = { ...mount, uri: 's3://bucket/x' };
  expect(await sampleMount(threads, dir, { mount: remote, signal })).toHaveProperty('problem');
});

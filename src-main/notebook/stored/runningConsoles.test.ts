import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { notebookFolder } from '../folder/notebookFolder.ts';
import { createRunningConsoles, forgetCutRuns, loadCutRuns } from './runningConsoles.ts';

let dir = notebookFolder('');
let errors: unknown[] = [];
beforeEach(async () => {
  dir = notebookFolder(await mkdtemp(join(tmpdir(), 'svc-running-')));
  errors = [];
});
afterEach(() => rm(dir, { recursive: true, force: true }));

const consoles = (afterMs: number) =>
  createRunningConsoles(dir, { afterMs, onError: (error) => errors.push(error) });
const written = () => readdir(join(dir, '.svc/running')).catch(() => []);

test('[CR-5] nothing is written for a run that ends soon', async () => {
  const run = consoles(40).begin('a', 'r1');
  run.push({ stream: 'stdout', text: 'x' });
  run.end();
  await delay(80);
  expect(await readdir(dir)).toEqual([]);
});

test('[CR-5] output is stored while the run lasts, and no longer', async () => {
  const run = consoles(10).begin('a', 'r1');
  for (const text of ['one\n', 'two\n']) run.push({ stream: 'stdout', text });
  run.push({ stream: 'stderr', text: 'oh' });
  await expect
    .poll(() => loadCutRuns(dir))
    .toEqual([{ id: 'a', run: 'r1', stdout: 'one\ntwo\n', stderr: 'oh' }]);
  run.push({ stream: 'stdout', text: 'three\n' });
  await expect.poll(async () => (await loadCutRuns(dir))[0]?.stdout).toBe('one\ntwo\nthree\n');
  run.end();
  expect(await written()).toEqual([]);
});

test('[CR-5] of a very long output the end is stored', async () => {
  const run = consoles(10).begin('a', 'r1');
  for (let at = 0; at < 40; at += 1) run.push({ stream: 'stdout', text: `${at}`.padEnd(10_000, '.') });
  await expect.poll(written).toHaveLength(1);
  const [kept] = await loadCutRuns(dir);
  expect(kept?.stdout.length).toBe(70_000);
  expect(kept?.stdout.trimEnd()).toMatch(/39\.+$/);
  run.end();
});

test('[CR-5] a disk that refuses is tried once per run', async () => {
  await writeFile(join(dir, '.svc'), 'in the way');
  const run = consoles(1).begin('a', 'r1');
  run.push({ stream: 'stdout', text: 'x' });
  await expect.poll(() => errors).toHaveLength(1);
  run.push({ stream: 'stdout', text: 'y' });
  await delay(20);
  run.end();
  expect(errors).toHaveLength(1);
});

test.each<[string, string]>([
  ['no JSON', '{"id": "a", '],
  ['another shape', '{"id": 7}'],
  ['a run that names another file', '{"id":"a","run":"../../x","stdout":"","stderr":""}'],
])('[CR-5] a damaged record is skipped: %s', async (_name, text) => {
  await mkdir(join(dir, '.svc/running'), { recursive: true });
  await writeFile(join(dir, '.svc/running/x.json'), text);
  await mkdir(join(dir, '.svc/running/y.json'));
  expect(await loadCutRuns(dir)).toEqual([]);
  await forgetCutRuns(dir);
  expect(await written()).toEqual([]);
});

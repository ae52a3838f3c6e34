/**
 * Tests that random notebooks give the same frames, cells and artifacts on two built servers, one that runs cells one
 * by one and one that runs four at a time. Also limits, cancelling and failures of parallel runs.
 */

import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import * as z from 'zod';
import type { Cell } from '../../src-shared/wire/cell.ts';
import type { ReceivedFrame } from '../../src-shared/wire/frames/server.ts';
import { connectLive, type LiveClient } from '../support/liveClient.ts';
import type { CellText } from '../support/notebookFolder.ts';
import { type OpenNotebook, openNotebook } from '../support/openNotebook.ts';
import { rest } from '../support/rest.ts';
import { type ServerProcess, startServerProcess } from '../support/serverProcess.ts';

let root = '';
let serial: ServerProcess;
let parallel: ServerProcess;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'cellar-parallel-'));
  const env = { SVC_NOTEBOOK_PARALLEL_CELLS: '4' };
  [serial, parallel] = await Promise.all([
    startServerProcess({ grants: [root] }),
    startServerProcess({ grants: [root], env }),
  ]);
});
afterAll(async () => {
  await Promise.all([serial.dispose(), parallel.dispose()]);
  await rm(root, { recursive: true, force: true });
});

/** The last cell, without inputs: the run has ended when it is ready. */
const LAST: CellText = { id: 'last', source: 'last = 1' };

async function settled(live: LiveClient, since: number): Promise<void> {
  const isLast = (wanted: string) => ({
    since,
    where: ({ cell_id, status }: { cell_id: string; status: string }) =>
      cell_id === LAST.id && status === wanted,
  });
  await live.next('cell_status', isLast('running'));
  await live.next('cell_status', isLast('ready'));
}

/** A frame about a cell, without times and without the boundaries between stream chunks. */
function comparable(frame: ReceivedFrame): readonly unknown[] | null {
  if (frame.type === 'cell_status') {
    const { cell_id, status, staleness_reasons } = frame.payload;
    return [cell_id, 'status', status, staleness_reasons];
  }
  if (frame.type === 'cell_output') {
    const { cell_id, outputs, stdout, cache_hit, artifact_uris } = frame.payload;
    return [cell_id, 'output', outputs, stdout, cache_hit, artifact_uris];
  }
  if (frame.type === 'cell_console') {
    const { cell_id, stream, text } = frame.payload;
    return [cell_id, stream, text];
  }
  if (frame.type === 'cell_error') return [frame.payload.cell_id, 'error', frame.payload.error];
  return null;
}

/** Joins consecutive pieces of one stream. */
function joined(lines: readonly (readonly unknown[])[]): readonly (readonly unknown[])[] {
  const all: (readonly unknown[])[] = [];
  for (const line of lines) {
    const last = all.at(-1);
    const [id, stream, text] = line;
    const isSame = line.length === 3 && last?.length === 3 && last[0] === id && last[1] === stream;
    if (isSame && stream !== 'error') all[all.length - 1] = [id, stream, `${last[2]}${text}`];
    else all.push(line);
  }
  return all;
}

function gist(cell: Cell): object {
  const { id, status, staleness_reasons, artifact_uris, console_stdout, error, display_outputs } = cell;
  const shown = display_outputs.map(({ preview, artifact_uri }) => [preview, artifact_uri]);
  return { id, status, staleness_reasons, artifact_uris, console_stdout, error, shown };
}

/** Runs all, edits one, runs all again: every frame of interest in order, and the cells after each run. */
async function played(server: ServerProcess, dir: string, cells: readonly CellText[], edited: CellText) {
  const notebook = await openNotebook(server, dir, cells);
  const live = await connectLive(server.url, notebook.sid);
  const ids = cells.map(({ id }) => id);
  const after: object[] = [];
  for (const edit of [null, edited]) {
    if (edit !== null) await notebook.edit(edit.id, edit.source);
    const since = live.mark();
    live.send('notebook_run_all', { continue_on_error: true });
    await settled(live, since);
    const state = live.mark();
    live.send('notebook_sync', {});
    await live.next('notebook_state', { since: state });
    after.push(...(await Promise.all(ids.map((id) => notebook.cell(id)))).map(gist));
  }
  await live.close();
  await notebook.close();
  return { frames: joined(live.frames.map(comparable).filter((line) => line !== null)), after };
}

/** Cells of small numbers over earlier ones; some print, some fail, some wait a moment. */
const drawn = fc.array(
  fc.record({
    reads: fc.array(fc.nat(9), { maxLength: 3 }),
    sleeps: fc.integer({ min: 0, max: 20 }),
    prints: fc.boolean(),
    fails: fc.integer({ min: 0, max: 9 }).map((one) => one === 0),
  }),
  { minLength: 3, maxLength: 9 },
);

type Drawn = typeof drawn extends fc.Arbitrary<infer T> ? T : never;

function cellsOf(all: Drawn): readonly CellText[] {
  const cells = all.map(({ reads, sleeps, prints, fails }, at): CellText => {
    const names = [...new Set(reads.filter((one) => one < at))].map((one) => `v${one}`);
    const lines = [
      `import time; time.sleep(${sleeps / 1000})`,
      ...(prints ? [`print("cell ${at}")`] : []),
      ...(fails ? ['raise ValueError("no")'] : []),
      `v${at} = ${[`${at}`, ...names].join(' + ')}`,
      ...(at % 2 === 0 ? [`v${at}`] : []),
    ];
    return { id: `c${at}`, source: lines.join('\n') };
  });
  return [...cells, LAST];
}

it('[EX-14] random notebooks give the same frames, cells and artifacts in sequence and in parallel', async () => {
  let count = 0;
  const property = fc.asyncProperty(drawn, async (all) => {
    count += 1;
    const cells = cellsOf(all);
    const edited = { id: 'c0', source: 'v0 = 100\nprint("edited")' };
    // Both servers use the same folder, one after the other: another notebook id would give other keys.
    const dir = join(root, `random-${count}`);
    const one = await played(serial, dir, cells, edited);
    // Removing is retried: the server may still be writing files of the environment.
    await rm(dir, { recursive: true, maxRetries: 10 });
    expect(await played(parallel, dir, cells, edited)).toEqual(one);
  });
  await fc.assert(property, { numRuns: process.env['LONG'] === '1' ? 100 : 2, endOnFailure: true });
}, 600_000);

/**
 * Cells a and b leave a mark and wait for the mark of the other one, at most `seconds`. Their value: start, end, and 1
 * if they met, which they do only when they run at the same time.
 */
const MEET = (name: 'a' | 'b', seconds: number, round = 0): string => {
  const [own, other] = name === 'a' ? ['a', 'b'] : ['b', 'a'];
  return `import os, time
start = time.time()
open("${own}.${round}", "w").close()
while not os.path.exists("${other}.${round}") and time.time() < start + ${seconds}:
    time.sleep(0.01)
met = int(os.path.exists("${other}.${round}"))
${name} = [start, time.time(), met]`;
};
/** Seconds that are more than starting any cell takes. */
const PATIENT = 60;

it('[EX-14] independent cells run at the same time, dependent ones one after another', async () => {
  const notebook = await openNotebook(parallel, join(root, 'overlap'), [
    { id: 'a', source: MEET('a', PATIENT) },
    { id: 'b', source: MEET('b', PATIENT) },
    { id: 'c', source: 'a\nimport time\nc = [time.time(), a[1], b[1]]' },
    { id: 'd', source: '[a, b, c]' },
  ]);
  const { display } = await notebook.execute('d');
  const [a = [], b = [], c = []] = z.array(z.array(z.number())).parse(display?.preview);
  expect([a[2], b[2]]).toEqual([1, 1]);
  expect(c[0] ?? 0).toBeGreaterThan(Math.max(c[1] ?? 0, c[2] ?? 0));
});

it('[EX-45] a notebook can set its own limit, which survives reopening', async () => {
  const dir = join(root, 'own-number');
  const cells = [
    { id: 'a', source: MEET('a', 0.5) },
    { id: 'b', source: MEET('b', 0.5) },
    { id: 'd', source: '[a, b]' },
  ];
  const overlaps = async (notebook: OpenNotebook): Promise<boolean> => {
    const { display } = await notebook.execute('d', 'rerun');
    const [a = [], b = []] = z.array(z.array(z.number())).parse(display?.preview);
    return a[2] === 1 && b[2] === 1;
  };
  const again = (round: number) =>
    Promise.all((['a', 'b'] as const).map((id) => one.edit(id, MEET(id, PATIENT, round))));
  const one = await openNotebook(serial, dir, cells);
  expect((await one.get('/x/settings')).body).toMatchObject({ parallel_cells: { own: null, server: 1 } });
  expect(await overlaps(one)).toBe(false);
  const set = (parallel_cells: number | null | string) =>
    rest(serial.url, 'PUT', `/v1/notebooks/${one.sid}/x/settings`, { parallel_cells });
  expect((await set(4)).body).toMatchObject({ parallel_cells: { own: 4, server: 1 } });
  await again(1);
  expect(await overlaps(one)).toBe(true);
  for (const wrong of [0, 65, 1.5, '4']) expect((await set(wrong as number)).status).toBe(422);
  await one.close();
  const reopened = await openNotebook(serial, dir);
  expect((await reopened.get('/x/settings')).body).toMatchObject({ parallel_cells: { own: 4, server: 1 } });
  const off = { parallel_cells: null };
  await rest(serial.url, 'PUT', `/v1/notebooks/${reopened.sid}/x/settings`, off);
  expect((await reopened.get('/x/settings')).body).toMatchObject({
    parallel_cells: { own: null, server: 1 },
  });
  expect(await readFile(join(dir, 'notebook.toml'), 'utf8')).not.toContain('parallel');
  await reopened.close();
});

function processesOf(marker: string): readonly string[] {
  const lines = execFileSync('ps', ['-eo', 'pid,args'], { encoding: 'utf8' }).split('\n');
  return lines.filter((line) => line.includes(marker));
}

/** A cell that runs for ten minutes, with a child process whose arguments contain the marker. */
const working = (marker: string): string =>
  `import subprocess, sys, time\nsubprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)", "${marker}"])\ntime.sleep(600)`;

async function cascade(notebook: OpenNotebook, live: LiveClient, target: string): Promise<void> {
  live.send('cell_execute', { cell_id: target });
  const { payload } = await live.next('cascade_prompt');
  live.send('cell_execute_cascade', { cell_id: target, plan_id: payload.plan_id });
  expect((await notebook.cell(target)).status).not.toBe('running');
}

it('[EX-14] cancelling a cascade also ends speculative runs, and stores none of their results', async () => {
  const marker = `parallel-${process.pid}`;
  const notebook = await openNotebook(parallel, join(root, 'cancelled'), [
    { id: 'a', source: `${working(`${marker}-a`)}\na = 1` },
    { id: 'b', source: `${working(`${marker}-b`)}\nb = 1` },
    { id: 'c', source: 'a + b' },
  ]);
  const live = await connectLive(parallel.url, notebook.sid);
  await cascade(notebook, live, 'c');
  await expect.poll(() => processesOf(marker).length).toBe(2);
  // The run still holds the notebook: a second one is refused.
  live.send('cell_execute_force', { cell_id: 'b' });
  expect((await live.next('error')).payload.code).toBe('notebook_busy');
  const since = live.mark();
  live.send('cell_cancel', { cell_id: 'c' });
  await live.next('cell_status', {
    since,
    where: ({ cell_id, status }) => cell_id === 'a' && status === 'idle',
  });
  await expect.poll(() => processesOf(marker)).toEqual([]);
  expect((await notebook.cell('b')).artifact_uris).toEqual({});
  expect(
    live.frames.some(
      (frame) =>
        frame.type === 'cell_status' && frame.payload.cell_id === 'b' && frame.payload.status === 'running',
    ),
  ).toBe(false);
  await live.close();
});

it('[EX-14] a failure that ends a cascade also ends speculative runs', async () => {
  const marker = `parallel-failed-${process.pid}`;
  const notebook = await openNotebook(parallel, join(root, 'failed'), [
    { id: 'a', source: 'import time; time.sleep(0.5)\nraise ValueError("no")\na = 1' },
    { id: 'b', source: `${working(marker)}\nb = 1` },
    { id: 'c', source: 'a + b' },
  ]);
  const live = await connectLive(parallel.url, notebook.sid);
  await cascade(notebook, live, 'c');
  await live.next('cell_error');
  await expect.poll(() => processesOf(marker)).toEqual([]);
  expect((await notebook.cell('b')).status).toBe('stale');
  await live.close();
});

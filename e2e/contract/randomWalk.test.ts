/**
 * Two live clients and a REST client use one notebook of the built server at random: they edit, run, cancel, add,
 * delete and move cells. Afterwards no cell may be running, and the notebook must show the same after reopening and
 * have the results of a fresh run.
 */

import { cp, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Cell } from '../../src-shared/wire/cell.ts';
import type { Dag } from '../../src-shared/wire/dag.ts';
import type { ReceivedFrame } from '../../src-shared/wire/frames/server.ts';
import { connectLive, type LiveClient } from '../support/liveClient.ts';
import { type OpenNotebook, openNotebook } from '../support/openNotebook.ts';
import { plainServer } from '../support/plainServer.ts';
import { rest } from '../support/rest.ts';
import { pick, seeded } from '../support/seeded.ts';
import type { ServerProcess } from '../support/serverProcess.ts';
import { randomSource } from '../support/walkSources.ts';

const SEEDS = Number(process.env['WALK_SEEDS'] ?? (process.env['LONG'] === '1' ? 30 : 1));
const FIRST_SEED = Number(process.env['WALK_SEED'] ?? 1);
/** The number of bursts of random requests; the notebook is reopened after every sixth. */
const BURSTS = process.env['LONG'] === '1' ? 12 : 6;
const OPS_PER_BURST = 4;

let root = '';
let server: ServerProcess;
beforeAll(async () => {
  ({ root, server } = await plainServer('cellar-walk-'));
});
afterAll(async () => {
  await server.dispose();
  await rm(root, { recursive: true, force: true });
});

interface Walk {
  readonly random: () => number;
  readonly notebook: OpenNotebook;
  readonly sockets: readonly [LiveClient, LiveClient];
  /** A third window, which only listens. */
  readonly watcher: LiveClient;
  /** Answers to requests that the watcher itself sent: these are not broadcasts. */
  readonly ignored: Set<ReceivedFrame>;
  readonly asked: Promise<unknown>[];
  readonly story: string[];
}

async function cellsOf(notebook: OpenNotebook): Promise<readonly Cell[]> {
  return (await notebook.get<{ cells: Cell[] }>('/cells')).body.cells;
}

const RUN_FRAMES = ['cell_execute', 'cell_execute', 'cell_execute_force', 'cell_execute_rerun'] as const;
const OPS = [
  'edit',
  'edit',
  'edit',
  'undo',
  'run',
  'run',
  'restRun',
  'runAll',
  'cancel',
  'add',
  'delete',
  'reorder',
] as const;

/** Sends one random request without waiting for its answer. */
function act(walk: Walk, cells: readonly Cell[], history: Map<string, string[]>): void {
  const { random, notebook, asked, story } = walk;
  const base = `/v1/notebooks/${notebook.sid}`;
  const ids = cells.map(({ id }) => id);
  const socket = pick(random, walk.sockets);
  const op = cells.length < 4 ? 'add' : pick(random, OPS);
  const id = ids.length === 0 ? '' : pick(random, ids);
  const say = (text: string) => void story.push(text);
  const call = (method: 'POST' | 'PUT' | 'DELETE', path: string, body?: unknown) =>
    void asked.push(rest(server.url, method, `${base}${path}`, body));
  switch (op) {
    case 'edit':
    case 'undo': {
      const past = history.get(id) ?? [];
      const source = op === 'undo' && past.length > 0 ? pick(random, past) : randomSource(random, ids);
      history.set(id, [...past, source]);
      say(`edit ${id} ${JSON.stringify(source)}`);
      if (random() < 0.3) call('PUT', `/cells/${id}`, { source, force: true });
      else socket.send('cell_source_update', { cell_id: id, source, force: true });
      break;
    }
    case 'run': {
      const frame = pick(random, RUN_FRAMES);
      say(`${frame} ${id}`);
      socket.send(frame, { cell_id: id });
      break;
    }
    case 'restRun': {
      const mode = pick(random, ['normal', 'rerun', 'force']);
      say(`execute ${id} ${mode}`);
      call('POST', `/cells/${id}/execute?mode=${mode}`);
      break;
    }
    case 'runAll': {
      const frame = pick(random, ['notebook_run_all', 'notebook_run_all', 'notebook_rerun_all'] as const);
      say(frame);
      socket.send(frame, { continue_on_error: random() < 0.7 });
      break;
    }
    case 'cancel':
      say(`cancel ${id}`);
      if (random() < 0.5) call('POST', `/cells/${id}/cancel`);
      else socket.send('cell_cancel', { cell_id: id });
      break;
    case 'add':
      say(`add after ${id}`);
      call('POST', '/cells', { ...(id === '' ? {} : { after_cell_id: id }), language: 'python' });
      break;
    case 'delete':
      say(`delete ${id}`);
      call('DELETE', `/cells/${id}`);
      break;
    case 'reorder':
      say(`reorder ${id} first`);
      call('PUT', '/cells/reorder', { cell_ids: [id, ...ids.filter((other) => other !== id)] });
      break;
    default:
      op satisfies never;
  }
}

/** Confirms most of the plans that the sockets were offered since the last call. */
function confirmPlans(walk: Walk, seen: Map<LiveClient, number>): void {
  for (const socket of walk.sockets) {
    const fresh = socket.frames.slice(seen.get(socket) ?? 0);
    seen.set(socket, socket.mark());
    for (const frame of fresh) {
      if (frame.type !== 'cascade_prompt' || walk.random() < 0.3) continue;
      const { cell_id, plan_id } = frame.payload;
      walk.story.push(`confirm ${cell_id}`);
      socket.send('cell_execute_cascade', { cell_id, plan_id });
    }
  }
}

/** Waits for one round trip of every socket. */
async function sync(walk: Walk): Promise<void> {
  for (const socket of walk.sockets) {
    const since = socket.mark();
    socket.send('notebook_sync', {});
    await socket.next('notebook_state', { since });
  }
}

/** Waits until every request was answered and no cell is running; returns the cells. */
async function settle(walk: Walk): Promise<readonly Cell[]> {
  const deadline = Date.now() + 60_000;
  await Promise.all(walk.asked.splice(0));
  for (;;) {
    await sync(walk);
    const cells = await cellsOf(walk.notebook);
    const running = cells.filter(({ status }) => status === 'running');
    if (running.length === 0) return cells;
    if (Date.now() > deadline) throw new Error(`still running: ${running.map(({ id }) => id).join()}`);
  }
}

interface Seen {
  readonly status: string;
  readonly stdout: string;
}

/** Statuses and consoles as seen by a client that requested the state once and then listened (console rules). */
async function viewOf({ watcher, ignored }: Walk): Promise<Record<string, Seen>> {
  const since = watcher.mark();
  watcher.send('notebook_sync', {});
  ignored.add(await watcher.next('notebook_state', { since }));
  let cells = new Map<string, Seen>();
  const set = (id: string, change: Partial<Seen>) =>
    cells.set(id, { ...(cells.get(id) ?? { status: 'unknown', stdout: '' }), ...change });
  for (const frame of watcher.frames) {
    if (ignored.has(frame)) continue;
    const { type, payload } = frame;
    if (type === 'cell_status') {
      set(payload.cell_id, {
        status: payload.status,
        ...(payload.status === 'running' ? { stdout: '' } : {}),
      });
    } else if (type === 'cell_console' && payload.stream === 'stdout') {
      const before = payload.chunk_seq === 0 ? '' : (cells.get(payload.cell_id)?.stdout ?? '');
      set(payload.cell_id, { stdout: before + payload.text });
    } else if ((type === 'cell_output' || type === 'cell_error') && payload.stdout !== undefined) {
      set(payload.cell_id, { stdout: payload.stdout });
    } else if (type === 'notebook_state' || type === 'environment_job_finished') {
      cells = seenOf(payload.cells);
    }
  }
  return Object.fromEntries(cells);
}

function seenOf(cells: readonly Cell[]): Map<string, Seen> {
  return new Map(cells.map(({ id, status, console_stdout }) => [id, { status, stdout: console_stdout }]));
}

function statusesOf(cells: readonly Cell[]): Record<string, string> {
  return Object.fromEntries(cells.map(({ id, status }) => [id, status]));
}

/**
 * Cells whose status may differ after reopening (staleness-and-runs 1): an unread cell that is ready only in this
 * session, a cell that did not run because of a failure, and the cells that wait for such a cell.
 */
function sessionOnly(cells: readonly Cell[], dag: Dag): ReadonlySet<string> {
  const read = new Set(dag.edges.flatMap((edge) => (edge.variable === '' ? [] : [edge.from_cell_id])));
  const ids = new Set<string>();
  for (const id of dag.topological_order) {
    const cell = cells.find((candidate) => candidate.id === id);
    if (cell === undefined) continue;
    const readyHere = cell.status === 'ready' && !read.has(id);
    const keptBack = cell.status === 'stale' && cell.causality?.reason !== 'upstream';
    if (readyHere || keptBack || cell.upstream_ids.some((up) => ids.has(up))) ids.add(id);
  }
  return ids;
}

/** Closes the notebook; tries again while the process of a cell that was deleted during its run still exists. */
async function closeSettled(notebook: OpenNotebook): Promise<void> {
  const deadline = Date.now() + 60_000;
  let answer = await notebook.close();
  while (answer.status === 409 && Date.now() < deadline) answer = await notebook.close();
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
}

async function reopened(walk: Walk): Promise<Walk> {
  const before = await settle(walk);
  const { body: dag } = await walk.notebook.get<Dag>('/dag');
  await closeSettled(walk.notebook);
  const next = await start(walk.notebook.path, walk.random, walk.story);
  const after = await cellsOf(next.notebook);
  expect(after.map(({ id, source }) => ({ id, source }))).toEqual(
    before.map(({ id, source }) => ({ id, source })),
  );
  const mayDiffer = sessionOnly(before, dag);
  const comparable = (cells: readonly Cell[]) => statusesOf(cells.filter(({ id }) => !mayDiffer.has(id)));
  expect(comparable(after)).toEqual(comparable(before));
  return next;
}

async function start(dir: string, random: () => number, story: string[]): Promise<Walk> {
  const notebook = await openNotebook(server, dir);
  const sockets = [
    await connectLive(server.url, notebook.sid),
    await connectLive(server.url, notebook.sid),
  ] as const;
  const watcher = await connectLive(server.url, notebook.sid);
  watcher.send('notebook_sync', {});
  await watcher.next('notebook_state');
  return { random, notebook, sockets, watcher, ignored: new Set(), asked: [], story };
}

/** Runs every cell, after removing `@after` annotations if they make the graph cyclic. */
async function runAll(walk: Walk): Promise<readonly Cell[]> {
  for (const cell of await cellsOf(walk.notebook)) {
    if ((await walk.notebook.get<Dag>('/dag')).body.error === undefined) break;
    await walk.notebook.edit(cell.id, cell.source.replace('@after', 'after'));
  }
  const [socket] = walk.sockets;
  const since = socket.mark();
  socket.send('notebook_run_all', {});
  const cells = await settle(walk);
  expect(socket.frames.slice(since).filter(({ type }) => type === 'error')).toEqual([]);
  return cells;
}

/** Whether the cell has no code: run-all skips it, so its status does not change. */
function isEmpty({ source }: Cell): boolean {
  return source.split('\n').every((line) => /^\s*(#.*)?$/.test(line));
}

async function failedOrBelow(notebook: OpenNotebook, cells: readonly Cell[]): Promise<ReadonlySet<string>> {
  const { body: dag } = await notebook.get<Dag>('/dag');
  const failed = new Set(cells.filter(({ status }) => status === 'error').map(({ id }) => id));
  for (const id of dag.topological_order) {
    const upstream = cells.find((cell) => cell.id === id)?.upstream_ids ?? [];
    if (upstream.some((above) => failed.has(above))) failed.add(id);
  }
  return failed;
}

/** What the window shows of cells; the console only for cells whose hits replay it (provenance-and-cache 3). */
function shown(cells: readonly Cell[]) {
  return cells.map((cell) => ({
    id: cell.id,
    source: cell.source,
    ...(isEmpty(cell)
      ? {}
      : {
          status: cell.status,
          error: cell.error?.trim().split('\n').at(-1),
          ...(cell.status === 'ready'
            ? { displays: cell.display_outputs.map(({ preview }) => preview) }
            : {}),
          ...(cell.status === 'ready' && cell.is_leaf ? { stdout: cell.console_stdout } : {}),
        }),
  }));
}

/** The cells after running the same sources in a copy of the folder without stored results. */
async function fromScratch(walk: Walk): Promise<readonly Cell[]> {
  const { path } = walk.notebook;
  const copy = `${path}-scratch`;
  await cp(path, copy, { recursive: true, filter: (source) => basename(source) !== '.svc' });
  const fresh = await start(copy, walk.random, []);
  const cells = await runAll(fresh);
  await fresh.notebook.close();
  return cells;
}

describe('[ST-9] a random walk over a session', () => {
  for (let seed = FIRST_SEED; seed < FIRST_SEED + SEEDS; seed++) {
    it(`seed ${seed}`, async () => {
      const random = seeded(seed);
      const dir = join(root, `walk-${seed}`);
      const cells = [0, 1, 2, 3, 4].map((at) => ({ id: `cell${at}`, source: randomSource(random, []) }));
      await (await openNotebook(server, dir, cells)).close();
      let walk = await start(
        dir,
        random,
        cells.map(({ id, source }) => `cell ${id} ${JSON.stringify(source)}`),
      );
      const history = new Map(cells.map(({ id, source }): [string, string[]] => [id, [source]]));
      try {
        for (let burst = 0; burst < BURSTS; burst++) {
          const seen = new Map(walk.sockets.map((socket) => [socket, socket.mark()]));
          const known = await cellsOf(walk.notebook);
          for (let op = 0; op < OPS_PER_BURST; op++) {
            act(walk, known, history);
            // Lets a run make progress before the next request.
            for (let trips = Math.floor(random() * 12); trips > 0; trips--) await sync(walk);
          }
          await walk.asked.at(-1);
          confirmPlans(walk, seen);
          walk.story.push('settle');
          const settled = await settle(walk);
          expect(await viewOf(walk)).toEqual(Object.fromEntries(seenOf(settled)));
          if (burst % 6 === 5) walk = await reopened(walk);
        }
        const last = await runAll(walk);
        const failed = await failedOrBelow(walk.notebook, last);
        const unsettled = last.filter(
          (cell) => !(cell.status === 'ready' || failed.has(cell.id) || isEmpty(cell)),
        );
        expect(unsettled.map(({ id, status }) => ({ id, status }))).toEqual([]);
        expect(shown(last)).toEqual(shown(await fromScratch(walk)));
        await walk.notebook.close();
      } catch (error) {
        process.stderr.write(`seed ${seed}:\n  ${walk.story.join('\n  ')}\n`);
        throw error;
      }
    });
  }
});

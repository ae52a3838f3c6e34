/**
 * Runs jobs of the assistant in the built server with confirmations, cancels, disconnects and kills in random order: no
 * change is left incomplete, and undoing restores the committed files, except for the time of the last change.
 */

import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type AiServer, startAiServer } from '../../src-main/ai/testing/aiStandIn.ts';
import type { AgentStatus } from '../../src-shared/wire/assistant.ts';
import type { Cell } from '../../src-shared/wire/cell.ts';
import type { UndoStack } from '../../src-shared/wire/undo.ts';
import { connectLive, type LiveClient } from '../support/liveClient.ts';
import { type OpenNotebook, openNotebook } from '../support/openNotebook.ts';
import { writeReadyNotebook } from '../support/preparedEnvironment.ts';
import { rest } from '../support/rest.ts';
import { pick, seeded } from '../support/seeded.ts';
import { type ServerProcess, startServerProcess } from '../support/serverProcess.ts';

const ORDERS = Number(process.env['ORDERS'] ?? (process.env['LONG'] === '1' ? 200 : 3));
const SEED = Number(process.env['SEED'] ?? 20_261_126);
const MAX_EVENTS = 8;

const CELLS = [
  { id: 'first001', source: 'x = 1\n' },
  { id: 'second01', source: 'y = x\n' },
  { id: 'third001', source: 'z = y\n' },
];
const MADE = 'made = 1\nother = 2\n';
const EDITED = 'x = 2\nw = 3\n';
const AGAIN = 'x = 3\n';
const CALLS: readonly (readonly [tool: string, args: object])[] = [
  ['edit_cell', { variable_name: 'x', new_source: EDITED }],
  ['edit_cell', { variable_name: 'x', new_source: AGAIN }],
  ['create_cell', { source: MADE }],
  ['delete_cell', { variable_name: 'z' }],
  ['delete_cell', { variable_name: 'x' }],
];
/** The complete texts that a cell may have; null if it may be deleted. */
const COMPLETE: Readonly<Record<string, readonly (string | null)[]>> = {
  first001: ['x = 1\n', EDITED, AGAIN, null],
  third001: ['z = y\n', null],
};
const EVENTS = ['confirm', 'confirm', 'confirm', 'decline', 'cancel', 'disconnect', 'kill', 'edit'] as const;

let root = '';
let ai: AiServer;
let server: ServerProcess;
let notebook: OpenNotebook;
let live: LiveClient;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'cellar-orders-'));
  ai = await startAiServer();
  await startServer();
  await open(await writeReadyNotebook(join(root, 'n'), { cells: CELLS, updatedAt: '2026-01-01T00:00:00Z' }));
});
afterAll(async () => {
  await server?.dispose();
  await ai?.close();
  await rm(root, { recursive: true, force: true });
});

async function startServer(): Promise<void> {
  const env = { SVC_AI_BASE_URL: `${ai.origin}/v1`, SVC_AI_API_KEY: 'key-0123456789', SVC_AI_MODEL: 'm' };
  server = await startServerProcess({ grants: [root], env, storageDir: join(root, 'storage') });
}

async function open(dir: string): Promise<void> {
  notebook = await openNotebook(server, dir);
  live = await connectLive(server.url, notebook.sid, '?extensions=1');
}

it(`[AG-107] no change is left incomplete after ${ORDERS} orders of confirm, decline, cancel, disconnect, kill (seed ${SEED})`, async () => {
  const committed = await files(notebook.path);
  for (let order = 0; order < ORDERS; order += 1) {
    const events: string[] = [];
    const faults = await play(seeded(SEED + order), events);
    await undoAll();
    if (events.includes('kill')) await removeUnlisted();
    if (JSON.stringify(await files(notebook.path)) !== JSON.stringify(committed)) {
      faults.push('undoing did not restore the folder');
      expect({ faults, files: await files(notebook.path) }, `order ${order}: ${events.join(', ')}`).toEqual({
        faults: [],
        files: committed,
      });
    }
    expect(faults, `order ${order}: ${events.join(', ')}`).toEqual([]);
  }
}, 3_600_000);

/** Runs one job with random events, which it adds to `events`. @returns the faults at the end */
async function play(random: () => number, events: string[]): Promise<string[]> {
  const calls = shuffled(random, CALLS).slice(0, 1 + Math.floor(random() * CALLS.length));
  const isOneTurn = random() < 0.5;
  const turns = isOneTurn ? [calls] : calls.map((call) => [call]);
  let made = 0;
  const reply = (turn: typeof calls) => ({
    kind: 'tools' as const,
    text: '',
    calls: turn.map(([name, args]) => {
      made += 1;
      return { id: `call_${made}`, name, arguments: JSON.stringify(args) };
    }),
  });
  ai.next(...turns.map(reply), { kind: 'text', text: 'Done.' });
  events.push(calls.map(([name]) => name).join('+'));
  await post('/ai/agent', { message: 'Go', confirm_all: true });
  const happens = Array.from({ length: 1 + Math.floor(random() * MAX_EVENTS) }, () => pick(random, EVENTS));
  let edits = 0;
  for (const event of happens) {
    events.push(event);
    const request = random() < 0.8 ? await question() : null;
    const answer = (approved: boolean): void =>
      live.send('agent_confirm_response', { job_id: null, request_id: request, approved });
    if (event === 'confirm') answer(true);
    if (event === 'decline') answer(false);
    if (event === 'cancel') live.send('agent_cancel', { job_id: null });
    if (event === 'edit') {
      edits += 1;
      await notebook.edit('second01', `y = x + ${edits}\n`);
    }
    if (event === 'disconnect') {
      await live.close();
      live = await connectLive(server.url, notebook.sid, '?extensions=1');
    }
    if (event === 'kill') {
      const { path } = notebook;
      // The server is killed at a random moment of the change that this confirmation starts.
      answer(true);
      for (let wait = Math.floor(random() * 12); wait > 0; wait -= 1) await fetch(`${server.url}/health`);
      await server.stop('SIGKILL');
      await startServer();
      await open(path);
    }
  }
  live.send('agent_cancel', { job_id: null });
  await expect.poll(async () => (await status()).job, { timeout: 60_000 }).toBeNull();
  const faults = await wrongNow(edits === 0 ? 'y = x\n' : `y = x + ${edits}\n`);
  if (edits > 0) await notebook.edit('second01', 'y = x\n');
  return faults;
}

/** Waits for a question of the job and returns its id; null if the job has ended. */
async function question(): Promise<string | null> {
  let request: string | null = null;
  await expect
    .poll(
      async () => {
        const { job } = await status();
        request = job?.confirmation?.request_id ?? null;
        return job === null || request !== null;
      },
      { timeout: 60_000, interval: 10 },
    )
    .toBe(true);
  return request;
}

/** Cells with an incomplete text, and files that differ from the cells of the server. */
async function wrongNow(second: string): Promise<string[]> {
  const { body } = await notebook.get<{ cells: readonly Cell[] }>('/cells');
  const texts = new Map(body.cells.map(({ id, source }) => [id, source]));
  const wrong: string[] = [];
  for (const [id, allowed] of Object.entries(COMPLETE)) {
    const text = texts.get(id) ?? null;
    if (!allowed.includes(text)) wrong.push(`${id} is ${JSON.stringify(text)}`);
  }
  if (texts.get('second01') !== second) wrong.push(`second01 is ${JSON.stringify(texts.get('second01'))}`);
  for (const [id, text] of texts) {
    if (!CELLS.some((cell) => cell.id === id) && text !== MADE) wrong.push(`the new cell is ${text}`);
    const stored = await readFile(join(notebook.path, 'cells', `${id}.py`), 'utf8');
    if (stored !== text) wrong.push(`the file of ${id} is ${JSON.stringify(stored)}`);
  }
  return wrong;
}

/** Undoes the assistant's changes in the undo record, as a window does; skips changes that were not made. */
async function undoAll(): Promise<void> {
  const { body } = await notebook.get<UndoStack>('/x/undo');
  const entries = body.done.filter(({ deed }) => deed === 'assistant');
  for (const { changes } of entries.toReversed()) {
    for (const change of changes.toReversed()) {
      if (!('cellId' in change)) continue;
      const { cellId } = change;
      const cells = (await notebook.get<{ cells: readonly Cell[] }>('/cells')).body.cells;
      const cell = cells.find(({ id }) => id === cellId);
      if (change.kind === 'added' && cell !== undefined) await call('DELETE', `/cells/${cellId}`);
      if (change.kind === 'deleted' && cell === undefined) await call('POST', `/x/cells/${cellId}/restore`);
      if (change.kind === 'source' && cell !== undefined && cell.source === change.after)
        await notebook.edit(cellId, change.before);
    }
  }
  await call('PUT', '/x/undo', { done: [], undone: [], gone: entries.map(({ id }) => id) });
}

/**
 * A server that is killed while it adds a cell may leave the complete file of the cell, which the notebook does not
 * list. Such a file is harmless and is removed here.
 */
async function removeUnlisted(): Promise<void> {
  const listed = await readFile(join(notebook.path, 'notebook.toml'), 'utf8');
  for (const name of await readdir(join(notebook.path, 'cells'))) {
    const path = join(notebook.path, 'cells', name);
    if (!listed.includes(`cells/${name}`) && (await readFile(path, 'utf8')) === MADE) await rm(path);
  }
}

async function status(): Promise<AgentStatus> {
  return (await notebook.get<AgentStatus>('/x/ai/agent')).body;
}

const post = (path: string, body: unknown): Promise<void> => call('POST', path, body);

async function call(method: 'POST' | 'PUT' | 'DELETE', path: string, body?: unknown): Promise<void> {
  const answer = await rest(server.url, method, `/v1/notebooks/${notebook.sid}${path}`, body);
  if (answer.status !== 200)
    throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
}

/** The committed files and their texts; the time of the last change is not restored. */
async function files(dir: string): Promise<Readonly<Record<string, string>>> {
  const names = (await readdir(dir, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(dir.length + 1))
    .filter((name) => !/^\.(svc|venv)\//.test(name))
    .sort();
  return Object.fromEntries(
    await Promise.all(
      names.map(
        async (name) =>
          [
            name,
            (await readFile(join(dir, name), 'utf8')).replace(/^updated_at = .*$/m, 'updated_at'),
          ] as const,
      ),
    ),
  );
}

function shuffled<T>(random: () => number, all: readonly T[]): readonly T[] {
  return all
    .map((one) => [random(), one] as const)
    .sort(([a], [b]) => a - b)
    .map(([, one]) => one);
}

/**
 * Kills a real server repeatedly while a client creates, imports, edits and deletes notebooks: nothing confirmed is
 * lost, and no temporary file is left.
 */

import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SessionStateBody } from '../../src-shared/wire/notebookState.ts';
import { rest } from '../support/rest.ts';
import { pick, seeded } from '../support/seeded.ts';
import { type ServerProcess, startServerProcess } from '../support/serverProcess.ts';

const KILLS = Number(process.env['KILLS'] ?? (process.env['LONG'] === '1' ? 500 : 2));
const SEED = Number(process.env['SEED'] ?? 20_261_125);

let storageDir = '';
beforeAll(async () => {
  storageDir = await mkdtemp(join(tmpdir(), 'cellar-kills-'));
});
afterAll(() => rm(storageDir, { recursive: true, force: true }));

/** What the server has confirmed: the text of the edited cell in each notebook. */
type Known = Map<string, { readonly sid: string; readonly cell: string; text: string }>;

interface World {
  readonly server: ServerProcess;
  readonly random: () => number;
  readonly known: Known;
  /** Returns a new number for a notebook, text or upload. */
  readonly next: () => number;
}

/** One request of the client. `begin` sends it, and records the answer in `known`. */
interface Deed {
  readonly name: string;
  /** The notebook folder that the request changes. */
  readonly path: string;
  readonly begin: () => Promise<unknown>;
}

const KINDS = ['create', 'import', 'edit', 'edit', 'edit', 'delete', 'reopen'] as const;

/** The maximum number of notebooks, because a server with too many open ones closes the least recently used. */
const MOST = 12;

function deedOf({ server, random, known, next }: World): Deed {
  const kind = kindOf(random, known.size);
  const v1 = '/v1/notebooks';
  if (kind === 'create' || kind === 'import') {
    const name = `${kind}${next()}`;
    const path = join(storageDir, name);
    const begin = async (): Promise<void> => {
      const { status, body } =
        kind === 'create'
          ? await rest<SessionStateBody>(server.url, 'POST', `${v1}/create`, {
              name,
              parent_path: storageDir,
              starter_cell: true,
            })
          : await rest<SessionStateBody>(server.url, 'POST', `${v1}/import`, jupyterForm(name));
      expect(status, JSON.stringify(body)).toBe(200);
      const cell = body.cells[0];
      if (cell === undefined) throw new Error(`${name} has no cell`);
      known.set(path, { sid: body.session_id, cell: cell.id, text: cell.source });
    };
    return { name: kind, path, begin };
  }
  const path = pick(random, [...known.keys()]);
  const at = known.get(path);
  if (at === undefined) throw new Error('it was picked from them');
  if (kind === 'edit') {
    const text = `x = ${next()}\n`;
    const begin = async (): Promise<void> => {
      const { status } = await rest(server.url, 'PUT', `${v1}/${at.sid}/cells/${at.cell}`, { source: text });
      expect(status).toBe(200);
      at.text = text;
    };
    return { name: text, path, begin };
  }
  if (kind === 'delete') {
    const begin = async (): Promise<void> => {
      const { status } = await rest(server.url, 'POST', `${v1}/delete-by-path`, { path });
      // 409 if the environment of the notebook is still being created.
      expect([200, 409]).toContain(status);
      if (status === 200) known.delete(path);
    };
    return { name: kind, path, begin };
  }
  const begin = async (): Promise<void> => {
    const { status, body } = await rest<SessionStateBody>(server.url, 'POST', `${v1}/open`, { path });
    expect(status).toBe(200);
    known.set(path, { ...at, sid: body.session_id });
  };
  return { name: kind, path, begin };
}

function kindOf(random: () => number, notebooks: number): (typeof KINDS)[number] {
  if (notebooks === 0) return pick(random, ['create', 'import'] as const);
  return notebooks > MOST ? 'delete' : pick(random, KINDS);
}

function jupyterForm(name: string): FormData {
  const cell = {
    cell_type: 'code',
    id: 'a',
    metadata: {},
    outputs: [],
    execution_count: null,
    source: 'x = 1',
  };
  const form = new FormData();
  const notebook = JSON.stringify({ nbformat: 4, nbformat_minor: 5, metadata: {}, cells: [cell] });
  form.set('file', new Blob([notebook]), `${name}.ipynb`);
  form.set('name', name);
  form.set('parent_path', storageDir);
  return form;
}

/** Temporary names that a killed server must not leave anywhere. */
const LITTER = /^\.svc-(upload|new|tmp|deleted)-|^writer\.lock[-.]/;

async function litterIn(dir: string): Promise<string[]> {
  const entries = await readdir(dir, { recursive: true });
  return entries.filter((entry) => LITTER.test(entry.split('/').at(-1) ?? '') && !entry.includes('.venv/'));
}

/** Opens the known notebooks and compares them with what was confirmed. @param doubtful requests without an answer */
async function check({ server, known }: World, doubtful: readonly Deed[]): Promise<void> {
  for (const [path, at] of [...known]) {
    const unanswered = doubtful.filter((deed) => deed.path === path);
    if (unanswered.some(({ name }) => name === 'delete') && !existsSync(join(path, 'notebook.toml'))) {
      known.delete(path);
      continue;
    }
    const { status, body } = await rest<SessionStateBody>(server.url, 'POST', '/v1/notebooks/open', { path });
    expect(status, `${path}: ${JSON.stringify(body)}`).toBe(200);
    const text = body.cells.find(({ id }) => id === at.cell)?.source;
    expect([at.text, ...unanswered.map(({ name }) => name)].map((one) => one.trimEnd())).toContain(
      text?.trimEnd(),
    );
    const file = body.cells.length > 0 ? await readFile(join(path, 'cells', `${at.cell}.py`), 'utf8') : '';
    expect(file.trimEnd()).toBe(text?.trimEnd());
    known.set(path, { sid: body.session_id, cell: at.cell, text: text ?? '' });
  }
  // Notebooks that were created without a confirmation.
  for (const { path } of doubtful) {
    if (known.has(path) || !existsSync(join(path, 'notebook.toml'))) continue;
    const { status, body } = await rest<SessionStateBody>(server.url, 'POST', '/v1/notebooks/open', { path });
    expect(status, `${path}: ${JSON.stringify(body)}`).toBe(200);
    const cell = body.cells[0];
    if (cell !== undefined) known.set(path, { sid: body.session_id, cell: cell.id, text: cell.source });
  }
  await expect.poll(() => litterIn(storageDir)).toEqual([]);
}

describe('kill -9 while notebooks are opened, imported, edited and deleted', () => {
  it(`[SG-45] ${KILLS} kills, seed ${SEED}: nothing confirmed is lost, and no temporary file is left`, {
    timeout: 60_000 + KILLS * 30_000,
  }, async () => {
    const random = seeded(SEED);
    const known: Known = new Map();
    let count = 0;
    let doubtful: Deed[] = [];
    for (let kill = 0; kill <= KILLS; kill += 1) {
      const server = await startServerProcess({ storageDir });
      const world: World = { server, random, known, next: () => ++count };
      await check(world, doubtful);
      for (let n = Math.floor(random() * 4); n > 0; n -= 1) await deedOf(world).begin();
      // Several requests at the same time, so that the kill interrupts some of them.
      const deeds = new Map<string, Deed>();
      for (let n = 0; n < 4; n += 1) {
        const deed = deedOf(world);
        if (!deeds.has(deed.path)) deeds.set(deed.path, deed);
      }
      const first = [...deeds.values()].map(async (deed) => {
        await deed.begin().catch((error: unknown) => {
          // The connection broke, so whether the server executed the request is unknown.
          if (!(error instanceof TypeError)) throw error;
          doubtful.push(deed);
        });
      });
      doubtful = [];
      await Promise.race(first);
      await server.stop('SIGKILL');
      await Promise.all(first);
    }
    const last = await startServerProcess({ storageDir });
    await check({ server: last, random, known, next: () => 0 }, doubtful);
    await last.stop();
  });
});

/**
 * Notebook folders of the soundness tests, reused for one notebook after another because creating an environment takes
 * longer than a row. The tests use the open notebook over REST and a socket.
 */

import { execFileSync } from 'node:child_process';
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { installedDigest, readMarker, writeMarker } from '../../../src-main/environment/venv/venv.ts';
import type { Cell } from '../../../src-shared/wire/cell.ts';
import type { ExecutionResult } from '../../../src-shared/wire/execution.ts';
import type { StoredVariable } from '../../../src-shared/wire/routes/extensions.ts';
import { connectLive, type LiveClient } from '../../support/liveClient.ts';
import { writeNotebook } from '../../support/notebookFolder.ts';
import { closeWhenSettled, openReady, rest } from '../../support/rest.ts';
import type { Shown } from './judge.ts';

/** Files that are not deleted before the next notebook is written. */
const KEPT = new Set(['.venv', 'uv.lock', 'pyproject.toml']);
const RUN_TIMEOUT_MS = 60_000;

export interface NotebookText {
  readonly cells: readonly string[];
  readonly files?: Readonly<Record<string, string>>;
  readonly toml?: string;
}

export const cellId = (index: number): string => `cell${index}`;

/** A reused folder, whose environment has the packages of the test interpreter. */
export interface Slot {
  readonly dir: string;
  begin(notebook: NotebookText): Promise<Session>;
  /** Opens the notebook in the folder on the current server. */
  open(): Promise<Session>;
}

/** An open notebook of a slot, with the messages about its cells so far. */
export interface Session {
  readonly dir: string;
  call(method: 'GET' | 'POST' | 'PUT', path: string, body?: unknown): Promise<unknown>;
  /** Runs a cell; null if it did not end in time. */
  execute(cell: number, mode?: 'normal' | 'rerun' | 'force'): Promise<ExecutionResult | null>;
  edit(cell: number, source: string): Promise<void>;
  shown(): Promise<Shown>;
  close(): Promise<void>;
  reopened(): Promise<Session>;
}

function packagesOfTests(): { readonly folder: string; readonly version: string } {
  const python = process.env['CELLAR_TEST_PYTHON'] ?? 'python3';
  const ask =
    'import sys, sysconfig; print(sysconfig.get_path("purelib")); print("%d.%d" % sys.version_info[:2])';
  const [folder = '', version = ''] = execFileSync(python, ['-c', ask], { encoding: 'utf8' }).split('\n');
  return { folder, version };
}

/** Adds the packages of `folder` to an environment and its marker, so that no sync removes them. */
async function lendPackages(venv: string, folder: string, version: string): Promise<void> {
  const marker = await readMarker(venv);
  if (marker === null) throw new Error(`${venv} was not made by a sync`);
  await writeFile(join(venv, 'lib', `python${version}`, 'site-packages/lent.pth'), `${folder}\n`);
  await writeMarker(venv, { ...marker, installed: await installedDigest(venv) });
}

/** @param url the server's URL; read each time, as a restarted server has another one */
export async function makeSlot(url: () => string, dir: string): Promise<Slot> {
  const { folder, version } = packagesOfTests();
  await writeNotebook(dir, { cells: [], requiresPython: `==${version}.*` });
  await closeWhenSettled(url(), (await openReady(url(), dir)).session_id);
  await lendPackages(join(dir, '.venv'), folder, version);
  const { environment, session_id } = await openReady(url(), dir);
  if (environment.interpreter_source !== 'venv')
    throw new Error(`the notebook has no environment: ${environment.sync_error}`);
  await closeWhenSettled(url(), session_id);
  return {
    dir,
    async begin({ cells, files = {}, toml }) {
      for (const name of await readdir(dir))
        if (!KEPT.has(name)) await rm(join(dir, name), { recursive: true, force: true });
      for (const [path, text] of Object.entries(files)) await putFile(dir, path, text);
      const texts = cells.map((source, index) => ({ id: cellId(index), source }));
      await writeNotebook(dir, {
        cells: texts,
        requiresPython: `==${version}.*`,
        notebookId: `nb${crypto.randomUUID()}`,
        ...(toml === undefined ? {} : { toml }),
      });
      return open(url, dir);
    },
    open: () => open(url, dir),
  };
}

export async function putFile(dir: string, path: string, text: string): Promise<void> {
  await mkdir(dirname(join(dir, path)), { recursive: true });
  await writeFile(join(dir, path), text);
}

async function open(url: () => string, dir: string): Promise<Session> {
  const { session_id: sid } = await openReady(url(), dir);
  const base = `/v1/notebooks/${sid}`;
  const live = await connectLive(url(), sid, '?extensions=1');
  const warned = new Map<string, readonly string[]>();
  let read = 0;
  const call: Session['call'] = async (method, path, body) => {
    const { status, body: answer } = await rest(url(), method, `${base}${path}`, body);
    if (status !== 200) throw new Error(`${method} ${path} answered ${status}: ${JSON.stringify(answer)}`);
    return answer;
  };
  return {
    dir,
    call,
    async execute(cell, mode = 'normal') {
      const path = `${url()}${base}/cells/${cellId(cell)}/execute?mode=${mode}`;
      try {
        const response = await fetch(path, { method: 'POST', signal: AbortSignal.timeout(RUN_TIMEOUT_MS) });
        if (response.status !== 200)
          throw new Error(`execute answered ${response.status}: ${await response.text()}`);
        return (await response.json()) as ExecutionResult;
      } catch (error) {
        if (!(error instanceof DOMException && error.name === 'TimeoutError')) throw error;
        await call('POST', `/cells/${cellId(cell)}/cancel`);
        return null;
      }
    },
    async edit(cell, source) {
      // `force`, because another program may have just changed the file.
      await call('PUT', `/cells/${cellId(cell)}`, { source, force: true });
      warned.delete(cellId(cell));
    },
    async shown() {
      const since = live.mark();
      live.send('notebook_sync', {});
      await live.next('notebook_state', { since });
      read = collectWarnings(live, read, warned);
      const { cells } = named((await call('GET', '/cells')) as { cells: Cell[] }, dir);
      const { variables } = named(
        (await call('GET', '/x/variables')) as { variables: StoredVariable[] },
        dir,
      );
      return {
        cells,
        variables,
        messages: new Map(cells.map((cell) => [cell.id, messagesOf(cell, warned)])),
      };
    },
    async close() {
      await live.close();
      await closeWhenSettled(url(), sid);
    },
    async reopened() {
      await live.close();
      await closeWhenSettled(url(), sid);
      return open(url, dir);
    },
  };
}

/** Replaces the notebook's folder with `<dir>`, because the plain interpreter runs in another folder. */
function named<T>(answer: T, dir: string): T {
  return JSON.parse(JSON.stringify(answer).replaceAll(dir, '<dir>')) as T;
}

/** Collects the warnings of the last run of each cell; a hit without warnings does not clear the earlier ones. */
function collectWarnings(live: LiveClient, from: number, warned: Map<string, readonly string[]>): number {
  for (const frame of live.frames.slice(from)) {
    if (frame.type !== 'cell_output') continue;
    const { cell_id, cache_hit, mutation_warnings } = frame.payload;
    const warnings = mutation_warnings.map(({ message }) => `warning: ${message}`);
    if (!cache_hit || warnings.length > 0) warned.set(cell_id, warnings);
  }
  return live.mark();
}

/** Messages about a cell that can explain a difference from plain Python. */
function messagesOf(cell: Cell, warned: ReadonlyMap<string, readonly string[]>): readonly string[] {
  return [
    ...(warned.get(cell.id) ?? []),
    ...(cell.mutation_warnings ?? []).map(({ message }) => `warning: ${message}`),
    ...cell.annotation_diagnostics.map(({ code, message }) => `${code}: ${message}`),
    ...(cell.file_problem === undefined ? [] : [cell.file_problem]),
    ...(cell.error === null ? [] : [cell.error]),
  ];
}

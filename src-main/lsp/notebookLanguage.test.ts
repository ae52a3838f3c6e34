import { spawn } from 'node:child_process';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import type { LanguageQuestion } from '../../src-shared/wire/routes/language.ts';
import { notebookFolder } from '../notebook/folder/notebookFolder.ts';
import type { NotebookText, StoredValue } from './document/notebookText.ts';
import { createNotebookLanguage, type LanguageView, type NotebookLanguage } from './notebookLanguage.ts';
import type { StartProgram } from './server/running.ts';
import { RequestDropped } from './wire/lspClient.ts';

const STAND_IN = fileURLToPath(new URL('./server/testing/standInServer.ts', import.meta.url));
const TABLE: StoredValue = {
  name: 'df',
  cellId: 'a',
  contentType: 'arrow/ipc',
  rows: 1_200,
  byteSize: 9,
  uri: 'svc://x',
  columns: [
    { name: 'city', type: 'string' },
    { name: 'two words', type: 'int64' },
  ],
};
const DICTIONARY: StoredValue = { ...TABLE, name: 'd', contentType: 'json/object', columns: null };
const NOTEBOOK: NotebookText = {
  cells: ['a', 'c'].map((id) => ({
    id,
    language: 'python',
    source: '',
    references: [],
    isSetup: false,
    active: true,
    defines: id === 'a' ? ['df', 'd'] : [],
  })),
  upstream: new Map(),
  downstream: new Map(),
  wiring: new Map(),
  bundled: new Map(),
  values: [TABLE, DICTIONARY],
};

const serverInput = (key: string) => ({ python: 'python', key, modules: new Map<string, string>() });

const open: NotebookLanguage[] = [];
afterEach(() => {
  for (const one of open.splice(0)) one.close();
});

interface World {
  readonly language: NotebookLanguage;
  readonly started: () => number;
  readonly log: string[];
  view: LanguageView;
}

function world(env: NodeJS.ProcessEnv = {}): World {
  let started = 0;
  const log: string[] = [];
  const start: StartProgram = () => {
    started += 1;
    return spawn(process.execPath, [STAND_IN], {
      env: { ...process.env, ...env },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
  };
  const made: World = {
    started: () => started,
    log,
    view: { notebook: NOTEBOOK, serverInput: serverInput('1'), words: null },
    language: createNotebookLanguage({
      dir: notebookFolder(tmpdir()),
      view: () => made.view,
      readValue: async () => '{"first": 1, "it\'s": [2]}',
      tools: async () => ({ kind: 'found', ty: '', stubs: '' }),
      start,
      ruff: { ask: async () => [], close: async () => undefined },
      log: (words) => log.push(words),
      patienceMs: 60_000,
    }),
  };
  open.push(made.language);
  return made;
}

const WANTED = new AbortController().signal;

function complete(source: string): LanguageQuestion {
  return { ask: 'complete', source, position: { line: 0, character: source.length } };
}

async function labels({ language }: World, source: string): Promise<string> {
  const { items = [] } = await language.ask('c', complete(source), WANTED);
  return items.map(({ label }) => label).join(' ');
}

describe('a language server behind a notebook', () => {
  it('[LS-1] is started once, at the first question, and only for Python cells', async () => {
    const all = world();
    expect(all.started()).toBe(0);
    expect(await Promise.all([labels(all, 'x'), labels(all, 'y')])).toEqual(['x', 'y']);
    expect(await labels(all, 'z')).toBe('z');
    expect(all.started()).toBe(1);
    const sql = NOTEBOOK.cells.map((cell) => ({ ...cell, language: 'sql' as const }));
    const other = world();
    other.view = { ...other.view, notebook: { ...NOTEBOOK, cells: sql } };
    expect(await other.language.ask('c', complete('x'), WANTED)).toEqual({ state: 'ready', words: null });
    expect(other.started()).toBe(0);
  });

  it('[LS-1] is not started if nothing may run; values of the last run are still returned', async () => {
    const all = world();
    all.view = { ...all.view, serverInput: null, words: 'not trusted' };
    const answer = await all.language.ask('c', complete('df["'), WANTED);
    expect([answer.state, answer.words, answer.items?.map(({ label }) => label)]).toEqual([
      'off',
      'not trusted',
      ['city', 'two words'],
    ]);
    expect(all.started()).toBe(0);
  });

  it('[LS-1] is reported as starting while the environment is still being created', async () => {
    const all = world();
    all.view = { ...all.view, serverInput: null, words: null };
    const { state, words } = await all.language.ask('c', complete('x'), WANTED);
    expect([state, words, all.log, all.started()]).toEqual(['starting', null, [], 0]);
  });

  it('[LS-4] a server that ended is replaced by another, without an error', async () => {
    const all = world();
    expect(await labels(all, 'x')).toBe('x');
    const { pid } = all.language;
    if (pid === null) throw new Error('a process is expected');
    process.kill(pid, 'SIGKILL');
    expect(await labels(all, 'y')).toBe('y');
    expect(all.started()).toBe(2);
  });

  it('[LS-4] if texts end the server three times, it is not started again', async () => {
    const all = world();
    expect((await all.language.ask('c', complete('crash'), WANTED)).state).toBe('starting');
    expect((await all.language.ask('c', complete('garbage'), WANTED)).state).not.toBe('ready');
    const { state, words } = await all.language.ask('c', complete('x'), WANTED);
    expect([state, words]).toEqual(['off', expect.stringContaining('several times')]);
    expect(all.started()).toBe(3);
    expect(all.log.filter((line) => line.includes('ended:'))).toHaveLength(3);
  });

  it('[LS-4] a server that never starts is turned off, with the reason', async () => {
    const all = world({ STAND_IN: 'broken' });
    expect((await all.language.ask('c', complete('x'), WANTED)).state).toBe('off');
    expect(all.started()).toBe(3);
  });

  it('[LS-4] a question that no caller waits for is dropped, and its late answer is discarded', async () => {
    const all = world();
    await labels(all, 'x');
    const leaving = new AbortController();
    const pending = expect(all.language.ask('c', complete('hold'), leaving.signal)).rejects.toBeInstanceOf(
      RequestDropped,
    );
    // Once this one is answered, the one before it has arrived.
    await all.language.ask(
      'c',
      { ask: 'signature', source: 'hold', position: { line: 0, character: 0 } },
      WANTED,
    );
    leaving.abort();
    await pending;
    expect(await labels(all, 'a')).toBe('a');
    const [last] = (await all.language.ask('c', complete('b'), WANTED)).items ?? [];
    expect([last?.label, last?.detail]).toEqual(['b', 'cancelled 1']);
  });

  it('[LS-11] a change of the environment starts another server, and closing ends it', async () => {
    const all = world();
    await labels(all, 'x');
    all.view = { ...all.view, serverInput: serverInput('2') };
    expect(await labels(all, 'y')).toBe('y');
    expect(all.started()).toBe(2);
    all.language.close();
    expect(all.language.pid).toBeNull();
    expect((await all.language.ask('c', complete('x'), WANTED)).state).toBe('off');
    expect(all.started()).toBe(2);
  });

  it('[LS-11] a change while a server starts leaves one server, for the new environment', async () => {
    const all = world();
    const before = all.language.ask('c', complete('x'), WANTED);
    await expect.poll(all.started).toBe(1);
    all.view = { ...all.view, serverInput: serverInput('2') };
    expect(await labels(all, 'y')).toBe('y');
    const { pid } = all.language;
    await before;
    expect(all.language.pid).toBe(pid);
    expect(await labels(all, 'z')).toBe('z');
    expect(all.started()).toBe(2);
  });

  it('[LS-11] a request pending while the environment changes is sent to the new server', async () => {
    const all = world();
    await labels(all, 'x');
    const pending = labels(all, 'hold');
    await new Promise((resolve) => setImmediate(resolve));
    all.view = { ...all.view, serverInput: serverInput('2') };
    expect(await labels(all, 'y')).toBe('y');
    // The second request after the restart lets the server answer the one that it holds.
    expect(await labels(all, 'z')).toBe('z');
    expect(await pending).toBe('hold');
    expect(all.started()).toBe(2);
  });

  it('[LS-3] it reads the current text after every change', async () => {
    const all = world();
    for (const source of ['one', 'one\ntwo', '', 'three\r\nfour']) {
      await all.language.ask('c', complete(source), WANTED);
      const question = { ask: 'complete', source, position: { line: 0, character: 0 } } as const;
      const { items = [] } = await all.language.ask('c', question, WANTED);
      const item = items[0]?.item;
      const read = await all.language.ask('c', { ask: 'document', item: item ?? '' }, WANTED);
      expect(read.markdown?.endsWith(`${source}\n`)).toBe(true);
    }
  });
});

describe('the names and values of the last run', () => {
  it.each([
    ['columns as attributes', 'df.', 'city df.'],
    ['columns as keys', 'df["', 'city|two words'],
    ['keys of a dictionary', "d['", "first|it's"],
    ['no keys as attributes', 'd.', 'd.'],
    ['nothing for names without a value', 'nothing["', ''],
  ])('[LS-5] %s', async (_what, source, wanted) => {
    const { items = [] } = await world().language.ask('c', complete(source), WANTED);
    expect(items.map(({ label }) => label).join(wanted.includes('|') ? '|' : ' ')).toBe(wanted);
  });

  it('[LS-5] are spelled as Python needs them', async () => {
    const all = world();
    const inserted = async (source: string) =>
      (await all.language.ask('c', complete(source), WANTED)).items?.map(({ insert }) => insert);
    expect(await inserted("d['")).toEqual(['first', "it\\'s"]);
    expect((await inserted('df['))?.slice(0, 2)).toEqual(['"city"', '"two words"']);
  });

  it('[LS-6] a hover shows the value', async () => {
    const hover = (source: string) =>
      world().language.ask('c', { ask: 'hover', source, position: { line: 0, character: 1 } }, WANTED);
    expect((await hover('df')).value).toContain('1,200 rows × 2 columns');
    expect((await hover('df')).value).toContain('`two words: int64`');
    expect((await hover('d')).value).toContain('"first": 1');
    expect((await hover('q')).value).toBeNull();
  });
});

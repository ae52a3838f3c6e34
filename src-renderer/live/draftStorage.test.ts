import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { fakeBody, fakeCell } from '../../e2e/support/fakeServerNotebook.ts';
import type { StoredSourceDraft } from '../../src-shared/wire/sourceDraft.ts';
import { applyFrame } from '../state/applyFrame.ts';
import type { Draft } from '../state/drafts.ts';
import { emptyNotebook } from '../state/notebookModel.ts';
import { createNotebookStore } from '../state/notebookStore.ts';
import type { Orphan } from '../state/orphans.ts';
import { DraftStorage } from './draftStorage.ts';
import { Edits, type SessionPort } from './edits.ts';

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('document', { baseURI: 'http://127.0.0.1/' });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const refused = (text: string): Draft => ({ text, base: 'a = 1', state: 'refused', sent: [], reason: null });

/** A window on the cell `a`, with a server that stores these drafts; `down`: the server cannot be reached. */
function window(kept: StoredSourceDraft[] = []) {
  const store = createNotebookStore({ sessionId: 's', path: null });
  const dag = { edges: [], topological_order: [], leaves: [], roots: [], variable_producer: {} };
  const payload = { ...fakeBody({ name: 'n', cells: [fakeCell({ id: 'a', source: 'a = 9' })] }), dag };
  const state = { type: 'notebook_state', payload, seq: 1, ts: '2026-01-01T00:00:00Z' } as const;
  store.setState({ model: applyFrame(emptyNotebook, state), link: { kind: 'live' } });
  const server = { kept, down: false, breaksOff: false };
  vi.stubGlobal('fetch', async (url: URL, init: RequestInit) => {
    if (server.down) throw new TypeError('no network');
    if (server.breaksOff) return new Response('{"cell_');
    if (init.method === 'GET') return Response.json({ drafts: server.kept, problem: null });
    const cell_id = /cells\/([^/]+)\/draft/.exec(url.pathname)?.[1] ?? '';
    // The request body, which the module under test wrote.
    const { window: of, draft } = JSON.parse(String(init.body)) as {
      window: string;
      draft: Omit<StoredSourceDraft, 'cell_id' | 'window'> | null;
    };
    const others = server.kept.filter((one) => one.cell_id !== cell_id || one.window !== of);
    server.kept = draft === null ? others : [...others, { cell_id, window: of, ...draft }];
    return Response.json({ cell_id, kept: draft !== null });
  });
  const port: SessionPort = {
    view: store.getState,
    set: store.setState,
    send: () => true,
    synced: () => true,
    typed: () => undefined,
  };
  const edits = new Edits(port);
  const orphanTexts: Orphan[] = [];
  const drafts = new DraftStorage(port, {
    offer: (id, draft) => edits.offer(id, draft),
    recreate: (text) => {
      orphanTexts.push(text);
      store.setState({ orphanTexts: [{ ...text, state: 'placing' }] });
    },
    say: () => undefined,
  });
  store.subscribe(() => drafts.follow());
  const texts = (): readonly string[] => server.kept.map(({ text }) => text);
  return { store, edits, drafts, server, texts, orphanTexts };
}

const soon = () => vi.advanceTimersByTimeAsync(1_000);

const OLD: StoredSourceDraft = {
  cell_id: 'a',
  window: 'old',
  text: 'a = 77',
  base: 'a = 1',
  name: 'a',
  language: 'python',
};

test('[ED-71] stores a text that waits for a choice at every change, until it is settled', async () => {
  const { store, edits, texts } = window();
  store.setState({ drafts: { a: { ...refused('a = 7'), state: 'typed' } } });
  await soon();
  expect(texts()).toEqual([]);
  store.setState({ drafts: { a: refused('a = 7') } });
  store.setState({ drafts: { a: refused('a = 77') } });
  await soon();
  expect(texts()).toEqual(['a = 77']);
  // While it is being sent it may be refused again.
  edits.keepMine('a');
  await soon();
  expect(texts()).toEqual(['a = 77']);
  store.setState({ drafts: {} });
  await soon();
  expect(texts()).toEqual([]);
});

test('[ED-71] the next window shows it again, and removes it when the other text is chosen', async () => {
  const { store, edits, drafts, texts } = window([{ ...OLD, window: 'older', text: 'a = 7' }, OLD]);
  drafts.goOn();
  await soon();
  expect(store.getState().drafts['a']).toMatchObject({ text: 'a = 77', base: 'a = 1', state: 'refused' });
  edits.type('a', 'a = 777');
  await soon();
  expect(texts()).toEqual(['a = 7', 'a = 777']);
  edits.takeTheirs('a');
  await soon();
  // The draft of another window is offered the next time.
  expect(texts()).toEqual(['a = 7']);
});

test('[ED-71] does not show one that was settled or overwritten by typing in between', async () => {
  const same = window([{ ...OLD, text: 'a = 9' }]);
  same.drafts.goOn();
  await soon();
  expect(same.store.getState().drafts).toEqual({});
  expect(same.texts()).toEqual([]);
  const typed = window([OLD]);
  typed.store.setState({ drafts: { a: { ...refused('new'), state: 'typed' } } });
  typed.drafts.goOn();
  await soon();
  expect(typed.store.getState().drafts['a']?.text).toBe('new');
  expect(typed.texts()).toEqual(['a = 77']);
});

test('[ED-71] moves a draft of a deleted cell into a new cell, and stores it until then', async () => {
  const { store, drafts, texts, orphanTexts } = window([{ ...OLD, cell_id: 'gone', name: 'g' }]);
  drafts.goOn();
  await soon();
  expect(orphanTexts).toEqual([
    { cellId: 'gone', name: 'g', language: 'python', source: 'a = 77', afterId: 'a' },
  ]);
  expect(texts()).toEqual(['a = 77']);
  store.setState({ orphanTexts: [] });
  await soon();
  expect(texts()).toEqual([]);
});

test('[ED-71] does not offer again what was settled while offline', async () => {
  const { edits, drafts, server, texts } = window([OLD]);
  drafts.goOn();
  await soon();
  server.down = true;
  edits.takeTheirs('a');
  await soon();
  expect(texts()).toEqual(['a = 77']);
  server.down = false;
  drafts.goOn();
  await soon();
  expect(texts()).toEqual([]);
});

test('[ED-71] after a failed request the text is stored at the next key press', async () => {
  const { store, server, texts } = window();
  server.breaksOff = true;
  store.setState({ drafts: { a: refused('a = 7') } });
  await soon();
  server.breaksOff = false;
  store.setState({ drafts: { a: refused('a = 77') } });
  await soon();
  expect(texts()).toEqual(['a = 77']);
});

test('[ED-71] leaving the page asks for confirmation only if text would be lost', async () => {
  const { store, drafts, texts, server } = window();
  expect(drafts.leaving()).toBe(false);
  store.setState({ drafts: { a: refused('a = 77') } });
  expect(drafts.leaving()).toBe(false);
  await soon();
  expect(texts()).toEqual(['a = 77']);
  // Longer than a request that continues after its page is closed may be, so the page asks until it has
  // arrived.
  store.setState({ drafts: { a: refused('x'.repeat(50_000)) } });
  expect(drafts.leaving()).toBe(true);
  await soon();
  expect(drafts.leaving()).toBe(false);
  server.down = true;
  store.setState({ drafts: { a: refused('a = 8') }, link: { kind: 'lost', retryAtMs: 0 } });
  expect(drafts.leaving()).toBe(true);
});

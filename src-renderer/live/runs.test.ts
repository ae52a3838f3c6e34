import { expect, test } from 'vitest';
import { fakeBody, fakeCell } from '../../e2e/support/fakeServerNotebook.ts';
import { applyFrame } from '../state/applyFrame.ts';
import type { Draft } from '../state/drafts.ts';
import { emptyNotebook } from '../state/notebookModel.ts';
import { createNotebookStore } from '../state/notebookStore.ts';
import { Edits, type SessionPort } from './edits.ts';
import { Runs } from './runs.ts';

const REFUSED: Draft = { text: 'mine', base: '', state: 'refused', sent: [], reason: null };

/** Runs of a window on the cells `a`, `b` and `c`, of which `b` shows this draft; answers what goes out and is said. */
function window(b: Draft | null = REFUSED) {
  const store = createNotebookStore({ sessionId: 's', path: null });
  const dag = { edges: [], topological_order: [], leaves: [], roots: [], variable_producer: {} };
  const cells = ['a', 'b', 'c'].map((id) => fakeCell({ id, source: `${id} = 1`, defines: [id] }));
  const payload = { ...fakeBody({ name: 'n', cells }), dag };
  const state = { type: 'notebook_state', payload, seq: 1, ts: '2026-01-01T00:00:00Z' } as const;
  store.setState({
    model: applyFrame(emptyNotebook, state),
    link: { kind: 'live' },
    drafts: b === null ? {} : { b },
  });
  const sent: string[] = [];
  const led: string[] = [];
  const warned: string[] = [];
  const port: SessionPort = {
    view: store.getState,
    set: store.setState,
    send: ({ type, payload: of }) => sent.push('cell_id' in of ? `${type} ${of.cell_id}` : type) > 0,
    synced: () => true,
    typed: () => undefined,
  };
  const edits = new Edits(port);
  const hooks = { decide: (id: string) => led.push(id), warn: (words: string) => warned.push(words) };
  return { store, sent, led, warned, runs: new Runs(port, edits, hooks) };
}

/** A question whether these cells may run too. */
function asks(runs: ReturnType<typeof window>, target: string, others: readonly string[]): void {
  const { model } = runs.store.getState();
  const step = { skip: false, reason: 'stale', estimated_ms: 0 } as const;
  const cells_to_run = [...others, target];
  const steps = cells_to_run.map((cell_id) => ({ ...step, cell_id, cell_name: cell_id }));
  const prompt = { cell_id: target, plan_id: 'p', cells_to_run, steps, estimated_duration_ms: 0 };
  runs.store.setState({ model: { ...model, prompt } });
}

test.each<[string, (runs: Runs, at: ReturnType<typeof window>) => unknown, readonly string[]]>([
  ['a run', (runs) => runs.run('b'), []],
  ['a run without the cache', (runs) => runs.rerun('b'), []],
  ['a run of it alone', (runs) => runs.runForced('b'), []],
  ['a run of several', (runs) => runs.runCells(['a', 'b']), []],
  ['a run of all', (runs) => runs.runAll({ rerun: false }), []],
  ['a run of what is stale', (runs) => runs.runStale(), []],
  [
    'a cascade',
    (runs, at) => {
      asks(at, 'c', ['b']);
      runs.confirmCascade();
    },
    [],
  ],
])('[ED-70] a person who asks for %s is led to the text that waits for them', (_name, ask, expected) => {
  const at = window();
  ask(at.runs, at);
  expect(at.sent).toEqual(expected);
  expect(at.led).toEqual(['b']);
  expect(at.store.getState()).toMatchObject({ asked: {}, waiting: [], model: { prompt: null } });
});

test('[ED-70] cells beside it run, and it runs once it is decided', () => {
  const { runs, sent, led, store } = window();
  expect(runs.run('a')).toBe(true);
  expect(runs.run('b')).toBe(false);
  store.setState({ drafts: {} });
  expect(runs.run('b')).toBe(true);
  expect(sent).toEqual(['cell_execute a', 'cell_execute b']);
  expect(led).toEqual(['b']);
});

test('[ED-70] a text that proves too long as it goes out does not run as the saved one', () => {
  const { runs, sent, led } = window({ ...REFUSED, text: 'x'.repeat(1_000_001), state: 'typed' });
  expect(runs.run('b')).toBe(false);
  expect(sent).toEqual([]);
  expect(led).toEqual(['b']);
});

test('[ED-70] a run that waited its turn is left out with words, and nobody is taken from where they are', () => {
  const { runs, sent, led, warned, store } = window(null);
  runs.runCells(['a', 'b', 'c']);
  store.setState({ drafts: { b: REFUSED }, asked: {} });
  runs.goOn();
  expect(sent).toEqual(['cell_execute a', 'cell_execute c']);
  expect(led).toEqual([]);
  expect(warned).toEqual([expect.stringContaining('b was not run')]);
  store.setState({ asked: {}, waiting: [{ kind: 'all', rerun: false }] });
  runs.goOn();
  expect(sent).toHaveLength(2);
  expect(warned).toHaveLength(2);
});

import { expect, test } from 'vitest';
import { fakeBody, fakeCell } from '../../e2e/support/fakeServerNotebook.ts';
import { AUTO_RUN_OFF } from '../../src-shared/wire/autoRun.ts';
import type { ClientFrame } from '../../src-shared/wire/frames/client.ts';
import { applyFrame } from '../state/applyFrame.ts';
import type { Draft } from '../state/drafts.ts';
import { emptyNotebook } from '../state/notebookModel.ts';
import { createNotebookStore } from '../state/notebookStore.ts';
import { setRunsAbove } from '../state/runAbove.ts';
import { Edits, type SessionPort } from './edits.ts';
import { Runs } from './runs.ts';

const REFUSED: Draft = { text: 'mine', base: '', state: 'refused', sent: [], reason: null };

/** A frame in one line: its type and what it is about. */
function sentLine({ type, payload }: ClientFrame): string {
  if (type === 'run_queue_add') {
    const { cell_ids, agreed, mode, if_stale, after_job } = payload;
    const more = [mode === 'normal' ? '' : mode, if_stale ? 'stale' : '', after_job ?? ''].filter(Boolean);
    return [type, cell_ids, ...(agreed.length === 0 ? [] : ['agreed', agreed]), ...more].join(' ');
  }
  if (type === 'run_queue_remove') return [type, payload.ids ?? 'all'].join(' ');
  return 'cell_id' in payload ? `${type} ${payload.cell_id}` : type;
}

/** A window's runs on the cells `a`, `b` and `c`, where `b` has this draft; returns the frames sent and the warnings. */
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
  const focused: string[] = [];
  const warned: string[] = [];
  const port: SessionPort = {
    view: store.getState,
    set: store.setState,
    send: (frame) => sent.push(sentLine(frame)) > 0,
    synced: () => true,
    typed: () => undefined,
  };
  const edits = new Edits(port);
  const hooks = { decide: (id: string) => focused.push(id), warn: (words: string) => warned.push(words) };
  return { store, sent, led: focused, warned, runs: new Runs(port, edits, hooks) };
}

test.each([
  ['prompts first', false, undefined],
  ['runs them immediately if the person chose so', true, 'run_queue_add c agreed b,c'],
])('[WI-311] a run that needs other cells %s', (_name, on, expected) => {
  const at = window(null);
  at.store.setState({ path: '/chosen' });
  setRunsAbove('/chosen', on);
  asks(at, 'c', ['b']);
  at.runs.heard([{ type: 'cascade_prompt', payload: {} as never, seq: 1, ts: '' }]);
  setRunsAbove('/chosen', false);
  expect(at.store.getState().model.prompt === null).toBe(on);
  expect(at.sent.at(-1)).toBe(expected);
});

test.each([
  ['off', false],
  ['lazy', true],
  ['live', true],
] as const)('[EX-90] with automatic runs %s, cells above run without asking: %j', (mode, isConfirmed) => {
  const at = window(null);
  const { model } = at.store.getState();
  if (model.meta === null) throw new Error('no notebook');
  at.store.setState({ model: { ...model, meta: { ...model.meta, auto_run: { ...AUTO_RUN_OFF, mode } } } });
  asks(at, 'c', ['b']);
  at.runs.heard([{ type: 'cascade_prompt', payload: {} as never, seq: 1, ts: '' }]);
  expect(at.sent).toEqual(isConfirmed ? ['run_queue_add c agreed b,c'] : []);
});

/** Opens the prompt that asks whether these cells may run too. */
function asks(at: ReturnType<typeof window>, target: string, others: readonly string[]): void {
  const { model } = at.store.getState();
  const cells_to_run = [...others, target];
  const steps = cells_to_run.map((cell_id) => ({
    cell_id,
    cell_name: cell_id,
    skip: false,
    estimated_ms: 0,
    reason: cell_id === target ? ('target' as const) : ('stale' as const),
  }));
  const payload = { cell_id: target, plan_id: 'p', cells_to_run, steps, estimated_duration_ms: 0 };
  const frame = { type: 'cascade_prompt', payload, seq: 1, ts: '2026-01-01T00:00:00Z' } as const;
  at.store.setState({ model: applyFrame(model, frame) });
}

test.each<[string, (runs: Runs, at: ReturnType<typeof window>) => unknown, readonly string[]]>([
  ['a run', (runs) => runs.run('b'), []],
  ['a run without the cache', (runs) => runs.rerun('b'), []],
  ['a run of the cell alone', (runs) => runs.runForced('b'), []],
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
])('[ED-70] requesting %s focuses the text that needs a choice', (_name, ask, expected) => {
  const at = window();
  ask(at.runs, at);
  expect(at.sent).toEqual(expected);
  expect(at.led).toEqual(['b']);
  expect(at.store.getState()).toMatchObject({ asked: {}, model: { prompt: null } });
});

test('[ED-70] other cells run, and the cell runs once its text is settled', () => {
  const { runs, sent, led, store } = window();
  expect(runs.run('a')).toBe(true);
  expect(runs.run('b')).toBe(false);
  store.setState({ drafts: {} });
  expect(runs.run('b')).toBe(true);
  expect(sent).toEqual(['cell_execute a', 'cell_execute b']);
  expect(led).toEqual(['b']);
});

test('[ED-70] does not run the saved text when the new one is too long to send', () => {
  const { runs, sent, led } = window({ ...REFUSED, text: 'x'.repeat(1_000_001), state: 'typed' });
  expect(runs.run('b')).toBe(false);
  expect(sent).toEqual([]);
  expect(led).toEqual(['b']);
});

/** Queues runs on the server: of these cells, or of all cells for null. */
function queue(at: ReturnType<typeof window>, ...cells: (string | null)[]): void {
  const added = cells.map((cell_id) => ({ id: `run ${cell_id}`, cell_id, mode: 'normal' as const }));
  at.store.setState({ model: { ...at.store.getState().model, queue: added } });
}

test('[ED-70] removes a queued run whose text is not the one shown, with one message', () => {
  const at = window(null);
  queue(at, 'a', 'b', null);
  at.runs.goOn();
  expect(at.sent).toEqual([]);
  at.store.setState({ drafts: { b: REFUSED } });
  at.runs.goOn();
  at.runs.goOn();
  expect(at.sent).toEqual(['run_queue_remove run b', 'run_queue_remove run null']);
  expect(at.led).toEqual([]);
  expect(at.warned).toEqual(Array(2).fill(expect.stringContaining('b was not run')));
});

test.each<[string, (runs: Runs, at: ReturnType<typeof window>) => unknown, readonly string[]]>([
  ['several cells', (runs) => runs.runCells(['a', 'c']), ['run_queue_add a,c']],
  ['what is stale', (runs) => runs.runStale(), ['run_queue_add a,b,c stale']],
  ['a cell after a job', (runs) => runs.runAfter('a', 'job1'), ['run_queue_add a job1']],
  [
    'a confirmed prompt about one cell',
    (runs, at) => {
      asks(at, 'c', ['a', 'b']);
      runs.confirmCascade();
    },
    ['run_queue_add c agreed a,b,c'],
  ],
  [
    'only the cells that a prompt names',
    (runs, at) => {
      asks(at, 'c', ['a']);
      asks(at, 'b', ['a']);
      runs.runForced('b');
    },
    ['run_queue_add c,b force'],
  ],
  [
    'the stop of a cell that waits',
    (runs, at) => {
      queue(at, 'a', 'b');
      runs.cancel('b');
    },
    ['run_queue_remove run b'],
  ],
  [
    'the stop of everything',
    (runs, at) => {
      queue(at, 'a', 'b');
      at.store.setState({ asked: { c: true } });
      runs.cancelAll();
    },
    ['run_queue_remove all', 'cell_cancel c'],
  ],
])('[WI-270] sends the server %s', (_name, ask, expected) => {
  const at = window(null);
  ask(at.runs, at);
  expect(at.sent).toEqual(expected);
});

test('[WI-271] a run requested while a prompt is open joins it: one prompt, one answer', () => {
  const at = window(null);
  asks(at, 'b', ['a']);
  asks(at, 'c', ['a', 'b']);
  const { prompt } = at.store.getState().model;
  expect(prompt).toMatchObject({ targets: ['b', 'c'], cells_to_run: ['a', 'b', 'c'] });
  expect(prompt?.steps?.map(({ cell_id, reason }) => `${cell_id} ${reason}`)).toEqual([
    'a stale',
    'b target',
    'c target',
  ]);
  at.runs.confirmCascade();
  expect(at.sent).toEqual(['run_queue_add b,c agreed a,b,c']);
  expect(at.store.getState().model.prompt).toBeNull();
});

test('[WI-270] reports dropped runs with their reason, grouped by reason', () => {
  const { runs, warned } = window(null);
  const dropped = ['a', 'b'].map((cell_id) => ({
    cell_id,
    message: 'Not run, because `x` above it failed.',
  }));
  const payload = { added: [], removed: ['1', '2'], dropped };
  runs.heard([{ type: 'run_queue', payload, seq: 1, ts: '2026-01-01T00:00:00Z' }]);
  expect(warned).toEqual(['a and b: Not run, because `x` above it failed.']);
});

test.each([
  ['p', true],
  ['another', false],
])('[WI-271] progress of the run %s: closes the prompt: %s', (plan_id, isGone) => {
  const at = window(null);
  asks(at, 'b', ['a']);
  const payload = { plan_id, current_cell_id: 'a', completed: 0, total: 2 };
  const frame = { type: 'cascade_progress', payload, seq: 2, ts: '2026-01-01T00:00:00Z' } as const;
  expect(applyFrame(at.store.getState().model, frame).prompt === null).toBe(isGone);
});

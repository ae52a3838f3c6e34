import { expect, test } from 'vitest';
import { fakeBody, fakeCell } from '../../e2e/support/fakeServerNotebook.ts';
import { AUTO_RUN_OFF, type AutoRunMode } from '../../src-shared/wire/autoRun.ts';
import type { ReceivedFrame } from '../../src-shared/wire/frames/server.ts';
import { applyFrame } from '../state/applyFrame.ts';
import type { Draft } from '../state/drafts.ts';
import { emptyNotebook } from '../state/notebookModel.ts';
import { createNotebookStore, type NotebookView } from '../state/notebookStore.ts';
import { AutoRuns } from './autoRun.ts';

const SENT: Draft = { text: 'x = 2', base: 'x = 1', state: 'sent', sent: ['x = 2'], reason: null };
const IN_A = { focusedId: 'a', mode: 'edit' } as const;

/** A window on cells `a` and `b`; `sent` is what it reported as finished. */
function open(mode: AutoRunMode) {
  const store = createNotebookStore({ sessionId: 's', path: null });
  const dag = { edges: [], topological_order: [], leaves: [], roots: [], variable_producer: {} };
  const cells = ['a', 'b'].map((id) => fakeCell({ id, source: `${id} = 1` }));
  const body = { ...fakeBody({ name: 'n', cells }), auto_run: { ...AUTO_RUN_OFF, mode } };
  const payload = { ...body, dag };
  store.setState({
    model: applyFrame(emptyNotebook, { type: 'notebook_state', payload, seq: 1, ts: '' }),
    link: { kind: 'live' },
  });
  const sent: string[] = [];
  const at = { isOffline: false };
  const autoRuns = new AutoRuns({
    view: store.getState,
    send: (frame) => {
      if (at.isOffline || frame.type !== 'auto_run') return false;
      sent.push(frame.payload.cell_ids.join());
      return true;
    },
  });
  store.subscribe(autoRuns.changed);
  return { sent, at, autoRuns, set: (change: Partial<NotebookView>) => store.setState(change) };
}

type Window = ReturnType<typeof open>;

const outcomeFrame = (type: 'cell_output' | 'cell_error', cell_id: string) =>
  [{ type, payload: { cell_id }, seq: 2, ts: '' }] as unknown as readonly ReceivedFrame[];

function save({ set }: Window, id = 'a'): void {
  set({ drafts: { [id]: SENT } });
  set({ drafts: {} });
}

test.each<[string, AutoRunMode, (window: Window) => void, readonly string[]]>([
  ['an edit that is saved, with the caret elsewhere', 'live', (window) => save(window), ['a']],
  ['nothing if automatic runs are lazy', 'lazy', (window) => save(window), []],
  ['nothing if automatic runs are off', 'off', (window) => save(window), []],
  [
    'nothing while the caret is in the cell, whatever was saved',
    'live',
    (window) => {
      window.set(IN_A);
      save(window);
      save(window);
    },
    [],
  ],
  [
    'the edit once the caret has left the cell',
    'live',
    (window) => {
      window.set(IN_A);
      save(window);
      window.set({ mode: 'command' });
    },
    ['a'],
  ],
  [
    'only what is finished',
    'live',
    (window) => {
      save(window, 'b');
      window.set(IN_A);
      save(window);
      window.set({ focusedId: 'b' });
    },
    ['b', 'a'],
  ],
  [
    'nothing while something typed since is not saved',
    'live',
    (window) => {
      window.set({ drafts: { a: SENT } });
      window.set({ drafts: { a: { ...SENT, state: 'typed' } } });
    },
    [],
  ],
  [
    'nothing after a refused text was discarded',
    'live',
    (window) => {
      window.set({ drafts: { a: { ...SENT, state: 'refused' } } });
      window.set({ drafts: {} });
    },
    [],
  ],
  [
    'a requested run that succeeded',
    'live',
    ({ autoRuns }) => {
      autoRuns.requested(['b']);
      autoRuns.heard(outcomeFrame('cell_output', 'b'));
      autoRuns.heard(outcomeFrame('cell_output', 'b'));
    },
    ['b'],
  ],
  [
    'no run that failed, and none of another window',
    'live',
    ({ autoRuns }) => {
      autoRuns.requested(['b']);
      autoRuns.heard(outcomeFrame('cell_error', 'b'));
      autoRuns.heard(outcomeFrame('cell_output', 'b'));
      autoRuns.heard(outcomeFrame('cell_output', 'a'));
    },
    [],
  ],
  [
    'what could not be sent, with the next change',
    'live',
    (window) => {
      window.at.isOffline = true;
      save(window);
      window.at.isOffline = false;
      window.set({ lineMark: null });
    },
    ['a'],
  ],
])('[EX-93] the server is notified of %s', (_name, mode, act, expected) => {
  const window = open(mode);
  act(window);
  expect(window.sent).toEqual(expected);
});

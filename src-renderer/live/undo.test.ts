import { expect, test } from 'vitest';
import { fakeBody, fakeCell } from '../../e2e/support/fakeServerNotebook.ts';
import { applyFrame } from '../state/applyFrame.ts';
import { emptyNotebook } from '../state/notebookModel.ts';
import { createNotebookStore } from '../state/notebookStore.ts';
import { NotebookShape } from './notebookShape.ts';
import { RestError } from './rest.ts';
import type { ShapePort } from './shapePort.ts';
import { Undo } from './undo.ts';

const dag = { edges: [], topological_order: [], leaves: [], roots: [], variable_producer: {} };

/** A window on a notebook of cells a and b; the server performs every request, or refuses. */
function window(options: { refuse?: string } = {}) {
  const store = createNotebookStore({ sessionId: 's', path: null });
  const cells = ['a', 'b'].map((id) => fakeCell({ id, source: `${id} = 1` }));
  const payload = { ...fakeBody({ name: 'n', cells }), dag };
  const ts = '2026-01-01T00:00:00Z';
  store.setState({ model: applyFrame(emptyNotebook, { type: 'notebook_state', payload, seq: 1, ts }) });
  const done: string[] = [];
  const messages: string[] = [];
  const order = (change: (ids: readonly string[]) => readonly string[]): void => {
    const { model } = store.getState();
    store.setState({ model: { ...model, order: change(model.order) } });
  };
  const act = async (words: string, change: () => void): Promise<void> => {
    await Promise.resolve();
    if (options.refuse !== undefined && words.startsWith(options.refuse)) {
      throw new RestError('The server says no.', { status: 409, code: null });
    }
    done.push(words);
    change();
  };
  const undo = new Undo({
    view: store.getState,
    set: store.setState,
    now: () => 0,
    restore: (id) => act(`restore ${id}`, () => order((ids) => [id, ...ids])),
    remove: (id) => act(`remove ${id}`, () => order((ids) => ids.filter((one) => one !== id))),
    reorder: (ids) => act(`order ${ids.join(' ')}`, () => order(() => ids)),
    rename: (name) => act(`rename ${name}`, () => {}),
    setMounts: (mounts) => act(`mounts ${mounts.map(({ name }) => name).join(' ')}`, () => {}),
    setApp: (edit) => act(`app ${JSON.stringify(edit)}`, () => {}),
    declareConnection: ({ name, after }) => act(`connection ${name} ${after}`, () => {}),
    chooseVariant: ({ group, active }) => act(`choose ${active} of ${group}`, () => {}),
    write: (id, text) => done.push(`write ${id} ${text}`),
    say: (words) => messages.push(words),
    moved: () => {},
  });
  return { store, undo, done, said: messages };
}

test('[ED-1] undos run one at a time, in the order of the key presses', async () => {
  const { store, undo, done } = window();
  undo.note('add', [{ kind: 'added', cellId: 'b' }]);
  undo.note('move', [{ kind: 'order', before: ['b', 'a'], after: ['a', 'b'] }]);
  expect(store.getState()).toMatchObject({ undo: 'move', redo: null });
  void undo.undo();
  void undo.undo();
  void undo.redo();
  await undo.redo();
  expect(done).toEqual(['order b a', 'remove b', 'restore b', 'order a b']);
  expect(store.getState()).toMatchObject({ undo: 'move', redo: null });
});

test('[ED-1] skips an entry that the server refuses, with its message, and can still undo the rest', async () => {
  const { undo, done, said } = window({ refuse: 'restore' });
  undo.note('rename', [{ kind: 'name', before: 'm', after: 'n' }]);
  undo.note('delete', [{ kind: 'deleted', cellId: 'c' }]);
  await undo.undo();
  expect(said).toEqual(['Undo skipped deleting: The server says no.']);
  await undo.undo();
  expect(done).toEqual(['rename m']);
  await undo.undo();
  expect(said).toHaveLength(1);
});

test('[ED-1] skips an entry completely if part of it no longer applies', async () => {
  const { undo, done, said } = window();
  undo.note('merge', [
    { kind: 'source', cellId: 'a', before: 'a', after: 'a = 2' },
    { kind: 'deleted', cellId: 'c' },
  ]);
  await undo.undo();
  expect(done).toEqual([]);
  expect(said).toEqual(['Undo skipped merging: the cell was changed elsewhere in the meantime.']);
});

test('[AG-107] of a job that a crash ended, what was recorded but not made is left out', async () => {
  const { undo, done, said } = window();
  undo.begin(
    {
      done: [
        {
          id: 'assistant-1',
          deed: 'assistant',
          atMs: 0,
          changes: [
            { kind: 'source', cellId: 'a', before: 'a = 0', after: 'a = 1' },
            { kind: 'source', cellId: 'a', before: 'a = 1', after: 'a = 2' },
            { kind: 'added', cellId: 'c' },
            { kind: 'deleted', cellId: 'b' },
          ],
        },
      ],
      undone: [],
    },
    0,
  );
  await undo.undo();
  expect([done, said]).toEqual([['write a a = 0'], []]);
});

test('[ED-1] the focus goes to the restored cell', async () => {
  const { store, undo, done } = window();
  undo.typed('b', 'b = 0', 'b = 1');
  await undo.undo();
  expect(done).toEqual(['write b b = 0']);
  expect(store.getState()).toMatchObject({ focusedId: 'b', mode: 'command', undo: null, redo: 'edit' });
});

test("[MC-8] an agent's action is undone like the person's own, even if the record has it, too", async () => {
  const { store, undo, done } = window();
  const entry = { id: 'mcp-1', deed: 'add', changes: [{ kind: 'added' as const, cellId: 'b' }] };
  const frame = { type: 'undo_recorded', payload: entry, seq: 2, ts: '2026-01-01T00:00:00Z' } as const;
  undo.note('move', [{ kind: 'order', before: ['b', 'a'], after: ['a', 'b'] }]);
  undo.heard([frame, frame]);
  undo.begin({ done: [{ ...entry, deed: 'add', atMs: 0 }], undone: [] }, 0);
  expect(undo.history.done.map(({ id }) => id).filter((id) => id === 'mcp-1')).toHaveLength(1);
  expect(store.getState()).toMatchObject({ undo: 'add', redo: null });
  await undo.undo();
  expect(done).toEqual(['remove b']);
});

test('[ED-1] an undo during an unanswered action waits for it, and applies to it', async () => {
  const { store, undo, done } = window();
  let answer = (): void => {};
  const performed = undo.perform(
    'add',
    async (changes) => {
      await new Promise<void>((resolve) => {
        answer = resolve;
      });
      changes.push({ kind: 'added', cellId: 'b' });
    },
    () => {},
  );
  expect(store.getState()).toMatchObject({ undo: null, pendingActions: 1 });
  const undone = undo.undo();
  answer();
  expect(await performed).toBe(1);
  await undone;
  expect(done).toEqual(['remove b']);
  expect(store.getState()).toMatchObject({ undo: null, redo: 'add', pendingActions: 0 });
});

test('[ED-1] a refused action keeps the changes made before the refusal, and reports the reason', async () => {
  const { store, undo } = window();
  const reasons: string[] = [];
  const count = await undo.perform(
    'add',
    async (changes) => {
      changes.push({ kind: 'added', cellId: 'b' });
      throw new RestError('The server says no.', { status: 409, code: null });
    },
    (reason) => reasons.push(reason),
  );
  expect([count, reasons]).toEqual([1, ['The server says no.']]);
  expect(store.getState()).toMatchObject({ undo: 'add', pendingActions: 0 });
});

test('[ED-1] an undo during an action that the server refuses does not undo the action before', async () => {
  const { store, undo, done } = window();
  undo.note('rename', [{ kind: 'name', before: 'm', after: 'n' }]);
  const performed = undo.perform(
    'add',
    async () => {
      throw new RestError('The server says no.', { status: 409, code: null });
    },
    () => {},
  );
  const undone = undo.undo();
  expect(await performed).toBe(0);
  await undone;
  expect(done).toEqual([]);
  expect(store.getState()).toMatchObject({ undo: 'rename', redo: null, pendingActions: 0 });
  await undo.undo();
  expect(done).toEqual(['rename m']);
});

/** The cells of a window whose server answers deletes only after `answer`. */
function slowDeletes() {
  const { store, undo, done } = window();
  const ids = (change: (order: readonly string[]) => readonly string[]): void => {
    const { model } = store.getState();
    store.setState({ model: { ...model, order: change(model.order) } });
  };
  let answer = (): void => {};
  const answered = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const structure = {
    remove: async (id: string) => {
      await answered;
      ids((order) => order.filter((one) => one !== id));
    },
    add: async () => {
      ids((order) => [...order, 'new']);
      return 'new';
    },
    reorder: async (order: readonly string[]) => ids(() => order),
  };
  const shape = new NotebookShape({
    view: store.getState,
    set: store.setState,
    structure: structure as unknown as ShapePort['structure'], // the methods that these tests use
    edits: { write: () => true } as unknown as ShapePort['edits'], // likewise
    undo,
    say: () => {},
  });
  return { store, undo, shape, done, answer };
}

test.each<[string, (shape: NotebookShape) => Promise<void>, readonly string[]]>([
  ['a new cell', (shape) => shape.addCell({ afterId: 'b', language: 'python' }), ['remove new']],
  ['a new cell above', (shape) => shape.addCellAbove('b', 'python'), ['order b new', 'remove new']],
  ['a move that changes nothing', (shape) => shape.moveCells(['b'], 1), ['restore a']],
])('[ED-1] an undo after %s, while the server has not answered a delete', async (_name, act, expected) => {
  const { shape, undo, done, answer } = slowDeletes();
  const deleting = shape.deleteCells(['a']);
  const acting = act(shape);
  const undone = undo.undo();
  answer();
  await Promise.all([deleting, acting, undone]);
  expect(done).toEqual(expected);
});

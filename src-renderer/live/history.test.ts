import fc from 'fast-check';
import { expect, test } from 'vitest';
import { inverseAppEdit, withAppEdit } from '../../src-shared/notebook/appEdit.ts';
import type { AppEdit, AppLayout } from '../../src-shared/wire/appLayout.ts';
import type { Change, History, UndoStep, VariantState } from './history.ts';
import {
  emptyHistory,
  firstConflict,
  MAX_ENTRIES,
  orderAfter,
  PAUSE_MS,
  redoOf,
  undoOf,
  withNewEntry,
  withServerEntry,
  withTyping,
} from './history.ts';

/** A notebook as the server stores it: deleted cells are stored with their text and position. */
interface Doc {
  readonly name: string;
  readonly cells: readonly { readonly id: string; readonly source: string }[];
  readonly kept: Readonly<Record<string, { readonly source: string; readonly at: number }>>;
  readonly app: AppLayout;
  /** The state of its only group of variants. */
  readonly chosen: VariantState;
}

const start: Doc = {
  name: 'n',
  cells: ['a', 'b', 'c'].map((id) => ({ id, source: `${id} = 1` })),
  kept: {},
  app: { cells: {} },
  chosen: { active: 'lo', mode: 'switch' },
};

function ground(doc: Doc) {
  return {
    name: doc.name,
    mounts: [],
    app: doc.app,
    order: doc.cells.map((cell) => cell.id),
    sourceOf: (id: string) => doc.cells.find((cell) => cell.id === id)?.source ?? null,
    chosenOf: () => doc.chosen,
  };
}

function apply(doc: Doc, change: Change): Doc {
  // Settings are not part of this document.
  if (change.kind === 'mounts' || change.kind === 'connection') return doc;
  if (change.kind === 'name') return { ...doc, name: change.after };
  if (change.kind === 'app') return { ...doc, app: withAppEdit(doc.app, change.after) };
  if (change.kind === 'variant') return { ...doc, chosen: change.after };
  if (change.kind === 'order') {
    const order = orderAfter(ground(doc).order, change) ?? [];
    return { ...doc, cells: order.map((id) => ({ id, source: ground(doc).sourceOf(id) ?? '' })) };
  }
  const { cellId } = change;
  const at = doc.cells.findIndex((cell) => cell.id === cellId);
  switch (change.kind) {
    case 'source':
      return {
        ...doc,
        cells: doc.cells.map((cell) => (cell.id === cellId ? { ...cell, source: change.after } : cell)),
      };
    case 'deleted': {
      const source = doc.cells[at]?.source ?? '';
      return {
        ...doc,
        cells: doc.cells.filter((cell) => cell.id !== cellId),
        kept: { ...doc.kept, [cellId]: { source, at } },
      };
    }
    case 'added': {
      const deletedCell = doc.kept[cellId] ?? { source: '', at: doc.cells.length };
      const cells = [...doc.cells];
      cells.splice(deletedCell.at, 0, { id: cellId, source: deletedCell.source });
      return { ...doc, cells };
    }
  }
}

const contentOf = ({ name, cells, app, chosen }: Doc) => ({ name, cells, app, chosen });

/** Undoes or redoes until nothing is left; entries that no longer apply are dropped, as the window does. */
function walkAll(doc: Doc, history: History, next: (history: History) => UndoStep | null) {
  let dropped = 0;
  for (let walk = next(history); walk !== null; walk = next(history)) {
    const clear = firstConflict(ground(doc), walk.changes) === null;
    const after: Doc | null = clear ? walk.changes.reduce(apply, doc) : null;
    if (after === null) dropped += 1;
    doc = after ?? doc;
    history = after === null ? walk.dropped : walk.kept;
  }
  return { doc, history, dropped };
}

type Act =
  | { readonly kind: 'add' | 'delete' | 'rename' | 'choose' | 'place'; readonly at: number }
  | { readonly kind: 'move'; readonly at: number; readonly to: number }
  | { readonly kind: 'type'; readonly at: number; readonly text: string; readonly waitMs: number }
  | { readonly kind: 'merge'; readonly at: number };

const act: fc.Arbitrary<Act> = fc.oneof(
  fc.record({ kind: fc.constantFrom('add', 'delete', 'rename', 'choose', 'place'), at: fc.nat(6) }),
  fc.record({ kind: fc.constant('move' as const), at: fc.nat(6), to: fc.nat(6) }),
  fc.record({
    kind: fc.constant('type' as const),
    at: fc.nat(6),
    text: fc.string({ maxLength: 3 }),
    waitMs: fc.constantFrom(10, PAUSE_MS + 1),
  }),
  fc.record({ kind: fc.constant('merge' as const), at: fc.nat(6) }),
);

/** One action of a person: its changes, each checked against the notebook, recorded as one entry. */
function perform(doc: Doc, history: History, one: { act: Act; nth: number; atMs: number }) {
  const { act: step, nth, atMs } = one;
  const ids = ground(doc).order;
  const id = ids[step.at % Math.max(1, ids.length)];
  const all = (changes: readonly Change[], deed: 'add' | 'merge') => ({
    doc: changes.reduce(apply, doc),
    history: withNewEntry(history, { id: `e${nth}`, deed, changes, atMs }),
  });
  if (step.kind === 'add') return all([{ kind: 'added', cellId: `n${nth}` }], 'add');
  if (step.kind === 'rename') return all([{ kind: 'name', before: doc.name, after: `n${nth}` }], 'add');
  if (step.kind === 'choose') {
    const after: VariantState = { active: `v${step.at}`, mode: step.at % 2 === 0 ? 'switch' : 'sweep' };
    return all([{ kind: 'variant', group: 'm', before: doc.chosen, after }], 'add');
  }
  if (step.kind === 'place') {
    const places: AppEdit = {
      cells: { a: { tab: `t${step.at}` }, b: { shown: step.at % 2 === 0 ? null : false } },
    };
    return all([{ kind: 'app', before: inverseAppEdit(doc.app, places), after: places }], 'add');
  }
  if (id === undefined) return { doc, history };
  if (step.kind === 'delete') return all([{ kind: 'deleted', cellId: id }], 'add');
  const source = ground(doc).sourceOf(id) ?? '';
  if (step.kind === 'type') {
    const after = source + step.text;
    const change: Change = { kind: 'source', cellId: id, before: source, after };
    return { doc: apply(doc, change), history: withTyping(history, { id: `e${nth}`, ...change, atMs }) };
  }
  if (step.kind === 'move') {
    const after = ids.filter((other) => other !== id);
    after.splice(step.to % ids.length, 0, id);
    return all([{ kind: 'order', before: ids, after }], 'add');
  }
  const next = ids[ids.indexOf(id) + 1];
  if (next === undefined) return { doc, history };
  const merged = `${source}\n${ground(doc).sourceOf(next)}`;
  return all(
    [
      { kind: 'source', cellId: id, before: source, after: merged },
      { kind: 'deleted', cellId: next },
    ],
    'merge',
  );
}

function performAll(doc: Doc, acts: readonly Act[]) {
  let atMs = 1;
  let now = { doc, history: emptyHistory as History };
  acts.forEach((step, nth) => {
    atMs += step.kind === 'type' ? step.waitMs : 10;
    now = perform(now.doc, now.history, { act: step, nth, atMs });
  });
  return now;
}

test('[ED-1] undoing all actions restores the start, redoing them the end', () => {
  fc.assert(
    fc.property(fc.array(act, { maxLength: 40 }), (acts) => {
      const end = performAll(start, acts);
      const back = walkAll(end.doc, end.history, undoOf);
      expect(back.dropped).toBe(0);
      expect(contentOf(back.doc)).toEqual(contentOf(start));
      const forth = walkAll(back.doc, back.history, redoOf);
      expect(forth.dropped).toBe(0);
      expect(contentOf(forth.doc)).toEqual(contentOf(end.doc));
    }),
  );
});

test('[ED-1] changes of others in between are never undone, lost or overwritten', () => {
  const foreign = fc.record({ source: fc.string({ maxLength: 4 }), at: fc.nat(6), edits: fc.nat(6) });
  fc.assert(
    fc.property(
      fc.array(act, { maxLength: 20 }),
      foreign,
      fc.array(act, { maxLength: 20 }),
      (a, other, b) => {
        const first = performAll(start, a);
        // Another window adds a cell of its own and writes into one of ours.
        const cells = [...first.doc.cells];
        const hit = cells[other.edits % Math.max(1, cells.length)];
        cells.splice(other.at % (cells.length + 1), 0, { id: 'theirs', source: other.source });
        const edit: Doc = {
          ...first.doc,
          cells: cells.map((cell) => (cell.id === hit?.id ? { ...cell, source: `${cell.source}#` } : cell)),
        };
        let now = { doc: edit, history: first.history };
        let left = false;
        b.forEach((step, nth) => {
          const ids = ground(now.doc).order;
          // This window leaves the other person's cell alone: deleting or merging it would be a separate
          // action.
          const targetId = ids[step.at % Math.max(1, ids.length)];
          const swallowed = step.kind === 'merge' ? ids[ids.indexOf(targetId ?? '') + 1] : undefined;
          left ||= targetId === hit?.id || swallowed === hit?.id;
          if (targetId === 'theirs' || swallowed === 'theirs') return;
          now = perform(now.doc, now.history, { act: step, nth: 100 + nth, atMs: 1e6 + nth });
        });
        const back = walkAll(now.doc, now.history, undoOf);
        expect(ground(back.doc).sourceOf('theirs')).toBe(other.source);
        if (hit !== undefined && !left && ground(back.doc).sourceOf(hit.id) !== null) {
          expect(ground(back.doc).sourceOf(hit.id)).toBe(`${hit.source}#`);
        }
        expect(new Set(ground(back.doc).order).size).toBe(back.doc.cells.length);
      },
    ),
  );
});

function typing(...states: readonly (readonly [string, string, number])[]): History {
  let history: History = emptyHistory;
  for (const [before, after, atMs] of states) {
    history = withTyping(history, { id: `e${atMs}`, cellId: 'a', before, after, atMs });
  }
  return history;
}

test.each<[string, History, (readonly [string, string])[]]>([
  ['continued typing is one entry', typing(['', 'a', 100], ['a', 'ab', 900]), [['', 'ab']]],
  [
    'a pause starts a new entry',
    typing(['', 'a', 100], ['a', 'ab', 1_200]),
    [
      ['', 'a'],
      ['a', 'ab'],
    ],
  ],
  ['typing the old text again removes the entry', typing(['', 'a', 100], ['a', '', 9_000]), []],
  ['an unchanged text adds no entry', typing(['a', 'a', 100]), []],
  [
    'a text from elsewhere starts a new entry',
    typing(['', 'a', 100], ['x', 'xy', 200]),
    [
      ['', 'a'],
      ['x', 'xy'],
    ],
  ],
])('[ED-1] %s', (_name, history, expected) => {
  const edits = history.done.flatMap((entry) => entry.changes);
  expect(edits.map((change) => (change.kind === 'source' ? [change.before, change.after] : []))).toEqual(
    expected,
  );
});

test('[ED-1] typing after an undo is a separate entry', () => {
  const walk = undoOf(typing(['', 'a', 100], ['a', 'ab', 1_200]));
  const after = withTyping(walk?.kept ?? emptyHistory, {
    id: 'e9',
    cellId: 'a',
    before: 'a',
    after: 'ax',
    atMs: 1_300,
  });
  expect(after.done).toHaveLength(2);
  expect(after.undone).toEqual([]);
});

test('drops the oldest entries', () => {
  let history: History = emptyHistory;
  for (let at = 0; at < MAX_ENTRIES + 5; at += 1) {
    history = withNewEntry(history, {
      id: 'e1',
      deed: 'add',
      changes: [{ kind: 'added', cellId: `n${at}` }],
      atMs: at,
    });
  }
  expect(history.done).toHaveLength(MAX_ENTRIES);
  expect(history.done[0]?.changes).toEqual([{ kind: 'added', cellId: 'n5' }]);
});

test.each<[string, string[], { before: string[]; after: string[] }, string[] | null]>([
  ['unchanged', ['a', 'b'], { before: ['a', 'b'], after: ['b', 'a'] }, ['b', 'a']],
  ['a cell was added', ['a', 'x', 'b'], { before: ['a', 'b'], after: ['b', 'a'] }, ['b', 'x', 'a']],
  ['a cell was removed', ['a', 'c'], { before: ['a', 'b', 'c'], after: ['c', 'b', 'a'] }, ['c', 'a']],
  ['moved by another person', ['b', 'a'], { before: ['a', 'b'], after: ['b', 'a'] }, null],
])('the order after a move: %s', (_name, now, change, expected) => {
  expect(orderAfter(now, change)).toEqual(expected);
});

test('[AG-22] a server entry is added, replaced by its newer form, and removed when it has no changes', () => {
  const entry = (changes: readonly Change[]) => ({ id: 'job', deed: 'assistant' as const, changes, atMs: 0 });
  const added: Change = { kind: 'added', cellId: 'n' };
  const edited: Change = { kind: 'source', cellId: 'a', before: 'a = 1', after: 'a = 2' };
  const own = withNewEntry(emptyHistory, {
    id: 'mine',
    deed: 'delete',
    changes: [{ kind: 'deleted', cellId: 'c' }],
    atMs: 1,
  });
  const first = withServerEntry(own, entry([added]));
  const second = withServerEntry(first, entry([added, edited]));
  expect(second.done.map(({ id, changes }) => [id, changes.length])).toEqual([
    ['mine', 1],
    ['job', 2],
  ]);
  expect(undoOf(second)?.changes).toEqual([
    { ...edited, before: 'a = 2', after: 'a = 1' },
    { kind: 'deleted', cellId: 'n' },
  ]);
  expect(withServerEntry(second, entry([])).done).toEqual(own.done);
  const undone = undoOf(second)?.kept ?? emptyHistory;
  expect(withServerEntry(undone, entry([added]))).toBe(undone);
});

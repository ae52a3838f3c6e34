import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { entriesSince, undoMarkOf } from '../../../src-shared/notebook/undoMark.ts';
import type { Change, Entry, NotebookContent } from '../history.ts';
import { orderAfter } from '../history.ts';
import {
  applicableChange,
  BURST_MS,
  checkpointsOf,
  movedIds,
  netChanges,
  revertingChanges,
  rewindOf,
  rowsOf,
  stateOf,
} from './checkpoints.ts';

const START = Date.parse('2026-01-01T10:00:00Z');

/** An entry by MCP, the assistant (`by` null) or a person (`by` undefined). */
function entry(id: string, changes: readonly Change[], by?: string | null, afterMs = 0): Entry {
  const at = new Date(START + afterMs).toISOString();
  if (by === undefined) return { id, deed: 'edit', changes, atMs: 0 };
  if (by === null) return { id: `assistant-${id}`, deed: 'assistant', changes, atMs: 0 };
  return { id: `mcp-${id}`, deed: 'edit', changes, atMs: 0, origin: { by, at } };
}

const text = (cellId: string, before: string, after: string): Change => ({
  kind: 'source',
  cellId,
  before,
  after,
});

/** [what, the entries, the ids of each checkpoint] */
const BURSTS: readonly (readonly [string, readonly Entry[], readonly (readonly string[])[]])[] = [
  [
    'a job is one checkpoint',
    [entry('1', [], null), entry('2', [], null)],
    [['assistant-1'], ['assistant-2']],
  ],
  [
    'changes soon after each other are one checkpoint',
    [entry('1', [], 'x'), entry('2', [], 'x', BURST_MS)],
    [['mcp-1', 'mcp-2']],
  ],
  [
    'a pause ends the checkpoint',
    [entry('1', [], 'x'), entry('2', [], 'x', BURST_MS + 1)],
    [['mcp-1'], ['mcp-2']],
  ],
  [
    'another agent begins a new checkpoint',
    [entry('1', [], 'x'), entry('2', [], 'y')],
    [['mcp-1'], ['mcp-2']],
  ],
  [
    'a person in between ends the checkpoint',
    [entry('1', [], 'x'), entry('p', []), entry('2', [], 'x')],
    [['mcp-1'], ['mcp-2']],
  ],
  ['changes of only a person have no checkpoint', [entry('p', [])], []],
];

describe('[AG-87] checkpoints', () => {
  it.each(BURSTS)('%s', (_, done, ids) => {
    expect(checkpointsOf({ done }).map(({ entries }) => entries.map(({ id }) => id))).toEqual(ids);
  });

  it('has one row for each cell, and for what else was changed', () => {
    const rows = rowsOf({
      entries: [
        entry('1', [{ kind: 'added', cellId: 'n' }, text('n', '', 'new')]),
        entry('2', [text('a', 'one', 'two')]),
        entry('3', [text('a', 'two', 'three'), { kind: 'deleted', cellId: 'b' }]),
        entry('4', [{ kind: 'order', before: ['a', 'c', 'd'], after: ['d', 'a', 'c'] }]),
        entry('5', [
          { kind: 'added', cellId: 'gone' },
          { kind: 'deleted', cellId: 'gone' },
        ]),
      ],
    });
    expect(rows.map(({ key, kind, before, after, moved }) => [key, kind, before, after, moved])).toEqual([
      ['a', 'edited', 'one', 'three', []],
      ['n', 'added', null, null, []],
      ['b', 'deleted', null, null, []],
      ['order', 'moved', null, null, ['d']],
    ]);
  });

  it('names the fewest cells that moved', () => {
    expect(movedIds(['a', 'b', 'c', 'd'], ['b', 'c', 'd', 'a'])).toEqual(['a']);
  });
});

/** A small notebook: texts by cell in order, and what was deleted with its place. */
interface Doc {
  readonly order: readonly string[];
  readonly texts: Readonly<Record<string, string>>;
  readonly places: Readonly<Record<string, number>>;
}

const DOC: Doc = { order: ['a', 'b', 'c'], texts: { a: '1', b: '2', c: '3' }, places: {} };

function ground({ order, texts }: Doc): NotebookContent {
  const sourceOf = (id: string): string | null => (order.includes(id) ? (texts[id] ?? '') : null);
  return { name: 'n', mounts: [], app: { cells: {} }, order, sourceOf, chosenOf: () => null };
}

function apply(doc: Doc, change: Change): Doc {
  if (change.kind === 'order') return { ...doc, order: orderAfter(doc.order, change) ?? doc.order };
  if (!('cellId' in change)) return doc;
  const { cellId } = change;
  if (change.kind === 'source') return { ...doc, texts: { ...doc.texts, [cellId]: change.after } };
  if (change.kind === 'deleted') {
    const places = { ...doc.places, [cellId]: doc.order.indexOf(cellId) };
    return { ...doc, places, order: doc.order.filter((id) => id !== cellId) };
  }
  const order = [...doc.order];
  order.splice(doc.places[cellId] ?? order.length, 0, cellId);
  return { ...doc, order };
}

const step = fc.record({
  kind: fc.constantFrom('add', 'delete', 'type', 'type', 'move'),
  at: fc.nat(5),
  text: fc.constantFrom('x', 'y', 'z'),
  by: fc.constantFrom(undefined, null, 'x'),
});

/** Does steps of persons and agents, each as an entry. */
function play(steps: readonly (typeof step extends fc.Arbitrary<infer S> ? S : never)[]) {
  let doc = DOC;
  const done: Entry[] = [];
  const docs = [doc];
  for (const [nth, { kind, at, text: words, by }] of steps.entries()) {
    const id = doc.order[at % Math.max(1, doc.order.length)] ?? '';
    const change: Change | null =
      kind === 'add'
        ? { kind: 'added', cellId: `n${nth}` }
        : id === ''
          ? null
          : kind === 'delete'
            ? { kind: 'deleted', cellId: id }
            : kind === 'type'
              ? text(id, doc.texts[id] ?? '', words)
              : { kind: 'order', before: doc.order, after: [...doc.order.filter((one) => one !== id), id] };
    if (change !== null) {
      doc = apply(doc, change);
      done.push(entry(`${nth}`, [change], by));
    }
    docs.push(doc);
  }
  return { doc, done, docs };
}

const shown = ({ order, texts }: Doc) => order.map((id) => [id, texts[id] ?? '']);

describe('[AG-89] rewinding', () => {
  it('restores cells and texts of that time, after any changes by users and agents', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 14 }), fc.nat(14), (steps, cut) => {
        const before = play(steps.slice(0, cut));
        const after = play(steps);
        const mark = undoMarkOf(after.done.slice(0, before.done.length), 0);
        const since = entriesSince(mark, after.done, 0);
        expect(since).toHaveLength(after.done.length - before.done.length);
        const back = rewindOf(since ?? [], ground(after.doc)).changes.reduce(apply, after.doc);
        // Restored cells have no exact place if others were moved there.
        const sorted = (doc: Doc) => shown(doc).sort(([a = ''], [b = '']) => (a < b ? -1 : 1));
        expect(sorted(back)).toEqual(sorted(before.doc));
      }),
      { numRuns: 300 },
    );
  });

  it('does not revert later changes by others, and lists them', () => {
    const done = [entry('1', [text('a', '1', 'x'), text('b', '2', 'y')], null)];
    const now = ground({ ...DOC, texts: { ...DOC.texts, a: 'x', b: 'elsewhere' } });
    const rewind = rewindOf(done, now);
    expect(rewind.changes).toEqual([text('a', 'x', '1')]);
    expect(rewind.left).toEqual([text('b', 'y', '2')]);
  });
});

/** [what, the text now, the state of a row that made `one\ntwo` of `one\n2`, the text once reverted] */
const STATES: readonly (readonly [string, string | null, string, string | null])[] = [
  ['as the agent left it', 'one\nx\ntwo', 'there', 'one\nx\n2'],
  ['as it was before', 'one\nx\n2', 'reverted', null],
  ['another line typed since stays', 'ONE\nx\ntwo', 'there', 'ONE\nx\n2'],
  ['the same line typed since', 'one\nx\nthree', 'changed', null],
  ['deleted since', null, 'changed', null],
];

describe('[AG-88] a row of a checkpoint', () => {
  it.each(STATES)('%s', (_, now, state, back) => {
    const entries = [entry('1', [text('a', 'one\nx\n2', 'one\nx\ntwo')], null)];
    const [row] = rowsOf({ entries });
    if (row === undefined) throw new Error('no row');
    const doc: Doc = now === null ? { ...DOC, order: [] } : { ...DOC, texts: { a: now } };
    expect(stateOf(row, ground(doc))).toBe(state);
    const changes = revertingChanges([row]).flatMap(
      (change) => applicableChange(ground(doc), change, { merges: true }) ?? [],
    );
    expect(changes.map((change) => ('after' in change ? change.after : null))).toEqual(
      back === null ? [] : [back],
    );
  });

  it('one row is reverted while the others stay', () => {
    const entries = [
      entry(
        '1',
        [text('a', '1', 'x'), { kind: 'deleted', cellId: 'b' }, { kind: 'added', cellId: 'n' }],
        null,
      ),
    ];
    const doc = { ...DOC, order: ['a', 'c', 'n'], texts: { a: 'x', c: '3', n: 'new', b: '2' } };
    const rows = rowsOf({ entries });
    for (const [key, order, a] of [
      ['a', ['a', 'c', 'n'], '1'],
      ['b', ['a', 'b', 'c', 'n'], 'x'],
      ['n', ['a', 'c'], 'x'],
    ] as const) {
      const back = revertingChanges(rows.filter((row) => row.key === key)).reduce(apply, {
        ...doc,
        places: { b: 1 },
      });
      expect([back.order, back.texts['a']]).toEqual([order, a]);
    }
  });

  it('a text that an agent wrote and undid has no row', () => {
    expect(netChanges([entry('1', [text('a', '1', 'x')]), entry('2', [text('a', 'x', '1')])])).toEqual([]);
  });
});

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fakeBody, fakeCell } from '../../e2e/support/fakeServerNotebook.ts';
import type { ServerFrame } from '../../src-shared/wire/frames/server.ts';
import { applyFrame } from './applyFrame.ts';
import { causeOf } from './cause.ts';
import { changedCells, watchCells } from './changedCells.ts';
import { emptyNotebook } from './notebookModel.ts';
import { createNotebookStore, type NotebookView, shownSource } from './notebookStore.ts';
import { isQueued } from './runQueue.ts';

const ts = '2026-01-01T00:00:00Z';
const body = fakeBody({
  name: 'n',
  cells: [
    fakeCell({ id: 'a', source: 'x = 1', defines: ['x'], downstream_ids: ['b'] }),
    fakeCell({ id: 'b', source: 'y = x', defines: ['y'], upstream_ids: ['a'], downstream_ids: ['c'] }),
    fakeCell({ id: 'c', source: 'print(y)', upstream_ids: ['b'] }),
  ],
});
const graph = Object.fromEntries(body.cells.map((cell) => [cell.id, cell]));
const dag = { edges: [], topological_order: ['a', 'b', 'c'], leaves: [], roots: [], variable_producer: {} };
const state: ServerFrame = { type: 'notebook_state', payload: { ...body, dag } };
const start: NotebookView = {
  ...createNotebookStore({ sessionId: 's', path: null }).getState(),
  model: applyFrame(emptyNotebook, { ...state, seq: 1, ts }),
};

type Change = (view: NotebookView) => NotebookView;
const frame =
  (told: ServerFrame): Change =>
  (view) => ({ ...view, model: applyFrame(view.model, { ...told, seq: (view.model.lastSeq ?? 0) + 1, ts }) });
const status = (cell_id: string, to: 'running' | 'ready' | 'error' | 'stale'): Change =>
  frame({ type: 'cell_status', payload: { cell_id, status: to, staleness_reasons: [] } });
const printed = (cell_id: string): Change =>
  frame({ type: 'cell_console', payload: { cell_id, stream: 'stdout', text: '.', chunk_seq: null } });
const named = (id: string, name: string): Change =>
  frame({
    type: 'dag_update',
    payload: {
      ...dag,
      variant_groups: [],
      cells: [
        {
          id,
          source: null,
          name,
          defines: [],
          references: [],
          upstream_ids: graph[id]?.upstream_ids ?? [],
          downstream_ids: graph[id]?.downstream_ids ?? [],
          is_leaf: false,
          annotation_diagnostics: [],
          variant_group: null,
          variant_name: null,
          variant_active: true,
          is_module_cell: false,
          module_exports: [],
          created_by: null,
          updated_by: null,
        },
      ],
    },
  });
const typed =
  (id: string, text: string): Change =>
  (view) => ({
    ...view,
    drafts: { ...view.drafts, [id]: { text, base: '', state: 'typed', sent: [], reason: null } },
  });
const queued = (cell_id: string): Change =>
  frame({ type: 'run_queue', payload: { added: [{ id: 'r', cell_id, mode: 'normal' }], removed: [] } });
const set =
  (change: Partial<NotebookView>): Change =>
  (view) => ({ ...view, ...change });

test.each<[string, Change, readonly string[] | 'all']>([
  ['a keystroke touches the cell that is edited', typed('b', 'y = 2'), ['b']],
  ['what is printed touches its cell', printed('a'), ['a']],
  ['a status touches its cell and those whose cause it may be', status('a', 'error'), ['a', 'b']],
  ['a new name may be shown by any cell', named('a', 'load'), 'all'],
  ['focus touches the cell left and the cell entered', set({ focusedId: 'a' }), ['a']],
  ['a notice touches no cell', set({ notice: 'no' }), []],
  ['a run that waits touches its cell', queued('c'), ['c']],
  ['another session touches all', set({ sessionId: 't' }), 'all'],
])('%s', (_name, change, expected) => {
  const changed = changedCells(start, change(start));
  expect(changed === 'all' ? 'all' : [...changed]).toEqual(expected);
});

/** Everything that the card of a cell and its contents read from the view. */
function shown(view: NotebookView, id: string): unknown {
  const cell = view.model.cells[id]?.cell;
  return {
    model: view.model.cells[id],
    source: shownSource(view, id),
    draft: view.drafts[id],
    focus: view.focusedId === id ? view.mode : null,
    prompt: view.model.prompt?.cell_id === id ? view.model.prompt : null,
    deleting: view.deletingId === id,
    naming: view.namingVariant === id,
    asked: view.asked[id],
    waits: isQueued(view.model, id),
    marked: view.lineMark?.cellId === id ? view.lineMark : null,
    sessionId: view.sessionId,
    cause: cell === undefined ? null : causeOf(view.model, cell),
  };
}

const anyId = fc.constantFrom('a', 'b', 'c');
const anyChange: fc.Arbitrary<Change> = fc.oneof(
  fc
    .tuple(anyId, fc.constantFrom('running' as const, 'ready' as const, 'error' as const, 'stale' as const))
    .map(([id, to]) => status(id, to)),
  anyId.map(printed),
  fc.tuple(anyId, fc.constantFrom('load', 'fit')).map(([id, name]) => named(id, name)),
  fc.tuple(anyId, fc.constantFrom('x = 1', 'x = 2')).map(([id, text]) => typed(id, text)),
  fc.constant(set({ drafts: {} })),
  fc
    .tuple(fc.option(anyId), fc.constantFrom('command' as const, 'edit' as const))
    .map(([focusedId, mode]) => set({ focusedId, mode })),
  fc.option(anyId).map((deletingId) => set({ deletingId })),
  fc.option(anyId).map((namingVariant) => set({ namingVariant })),
  anyId.map((id) => set({ asked: { [id]: true } })),
  anyId.map(queued),
  anyId.map((cellId) => set({ lineMark: { cellId, line: 1 } })),
  anyId.map((cell_id) =>
    frame({
      type: 'cascade_prompt',
      payload: { cell_id, plan_id: 'p', cells_to_run: [], steps: [], estimated_duration_ms: 0 },
    }),
  ),
  fc.constant(frame(state)),
);

test('a cell is notified of every change that affects it', () => {
  fc.assert(
    fc.property(fc.array(anyChange, { maxLength: 20 }), (changes) => {
      const store = createNotebookStore({ sessionId: 's', path: null });
      store.setState(start);
      const watch = watchCells(store);
      const views = new Map(start.model.order.map((id) => [id, shown(start, id)]));
      for (const id of start.model.order) watch(id, () => views.set(id, shown(store.getState(), id)));
      for (const change of changes) {
        store.setState(change(store.getState()));
        for (const id of start.model.order) expect(views.get(id)).toEqual(shown(store.getState(), id));
      }
    }),
    { numRuns: 1_000 },
  );
});

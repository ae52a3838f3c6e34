import { expect, test } from 'vitest';
import { buildGraph } from '../../../src-shared/notebook/graph.ts';
import { cellId } from '../../../src-shared/notebook/ids.ts';
import { graphCell } from '../../language/graphCell.ts';
import type { CellState, SessionState } from '../state/state.ts';
import { createWorld } from '../testing/testWorld.ts';
import { relink } from './relink.ts';

/** The edges and the order from linking everything again. */
function relinked(state: SessionState) {
  const cells = Array.from(state.cells.values(), ({ id, analysis }) => graphCell(id, analysis));
  const result = buildGraph(cells, state.file.variantGroups);
  if (result.kind !== 'graph') throw new Error(result.message);
  const { edges, topologicalOrder, roots, leaves } = result.graph;
  return { edges, topologicalOrder, roots, leaves };
}

function linked({ graph }: SessionState) {
  const { edges, topologicalOrder, roots, leaves } = graph;
  return { edges, topologicalOrder, roots, leaves };
}

/** The state with one cell added or removed at a position. */
function changed(state: SessionState, change: (cells: [CellState['id'], CellState][]) => void): SessionState {
  const cells = [...state.cells];
  change(cells);
  return relink({ ...state, cells: new Map(cells) });
}

const ROWS: readonly (readonly [what: string, sources: Readonly<Record<string, string>>, empty: string])[] = [
  ['an empty cell between two', { a: 'x = 1', b: '', c: 'y = x' }, 'b'],
  ['an empty cell another waits for', { a: 'x = 1', b: '', c: '# @after b\ny = 2' }, 'b'],
  ['an empty cell that waits itself', { a: 'x = 1', b: '# @after a\n', c: 'y = x' }, 'b'],
  ['a cell that reads', { a: 'x = 1', b: 'x', c: 'y = x' }, 'b'],
  ['a cell that defines', { a: 'x = 1', b: 'x = 2', c: 'y = x' }, 'b'],
  ['a variant', { a: '# @variant g one\nx = 1', b: '# @variant g two\n', c: 'y = x' }, 'b'],
];

for (const [what, sources, empty] of ROWS) {
  test(`removed and restored: ${what}`, () => {
    const whole = relink(createWorld(sources).state());
    const id = cellId(empty);
    const place = [...whole.cells.keys()].indexOf(id);
    const cell = whole.cells.get(id);
    if (cell === undefined) throw new Error('no such cell');
    const without = changed(whole, (cells) => cells.splice(place, 1));
    expect(linked(without)).toEqual(relinked(without));
    const back = changed(without, (cells) => cells.splice(place, 0, [id, cell]));
    expect(linked(back)).toEqual(relinked(back));
    expect(linked(back)).toEqual(linked(whole));
  });
}

test('without a change: the same graph object', () => {
  const state = relink(createWorld({ a: 'x = 1', b: 'y = x' }).state());
  expect(relink(state).graph).toBe(state.graph);
});

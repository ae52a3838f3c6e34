/**
 * Adds or removes one cell without links (it defines, reads and waits for nothing, like a new cell): the same
 * result as {@link buildGraph}, without visiting other cells.
 */

import type { Graph } from './graph.ts';
import type { CellId } from './ids.ts';

/** @param order all cells of the notebook, including the new one */
export function withIsolated(graph: Graph, id: CellId, order: readonly CellId[]): Graph {
  const at = new Map(order.map((cell, index) => [cell, index]));
  const own = at.get(id) ?? order.length;
  const insert = (cells: readonly CellId[]): readonly CellId[] => {
    const next = cells.findIndex((cell) => (at.get(cell) ?? 0) > own);
    return next === -1 ? [...cells, id] : [...cells.slice(0, next), id, ...cells.slice(next)];
  };
  const roots = insert(graph.roots);
  return {
    ...graph,
    roots,
    leaves: insert(graph.leaves),
    // Roots come first, in notebook order.
    topologicalOrder: [...roots, ...graph.topologicalOrder.slice(graph.roots.length)],
    upstream: new Map(graph.upstream).set(id, []),
    downstream: new Map(graph.downstream).set(id, []),
    consumed: new Map(graph.consumed).set(id, []),
    wiring: new Map(graph.wiring).set(id, new Map()),
  };
}

/** The graph without a cell that has no links. */
export function withoutIsolated(graph: Graph, id: CellId): Graph {
  const others = (cells: readonly CellId[]): readonly CellId[] => cells.filter((cell) => cell !== id);
  const links = <T>(all: ReadonlyMap<CellId, T>): ReadonlyMap<CellId, T> => {
    const rest = new Map(all);
    rest.delete(id);
    return rest;
  };
  return {
    ...graph,
    roots: others(graph.roots),
    leaves: others(graph.leaves),
    topologicalOrder: others(graph.topologicalOrder),
    upstream: links(graph.upstream),
    downstream: links(graph.downstream),
    consumed: links(graph.consumed),
    wiring: links(graph.wiring),
  };
}

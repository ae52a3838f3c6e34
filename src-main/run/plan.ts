/** Orders the cells of a run, and finds the upstream cells that must run first. */

import type { Graph } from '../../src-shared/notebook/graph.ts';
import type { CellId } from '../../src-shared/notebook/ids.ts';

type Upstream = Pick<Graph, 'upstream'>['upstream'];

/**
 * Sorts the given cells so that each comes after everything it depends on; where the graph leaves a choice,
 * the given (notebook) order is kept. Only an @after edge can move a cell.
 */
export function inRunOrder(cells: readonly CellId[], upstream: Upstream): readonly CellId[] {
  const targets = new Set(cells);
  const orderedIds = new Set<CellId>();
  const order: CellId[] = [];
  const visit = (id: CellId): void => {
    if (orderedIds.has(id)) return;
    orderedIds.add(id);
    for (const above of upstream.get(id) ?? []) visit(above);
    if (targets.has(id)) order.push(id);
  };
  for (const id of cells) visit(id);
  return order;
}

/** A cell's transitive upstreams, in run order, without the cell itself. */
export function upstreamsOf(id: CellId, upstream: Upstream): readonly CellId[] {
  const visited = new Set<CellId>([id]);
  const order: CellId[] = [];
  const visit = (above: CellId): void => {
    if (visited.has(above)) return;
    visited.add(above);
    for (const next of upstream.get(above) ?? []) visit(next);
    order.push(above);
  };
  for (const above of upstream.get(id) ?? []) visit(above);
  return order;
}

/**
 * The cells to run before `target` (docs/spec/staleness-and-runs.md, 3): its upstreams that are not ready, in order.
 * Every mode but `force` runs them first.
 */
export function planUpstreams(
  target: CellId,
  options: { readonly upstream: Upstream; readonly isReady: (id: CellId) => boolean },
): readonly CellId[] {
  return upstreamsOf(target, options.upstream).filter((id) => !options.isReady(id));
}

import type { Edge } from '../wire/dag.ts';
import type { CellId } from './ids.ts';

/** What the graph needs to know of an active cell. */
export interface GraphCell {
  readonly id: CellId;
  readonly defines: readonly string[];
  readonly references: readonly string[];
  readonly builtinReferences: readonly string[];
  /** Cell ids of @after, as written. */
  readonly after: readonly string[];
}

export interface Graph {
  /** By consumer in notebook order; @after edges carry the variable `""`. */
  readonly edges: readonly Edge[];
  readonly topologicalOrder: readonly CellId[];
  readonly roots: readonly CellId[];
  readonly leaves: readonly CellId[];
  /** Name → the last cell that defines it. */
  readonly variableProducer: ReadonlyMap<string, { readonly id: CellId }>;
  readonly upstream: ReadonlyMap<CellId, readonly CellId[]>;
  readonly downstream: ReadonlyMap<CellId, readonly CellId[]>;
  /** The variables a cell's outgoing edges carry, sorted: what it has to store. */
  readonly consumed: ReadonlyMap<CellId, readonly string[]>;
  /** Consumer → name → the one cell it loads the name from. */
  readonly wiring: ReadonlyMap<CellId, ReadonlyMap<string, CellId>>;
  /** Words about names a cell takes over from an earlier definer; absent where there are none. */
  readonly shadowWarnings: ReadonlyMap<CellId, readonly string[]>;
}

export type GraphResult =
  | { readonly kind: 'graph'; readonly graph: Graph }
  | { readonly kind: 'cycle'; readonly cells: readonly CellId[]; readonly message: string };

interface Node {
  readonly id: CellId;
  readonly upstream: CellId[];
  readonly downstream: Node[];
  readonly consumed: Set<string>;
  readonly wiring: Map<string, CellId>;
  waiting: number;
}

/**
 * Links the active cells, given in notebook order (semantics 3.1): a name binds to the nearest earlier
 * definer or to none, so only @after can point forward and close a cycle.
 */
export function buildGraph(cells: readonly GraphCell[]): GraphResult {
  const nodes = new Map<string, Node>();
  for (const { id } of cells) {
    nodes.set(id, {
      id,
      upstream: [],
      downstream: [],
      consumed: new Set(),
      wiring: new Map(),
      waiting: 0,
    });
  }
  const { edges, producers, shadowWarnings } = link(cells, nodes);
  const order = sort(nodes);
  if (order.length < nodes.size) return cycleIn(nodes, new Set(order));
  const all = [...nodes.values()];
  return {
    kind: 'graph',
    graph: {
      edges,
      topologicalOrder: order.map(({ id }) => id),
      roots: all.filter(({ upstream }) => upstream.length === 0).map(({ id }) => id),
      leaves: all.filter(({ downstream }) => downstream.length === 0).map(({ id }) => id),
      variableProducer: producers,
      upstream: new Map(all.map(({ id, upstream }) => [id, upstream])),
      downstream: new Map(all.map(({ id, downstream }) => [id, downstream.map((node) => node.id)])),
      consumed: new Map(all.map(({ id, consumed }) => [id, [...consumed].sort()])),
      wiring: new Map(all.map(({ id, wiring }) => [id, wiring])),
      shadowWarnings,
    },
  };
}

function link(cells: readonly GraphCell[], nodes: ReadonlyMap<string, Node>) {
  const edges: Edge[] = [];
  const producers = new Map<string, Node>();
  const shadowWarnings = new Map<CellId, readonly string[]>();
  const connect = (from: Node, to: Node, variable: string): void => {
    edges.push({ from_cell_id: from.id, to_cell_id: to.id, variable });
    // All edges into a cell are made in one go, so a second one from the same cell finds it last.
    if (from.downstream.at(-1) === to) return;
    from.downstream.push(to);
    to.upstream.push(from.id);
  };
  for (const { id, defines, references, builtinReferences, after } of cells) {
    const node = nodes.get(id);
    if (node === undefined) continue;
    for (const name of [...references, ...builtinReferences]) {
      const producer = producers.get(name);
      if (producer === undefined || producer === node || node.wiring.has(name)) continue;
      connect(producer, node, name);
      producer.consumed.add(name);
      node.wiring.set(name, producer.id);
    }
    for (const other of new Set(after)) {
      const first = nodes.get(other);
      if (first !== undefined && first !== node) connect(first, node, '');
    }
    const shadowed: string[] = [];
    for (const name of defines) {
      const earlier = producers.get(name);
      if (earlier !== undefined && earlier !== node)
        shadowed.push(`"${name}" takes over from cell ${earlier.id.slice(0, 8)}`);
      producers.set(name, node);
    }
    if (shadowed.length > 0) shadowWarnings.set(id, shadowed);
  }
  return { edges, producers, shadowWarnings };
}

/** Kahn's algorithm with a first-in first-out queue seeded in cell order; shorter than `nodes` on a cycle. */
function sort(nodes: ReadonlyMap<string, Node>): readonly Node[] {
  const queue: Node[] = [];
  for (const node of nodes.values()) {
    node.waiting = node.upstream.length;
    if (node.waiting === 0) queue.push(node);
  }
  for (let head = 0; head < queue.length; head += 1) {
    for (const next of queue[head]?.downstream ?? []) {
      next.waiting -= 1;
      if (next.waiting === 0) queue.push(next);
    }
  }
  return queue;
}

/** Names one cycle: every cell left over has a left-over upstream, so walking up must come round. */
function cycleIn(nodes: ReadonlyMap<string, Node>, sorted: ReadonlySet<Node>): GraphResult {
  const path: Node[] = [];
  const at = new Map<Node, number>();
  let node = [...nodes.values()].find((candidate) => !sorted.has(candidate));
  while (node !== undefined && !at.has(node)) {
    at.set(node, path.length);
    path.push(node);
    const waitsFor: CellId | undefined = node.upstream.find((id) => {
      const candidate = nodes.get(id);
      return candidate !== undefined && !sorted.has(candidate);
    });
    node = waitsFor === undefined ? undefined : nodes.get(waitsFor);
  }
  const start = node === undefined ? 0 : (at.get(node) ?? 0);
  const cells = path
    .slice(start)
    .reverse()
    .map(({ id }) => id);
  return {
    kind: 'cycle',
    cells,
    message: `cells wait for each other in a circle: ${[...cells, cells[0]].join(' → ')}`,
  };
}

/** Everything that depends on `id`, directly or not, in topological order, without `id`. */
export function descendantsOf(graph: Graph, id: CellId): readonly CellId[] {
  return reach(graph, graph.downstream, id);
}

/** Everything `id` depends on, directly or not, in topological order, without `id`. */
export function ancestorsOf(graph: Graph, id: CellId): readonly CellId[] {
  return reach(graph, graph.upstream, id);
}

function reach(graph: Graph, next: ReadonlyMap<CellId, readonly CellId[]>, id: CellId): readonly CellId[] {
  const found = new Set<CellId>();
  const pending = [...(next.get(id) ?? [])];
  for (let cell = pending.pop(); cell !== undefined; cell = pending.pop()) {
    if (found.has(cell)) continue;
    found.add(cell);
    pending.push(...(next.get(cell) ?? []));
  }
  return graph.topologicalOrder.filter((cell) => found.has(cell));
}

function sameList(a: readonly string[] = [], b: readonly string[] = []): boolean {
  return a === b || (a.length === b.length && a.every((value, i) => value === b[i]));
}

function sameWires(a: ReadonlyMap<string, CellId>, b: ReadonlyMap<string, CellId>): boolean {
  return a.size === b.size && [...a].every(([name, id]) => b.get(name) === id);
}

/** `next` with the values of `before` where they are alike. */
function alike<T>(
  before: ReadonlyMap<CellId, T>,
  next: ReadonlyMap<CellId, T>,
  same: (a: T, b: T) => boolean,
): ReadonlyMap<CellId, T> {
  const kept = new Map(next);
  for (const [id, value] of next) {
    const was = before.get(id);
    if (was !== undefined && same(was, value)) kept.set(id, was);
  }
  return kept;
}

/**
 * `next`, its cells' links with the identity they had in `before` where they are what they were: whatever was made
 * from them still holds, and is found by comparing two references.
 */
export function keepAlike(before: Graph, next: Graph): Graph {
  return {
    ...next,
    upstream: alike(before.upstream, next.upstream, sameList),
    downstream: alike(before.downstream, next.downstream, sameList),
    consumed: alike(before.consumed, next.consumed, sameList),
    wiring: alike(before.wiring, next.wiring, sameWires),
    shadowWarnings: alike(before.shadowWarnings, next.shadowWarnings, sameList),
  };
}

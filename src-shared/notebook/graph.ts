/** Builds the graph of a notebook's cells: which cell reads which names from which other cell. */

import type { Edge } from '../wire/dag.ts';
import { Definers, type GivenCode, NO_OPEN_NAMES, type OpenName, openNames } from './forwardNames.ts';
import type { CellId } from './ids.ts';
import { type Bundle, type FanOut, fanOutOf, type Producer, Producers, producerOf } from './producers.ts';
import {
  duplicateVariant,
  groupVariants,
  NO_VARIANTS,
  type VariantSetting,
  type Variants,
} from './variants.ts';

/** The properties of a cell that the graph needs. */
export interface GraphCell {
  readonly id: CellId;
  readonly defines: readonly string[];
  readonly references: readonly string[];
  readonly builtinReferences: readonly string[];
  /** Names it reads if an earlier cell defines them; unbound ones are not an error. */
  readonly maybeReferences?: readonly string[];
  /** Names it defines only conditionally: a reader gets the earlier value if the condition was false. */
  readonly maybeDefines?: readonly string[];
  /** Cell ids of @after, as written. */
  readonly after: readonly string[];
  /** Absent or null: the cell runs once. `startFrom`: the cell whose iteration it starts with, as written. */
  readonly loop?: { readonly carry: string; readonly startFrom: string | null } | null;
  readonly variant: { readonly group: string; readonly name: string } | null;
  /** The @per_variant of a cell that can run once per variant; without a group it is inferred. */
  readonly perVariant: { readonly group: string | null } | null;
  /**
   * For a Python cell: the needs of the code it provides. Absent or null: it neither provides nor calls code
   * of cells.
   */
  readonly code?: GivenCode | null;
}

/** The links between the cells of a notebook. */
export interface Graph extends Variants {
  /** By consumer in notebook order; @after edges carry the variable `""`. */
  readonly edges: readonly Edge[];
  readonly topologicalOrder: readonly CellId[];
  readonly roots: readonly CellId[];
  readonly leaves: readonly CellId[];
  /** Name → the last cell that defines it, or `sweep:<group>`, `fanout:<group>`; computed on demand. */
  readonly variableProducer: () => ReadonlyMap<string, string>;
  readonly upstream: ReadonlyMap<CellId, readonly CellId[]>;
  readonly downstream: ReadonlyMap<CellId, readonly CellId[]>;
  /** The variables on a cell's outgoing edges, sorted: what it must store. */
  readonly consumed: ReadonlyMap<CellId, readonly string[]>;
  /**
   * Consumer → name → the one cell it loads the name from; including the forward names of code it may call,
   * which are wired to the nearest definer above the consumer.
   */
  readonly wiring: ReadonlyMap<CellId, ReadonlyMap<string, CellId>>;
  /** Consumer → name → the variants it is loaded from; absent if there are none. */
  readonly bundles: ReadonlyMap<CellId, ReadonlyMap<string, Bundle>>;
  /** Cells that run once per variant. */
  readonly fanOuts: ReadonlyMap<CellId, FanOut>;
  /** Warnings about names that a cell redefines; absent if there are none. */
  readonly shadowWarnings: ReadonlyMap<CellId, readonly string[]>;
  /**
   * Cell → name → the first later cell that defines it, for names that the cell or code it may call reads and
   * that no earlier cell defines; absent if there are none.
   */
  readonly below: ReadonlyMap<CellId, ReadonlyMap<string, CellId>>;
}

type GraphResult =
  | { readonly kind: 'graph'; readonly graph: Graph }
  /** Cells that wait for each other, or duplicate variants: there is no order to run them in. */
  | {
      readonly kind: 'cycle' | 'duplicate';
      readonly cells: readonly CellId[];
      readonly message: string;
      readonly variants: Variants;
    };

interface Node {
  readonly id: CellId;
  readonly upstream: CellId[];
  readonly downstream: Node[];
  readonly consumed: Set<string>;
  readonly wiring: Map<string, CellId>;
  readonly bundles: Map<string, Bundle>;
  readonly below: Map<string, CellId>;
  /** The needs that its provided names leave to their callers. */
  open: ReadonlyMap<string, readonly OpenName[]>;
  fanOut: FanOut | null;
  waiting: number;
}

const NO_OPEN: ReadonlyMap<string, readonly OpenName[]> = new Map();

/**
 * Links the active cells of a notebook, given in its order (docs/spec/analysis-and-graph.md, 3.1): a name binds to the
 * nearest earlier definer or to none, so only @after can point forward and close a cycle.
 */
export function buildGraph(
  cells: readonly GraphCell[],
  settings: readonly VariantSetting[] = [],
): GraphResult {
  const variants = groupVariants(cells, settings);
  const duplicate = duplicateVariant(variants.groups);
  if (duplicate !== null) return { kind: 'duplicate', ...duplicate, variants };
  const nodes = new Map<string, Node>();
  for (const { id } of cells) {
    if (variants.inactive.has(id)) continue;
    nodes.set(id, {
      id,
      upstream: [],
      downstream: [],
      consumed: new Set(),
      wiring: new Map(),
      bundles: new Map(),
      below: new Map(),
      open: NO_OPEN,
      fanOut: null,
      waiting: 0,
    });
  }
  const { edges, producers, shadowWarnings } = link(cells, {
    nodes,
    variants,
    passedOn: passedOn(cells, variants),
  });
  const order = sort(nodes);
  if (order.length < nodes.size) return { ...cycleIn(nodes, new Set(order)), variants };
  const all = [...nodes.values()];
  return {
    kind: 'graph',
    graph: {
      ...variants,
      edges,
      topologicalOrder: order.map(({ id }) => id),
      roots: all.filter(({ upstream }) => upstream.length === 0).map(({ id }) => id),
      leaves: all.filter(({ downstream }) => downstream.length === 0).map(({ id }) => id),
      variableProducer: () => producers.labels(),
      upstream: byId(all, ({ upstream }) => upstream),
      downstream: byId(all, ({ downstream }) => downstream.map((node) => node.id)),
      consumed: byId(all, ({ consumed }) => (consumed.size < 2 ? [...consumed] : [...consumed].sort())),
      wiring: byId(all, ({ wiring }) => wiring),
      bundles: byId(all, ({ bundles }) => (bundles.size === 0 ? null : bundles)),
      fanOuts: byId(all, ({ fanOut }) => fanOut),
      shadowWarnings,
      below: byId(all, ({ below }) => (below.size === 0 ? null : below)),
    },
  };
}

/** A value for each cell that has one, in cell order. */
function byId<T>(nodes: readonly Node[], read: (node: Node) => T | null): ReadonlyMap<CellId, T> {
  const values = new Map<CellId, T>();
  for (const node of nodes) {
    const value = read(node);
    if (value !== null) values.set(node.id, value);
  }
  return values;
}

function link(
  cells: readonly GraphCell[],
  {
    nodes,
    variants,
    passedOn,
  }: {
    readonly nodes: ReadonlyMap<string, Node>;
    readonly variants: Variants;
    readonly passedOn: ReadonlyMap<CellId, readonly string[]>;
  },
) {
  const edges: Edge[] = [];
  const producers = new Producers();
  const shadowWarnings = new Map<CellId, readonly string[]>();
  /** The carry of each loop so far. */
  const carries = new Map<string, { readonly id: CellId; readonly carry: string }>();
  const swept = new Set(variants.groups.flatMap(({ group, mode }) => (mode === 'sweep' ? [group] : [])));
  const connect = (fromId: CellId, to: Node, variable: string): void => {
    const from = nodes.get(fromId);
    if (from === undefined) return;
    edges.push({ from_cell_id: from.id, to_cell_id: to.id, variable });
    if (variable !== '') from.consumed.add(variable);
    // All edges into a cell are made in one go, so an earlier edge from the same cell is the last one.
    if (from.downstream.at(-1) === to) return;
    from.downstream.push(to);
    to.upstream.push(from.id);
  };
  const definers = new Definers(cells.filter(({ id }) => nodes.has(id)));
  let place = -1;
  for (const cell of cells) {
    const { id, defines, after, loop, variant, perVariant } = cell;
    const node = nodes.get(id);
    if (node === undefined) continue;
    place += 1;
    const member = variant !== null && swept.has(variant.group) ? variant : null;
    const wire = (from: Producer | null, name: string): void => {
      if (from === null || node.wiring.has(name) || node.bundles.has(name)) return;
      if (from.kind === 'cell') {
        connect(from.id, node, name);
        node.wiring.set(name, from.id);
        return;
      }
      for (const giver of from.givers) connect(giver, node, name);
      node.bundles.set(name, from);
    };
    const startFrom = loop?.startFrom ?? null;
    for (const name of [...readBy(cell), ...(passedOn.get(id) ?? [])]) {
      if (startFrom === null || name !== loop?.carry) wire(producers.find(name, member?.group ?? null), name);
    }
    // The carry comes from another loop of the same carry, not from the nearest definer
    // (docs/spec/analysis-and-graph.md, 3.5).
    const start = startFrom === null ? undefined : carries.get(startFrom);
    if (start !== undefined && loop && start.carry === loop.carry)
      wire({ kind: 'cell', id: start.id }, loop.carry);
    if (loop) carries.set(id, { id, carry: loop.carry });
    const forward = { cell, node, nodes, definers, place };
    const find = (name: string): Producer | null => producers.find(name, member?.group ?? null);
    bindForwardNames({ ...forward, find, wire });
    for (const other of new Set(after)) {
      const first = nodes.get(other);
      if (first !== undefined && first !== node) connect(first.id, node, '');
    }
    if (variant === null && perVariant !== null) node.fanOut = fanOutOf(perVariant.group, node.bundles);
    node.open = openNamesOf({ ...forward, find });
    const shadowed: string[] = [];
    const definer = { id, member, fanOut: node.fanOut };
    const own = producerOf(definer);
    // A loop provides its carry, even if its body only changes it in place (docs/spec/analysis-and-graph.md, 3.5).
    const carryNames =
      loop && !loop.carry.startsWith('_') && !defines.includes(loop.carry) ? [loop.carry] : [];
    for (const name of [...defines, ...carryNames]) {
      const warning = own === null ? producers.join(name, definer) : producers.define(name, own);
      if (warning !== null) shadowed.push(`"${name}" replaces the definition in ${warning}`);
    }
    if (shadowed.length > 0) shadowWarnings.set(id, shadowed);
  }
  return { edges, producers, shadowWarnings };
}

function readBy({ references, builtinReferences, maybeReferences = [] }: GraphCell): readonly string[] {
  return [...references, ...builtinReferences, ...maybeReferences];
}

/**
 * The inputs each cell needs because it may pass on an earlier definition: it defines the names only
 * conditionally, and a later cell, or one that passes them on in turn, reads them.
 */
function passedOn(cells: readonly GraphCell[], variants: Variants): ReadonlyMap<CellId, readonly string[]> {
  const passed = new Map<CellId, readonly string[]>();
  if (!cells.some(({ maybeDefines = [] }) => maybeDefines.length > 0)) return passed;
  /** Names read further down, from their last definer. An unconditional definition in a cell above satisfies them. */
  const needs = new Set<string>();
  for (const cell of [...cells].reverse()) {
    const { id, defines, maybeDefines = [], variant } = cell;
    if (variants.inactive.has(id)) continue;
    const names = maybeDefines.filter((name) => needs.has(name));
    if (names.length > 0) passed.set(id, names);
    // Members of a swept group are alternatives: none of them satisfies a name for the others.
    if (variant === null) for (const name of defines) if (!maybeDefines.includes(name)) needs.delete(name);
    for (const name of readBy(cell)) needs.add(name);
    if (cell.loop) needs.add(cell.loop.carry);
  }
  return passed;
}

interface ForwardLink {
  readonly cell: GraphCell;
  readonly node: Node;
  readonly nodes: ReadonlyMap<string, Node>;
  readonly definers: Definers;
  /** The position of the cell among the active cells. */
  readonly place: number;
  readonly find: (name: string) => Producer | null;
}

/** Wires the open names of code that a cell may call, and records which names only a later cell defines. */
function bindForwardNames({
  cell,
  node,
  nodes,
  definers,
  place,
  find,
  wire,
}: ForwardLink & { readonly wire: (from: Producer | null, name: string) => void }): void {
  const noteBelow = (name: string): void => {
    const below = definers.below(name, place);
    if (below !== null) node.below.set(name, below);
  };
  const isBound = (name: string): boolean => node.wiring.has(name) || node.bundles.has(name);
  for (const name of [...cell.references, ...cell.builtinReferences]) if (!isBound(name)) noteBelow(name);
  if (!cell.code) return;
  const openOf = (giver: CellId, name: string) => nodes.get(giver)?.open.get(name) ?? NO_OPEN_NAMES;
  const pending = [
    ...[...node.wiring].flatMap(([name, giver]) => openOf(giver, name)),
    ...[...node.bundles].flatMap(([name, { givers }]) => givers.flatMap((giver) => openOf(giver, name))),
  ];
  for (let open = pending.pop(); open !== undefined; open = pending.pop()) {
    const { name, pinnedTo } = open;
    if (isBound(name)) continue;
    const from = find(name);
    if (from === null) {
      if (!cell.defines.includes(name)) noteBelow(name);
    } else if (from.kind === 'cell' && from.id !== pinnedTo) {
      wire(from, name);
      pending.push(...openOf(from.id, name));
    }
  }
}

function openNamesOf({ cell, node, nodes, definers, place, find }: ForwardLink): Node['open'] {
  if (!cell.code || cell.code.size === 0) return NO_OPEN;
  const inherits = node.upstream.some((id) => (nodes.get(id)?.open.size ?? 0) > 0);
  if (!inherits && [...cell.code.values()].every(({ late }) => late.length === 0)) return NO_OPEN;
  return openNames(cell.code, {
    defines: cell.defines,
    giversOf: (name) => {
      const giver = node.wiring.get(name);
      return giver === undefined ? (node.bundles.get(name)?.givers ?? []) : [giver];
    },
    openOf: (giver, name) => nodes.get(giver)?.open.get(name) ?? NO_OPEN_NAMES,
    isBelow: (name) => definers.below(name, place) !== null,
    above: (name) => {
      const from = find(name);
      return from?.kind === 'cell' ? from.id : null;
    },
  });
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

/** Names one cycle: every remaining cell has a remaining upstream, so walking up must repeat. */
function cycleIn(nodes: ReadonlyMap<string, Node>, sorted: ReadonlySet<Node>) {
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
    kind: 'cycle' as const,
    cells,
    message: `circular dependency between cells: ${[...cells, cells[0]].join(' → ')}`,
  };
}

/** The graph of cells that cannot be ordered: no edges, nothing consumed, nothing to plan. */
export const NO_GRAPH: Graph = {
  edges: [],
  topologicalOrder: [],
  roots: [],
  leaves: [],
  variableProducer: () => new Map(),
  upstream: new Map(),
  downstream: new Map(),
  consumed: new Map(),
  wiring: new Map(),
  bundles: new Map(),
  fanOuts: new Map(),
  ...NO_VARIANTS,
  shadowWarnings: new Map(),
  below: new Map(),
};

/** Everything that depends on `id`, directly or not, in topological order, without `id`. */
export function descendantsOf(graph: Graph, id: CellId): readonly CellId[] {
  return reach(graph, graph.downstream, id);
}

/** Everything `id` depends on, directly or not, in topological order, without `id`. */
export function ancestorsOf(graph: Graph, id: CellId): readonly CellId[] {
  return reach(graph, graph.upstream, id);
}

function reach(graph: Graph, next: ReadonlyMap<CellId, readonly CellId[]>, id: CellId): readonly CellId[] {
  const result = new Set<CellId>();
  const pending = [...(next.get(id) ?? [])];
  for (let cell = pending.pop(); cell !== undefined; cell = pending.pop()) {
    if (result.has(cell)) continue;
    result.add(cell);
    pending.push(...(next.get(cell) ?? []));
  }
  return graph.topologicalOrder.filter((cell) => result.has(cell));
}

function sameList(a: readonly string[] = [], b: readonly string[] = []): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i += 1) if (a[i] !== b[i]) return false;
  return true;
}

function sameJson<T>(a: T, b: T): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}

function sameBundles(a: ReadonlyMap<string, Bundle>, b: ReadonlyMap<string, Bundle>): boolean {
  return a.size === b.size && [...a].every(([name, bundle]) => sameJson(b.get(name), bundle));
}

function sameWires(a: ReadonlyMap<string, CellId>, b: ReadonlyMap<string, CellId>): boolean {
  if (a.size !== b.size) return false;
  for (const [name, id] of a) if (b.get(name) !== id) return false;
  return true;
}

/** `next` with the values of `before` where they are equal. */
function reuseEqual<T>(
  before: ReadonlyMap<CellId, T>,
  next: ReadonlyMap<CellId, T>,
  same: (a: T, b: T) => boolean,
): ReadonlyMap<CellId, T> {
  const values = new Map<CellId, T>();
  for (const [id, value] of next) {
    const was = before.get(id);
    values.set(id, was !== undefined && same(was, value) ? was : value);
  }
  return values;
}

/**
 * `next` with the cells' unchanged links as the same objects as in `before`, so that caches can compare references.
 */
export function reuseUnchangedLinks(before: Graph, next: Graph): Graph {
  return {
    ...next,
    upstream: reuseEqual(before.upstream, next.upstream, sameList),
    downstream: reuseEqual(before.downstream, next.downstream, sameList),
    consumed: reuseEqual(before.consumed, next.consumed, sameList),
    wiring: reuseEqual(before.wiring, next.wiring, sameWires),
    bundles: reuseEqual(before.bundles, next.bundles, sameBundles),
    fanOuts: reuseEqual(before.fanOuts, next.fanOuts, sameJson),
    groups: sameJson(before.groups, next.groups) ? before.groups : next.groups,
    shadowWarnings: reuseEqual(before.shadowWarnings, next.shadowWarnings, sameList),
    below: reuseEqual(before.below, next.below, sameWires),
  };
}

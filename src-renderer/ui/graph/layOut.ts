/** Computes the positions of a graph's nodes, from left to right, and the node that an arrow key leads to. */

import { Graph, layout } from '@dagrejs/dagre';

/** Nodes with their names, and edges between them. */
export interface NamedGraph {
  readonly nodes: readonly { readonly id: string; readonly name: string }[];
  readonly edges: readonly { readonly from: string; readonly to: string }[];
}

export interface PlacedNode {
  readonly id: string;
  readonly name: string;
  /** The top left corner, in CSS px. */
  readonly x: number;
  readonly y: number;
  readonly width: number;
}

export const NODE_HEIGHT = 28;
/** The most nodes for the layout by dagre, which takes seconds for more. */
const LARGE = 120;
const LETTER = 6.6;

/** The width of a node in CSS px: enough for its name beside the mark, within limits. */
function widthOf(name: string): number {
  return Math.round(Math.min(220, Math.max(76, 44 + name.length * LETTER)));
}

/**
 * Positions for a graph, from left to right. Nodes without edges are placed in rows below, because the layout would put
 * all of them into one long column.
 */
export function layOut(graph: NamedGraph, height = NODE_HEIGHT): readonly PlacedNode[] {
  if (graph.nodes.length > LARGE) return layOutLarge(graph, height);
  const linked = new Set(graph.edges.flatMap(({ from, to }) => [from, to]));
  const drawing = new Graph();
  drawing.setGraph({ rankdir: 'LR', nodesep: 14, ranksep: 44, marginx: 16, marginy: 16 });
  drawing.setDefaultEdgeLabel(() => ({}));
  for (const { id, name } of graph.nodes) {
    if (linked.has(id)) drawing.setNode(id, { width: widthOf(name), height });
  }
  for (const { from, to } of graph.edges) drawing.setEdge(from, to);
  layout(drawing);
  const placedNodes: PlacedNode[] = [];
  let bottom = 16;
  let right = 720;
  for (const { id, name } of graph.nodes) {
    if (!linked.has(id)) continue;
    const { x, y, width } = drawing.node(id);
    const at = { id, name, width, x: Math.round(x - width / 2), y: Math.round(y - height / 2) };
    bottom = Math.max(bottom, at.y + height + 28);
    right = Math.max(right, at.x + width);
    placedNodes.push(at);
  }
  return [...placedNodes, ...rowsOf(graph, { linked, top: bottom, right: Math.min(right, 1_600), height })];
}

/**
 * Columns by the longest path from a root, each node beside the middle of its inputs: one pass, which takes
 * milliseconds for thousands of nodes.
 */
function layOutLarge(graph: NamedGraph, height: number): readonly PlacedNode[] {
  const linked = new Set(graph.edges.flatMap(({ from, to }) => [from, to]));
  const reads = new Map<string, string[]>();
  for (const { from, to } of graph.edges) reads.set(to, [...(reads.get(to) ?? []), from]);
  const depths = depthsOf(graph, reads);
  const layers: { id: string; name: string }[][] = [];
  for (const node of graph.nodes) {
    if (!linked.has(node.id)) continue;
    const depth = depths.get(node.id) ?? 0;
    layers[depth] = [...(layers[depth] ?? []), node];
  }
  const middles = new Map<string, number>();
  const placedNodes: PlacedNode[] = [];
  let [x, bottom] = [16, 16];
  for (const layer of layers) {
    const parentMiddle = (id: string): number => {
      const above = (reads.get(id) ?? []).map((from) => middles.get(from) ?? 0);
      return above.length === 0 ? 0 : above.reduce((sum, one) => sum + one, 0) / above.length;
    };
    const sorted = (layer ?? [])
      .map((node) => ({ ...node, at: parentMiddle(node.id) }))
      .sort((a, b) => a.at - b.at);
    let y = 16;
    for (const { id, name, at } of sorted) {
      y = Math.max(y, Math.round(at));
      placedNodes.push({ id, name, x, y, width: widthOf(name) });
      middles.set(id, y);
      y += height + 14;
    }
    bottom = Math.max(bottom, y + 14);
    x += Math.max(0, ...sorted.map(({ name }) => widthOf(name))) + 44;
  }
  return [
    ...placedNodes,
    ...rowsOf(graph, { linked, top: bottom, right: Math.min(Math.max(x, 720), 1_600), height }),
  ];
}

/** The length of the longest path to each node; in a cycle, each node counts once. */
function depthsOf(
  graph: NamedGraph,
  reads: ReadonlyMap<string, readonly string[]>,
): ReadonlyMap<string, number> {
  const depths = new Map<string, number>();
  const visited = new Set<string>();
  for (const { id } of graph.nodes) {
    const stack = [id];
    for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
      const open = (reads.get(top) ?? []).filter((from) => !visited.has(from));
      visited.add(top);
      if (open.length > 0) {
        stack.push(...open.slice(0, 1));
        continue;
      }
      const above = (reads.get(top) ?? []).map((from) => (depths.get(from) ?? -1) + 1);
      depths.set(top, Math.max(0, ...above));
      stack.pop();
    }
  }
  return depths;
}

function rowsOf(
  graph: NamedGraph,
  { linked, top, right, height }: { linked: ReadonlySet<string>; top: number; right: number; height: number },
): readonly PlacedNode[] {
  const placedNodes: PlacedNode[] = [];
  let [x, y] = [16, top];
  for (const { id, name } of graph.nodes) {
    if (linked.has(id)) continue;
    const width = widthOf(name);
    if (x > 16 && x + width > right) [x, y] = [16, y + height + 14];
    placedNodes.push({ id, name, x, y, width });
    x += width + 14;
  }
  return placedNodes;
}

/** The node that an arrow key leads to: left and right along an edge, up and down to the nearest in the same column. */
export function neighbour(
  graph: NamedGraph,
  placedNodes: readonly PlacedNode[],
  step: { readonly from: string | null; readonly key: string },
): string | null {
  const here = placedNodes.find((node) => node.id === step.from);
  if (here === undefined) return placedNodes[0]?.id ?? null;
  const others = placedNodes.filter((node) => node.id !== here.id);
  const linked = (ids: readonly string[]): readonly PlacedNode[] =>
    others.filter((node) => ids.includes(node.id));
  const near = (nodes: readonly PlacedNode[]): string | null =>
    [...nodes].sort((a, b) => distance(a, here) - distance(b, here))[0]?.id ?? null;
  switch (step.key) {
    case 'ArrowLeft':
      return near(linked(graph.edges.filter((edge) => edge.to === here.id).map((edge) => edge.from)));
    case 'ArrowRight':
      return near(linked(graph.edges.filter((edge) => edge.from === here.id).map((edge) => edge.to)));
    case 'ArrowUp':
      return near(others.filter((node) => node.y < here.y));
    case 'ArrowDown':
      return near(others.filter((node) => node.y > here.y));
    case 'Home':
      return placedNodes[0]?.id ?? null;
    case 'End':
      return placedNodes.at(-1)?.id ?? null;
    default:
      return null;
  }
}

/** Prefers nodes straight above or below to those at the side. */
function distance(a: PlacedNode, b: PlacedNode): number {
  return Math.abs(a.y - b.y) + 2 * Math.abs(a.x + a.width / 2 - (b.x + b.width / 2));
}

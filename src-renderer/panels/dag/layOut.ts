import { Graph, layout } from '@dagrejs/dagre';
import type { CellGraph } from '../../state/graph.ts';

export interface PlacedNode {
  readonly id: string;
  readonly name: string;
  /** Top left, CSS px. */
  readonly x: number;
  readonly y: number;
  readonly width: number;
}

export const NODE_HEIGHT = 28;
const LETTER = 7.2;

/** Wide enough for the name beside its mark, within reason. */
function widthOf(name: string): number {
  return Math.round(Math.min(220, Math.max(76, 44 + name.length * LETTER)));
}

/**
 * Places for a graph, left to right. Cells that neither read nor are read stand in rows below: in the layering they
 * would be one endless column.
 */
export function layOut(graph: CellGraph): readonly PlacedNode[] {
  const linked = new Set(graph.edges.flatMap(({ from, to }) => [from, to]));
  const drawing = new Graph();
  drawing.setGraph({ rankdir: 'LR', nodesep: 14, ranksep: 44, marginx: 16, marginy: 16 });
  drawing.setDefaultEdgeLabel(() => ({}));
  for (const { id, name } of graph.nodes) {
    if (linked.has(id)) drawing.setNode(id, { width: widthOf(name), height: NODE_HEIGHT });
  }
  for (const { from, to } of graph.edges) drawing.setEdge(from, to);
  layout(drawing);
  const placed: PlacedNode[] = [];
  let bottom = 16;
  let right = 720;
  for (const { id, name } of graph.nodes) {
    if (!linked.has(id)) continue;
    const { x, y, width } = drawing.node(id);
    const at = { id, name, width, x: Math.round(x - width / 2), y: Math.round(y - NODE_HEIGHT / 2) };
    bottom = Math.max(bottom, at.y + NODE_HEIGHT + 28);
    right = Math.max(right, at.x + width);
    placed.push(at);
  }
  return [...placed, ...rowsOf(graph, { linked, top: bottom, right: Math.min(right, 1_600) })];
}

function rowsOf(
  graph: CellGraph,
  { linked, top, right }: { linked: ReadonlySet<string>; top: number; right: number },
): readonly PlacedNode[] {
  const placed: PlacedNode[] = [];
  let [x, y] = [16, top];
  for (const { id, name } of graph.nodes) {
    if (linked.has(id)) continue;
    const width = widthOf(name);
    if (x > 16 && x + width > right) [x, y] = [16, y + NODE_HEIGHT + 14];
    placed.push({ id, name, x, y, width });
    x += width + 14;
  }
  return placed;
}

/** The node an arrow key leads to: along an edge left and right, to the nearest of the same column up and down. */
export function neighbour(
  graph: CellGraph,
  placed: readonly PlacedNode[],
  step: { readonly from: string | null; readonly key: string },
): string | null {
  const here = placed.find((node) => node.id === step.from);
  if (here === undefined) return placed[0]?.id ?? null;
  const others = placed.filter((node) => node.id !== here.id);
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
      return placed[0]?.id ?? null;
    case 'End':
      return placed.at(-1)?.id ?? null;
    default:
      return null;
  }
}

/** Straight above and below before slantwise. */
function distance(a: PlacedNode, b: PlacedNode): number {
  return Math.abs(a.y - b.y) + 2 * Math.abs(a.x + a.width / 2 - (b.x + b.width / 2));
}

/** Computes the first viewport of a graph: offset and zoom at which its names can be read. */

import { NODE_HEIGHT, type PlacedNode } from './layOut.ts';

/** The viewport of a drawing: its offset in CSS px, and its zoom. */
export interface Viewport {
  readonly x: number;
  readonly y: number;
  readonly zoom: number;
}

/** The smallest zoom at which names can be read. */
export const READABLE = 0.7;
const MARGIN = 24;

/**
 * The first viewport of a graph: all of it if the names can be read then. Otherwise the place of the current node or
 * the start of the graph, with as much around it as fits.
 */
export function openingView(
  placedNodes: readonly PlacedNode[],
  room: { readonly width: number; readonly height: number },
  { focusedId, height = NODE_HEIGHT }: { readonly focusedId: string | null; readonly height?: number },
): Viewport {
  const across = spanOf(placedNodes.map(({ x, width }) => ({ from: x, to: x + width })));
  const down = spanOf(placedNodes.map(({ y }) => ({ from: y, to: y + height })));
  const whole = Math.min(
    1,
    (room.width - 2 * MARGIN) / (across.to - across.from),
    (room.height - 2 * MARGIN) / (down.to - down.from),
  );
  const zoom = whole >= READABLE ? whole : 1;
  const at = placedNodes.find(({ id }) => id === focusedId) ?? placedNodes[0];
  return {
    x: offset(across, { zoom, room: room.width, middle: at === undefined ? 0 : at.x + at.width / 2 }),
    y: offset(down, { zoom, room: room.height, middle: at === undefined ? 0 : at.y + height / 2 }),
    zoom,
  };
}

interface Span {
  readonly from: number;
  readonly to: number;
}

function spanOf(spans: readonly Span[]): Span {
  if (spans.length === 0) return { from: 0, to: 0 };
  return { from: Math.min(...spans.map(({ from }) => from)), to: Math.max(...spans.map(({ to }) => to)) };
}

/**
 * The offset along one axis: centres a graph that fits, else the requested place, but does not scroll past the ends.
 */
function offset(
  { from, to }: Span,
  { zoom, room, middle }: { zoom: number; room: number; middle: number },
): number {
  const size = (to - from) * zoom;
  if (size + 2 * MARGIN <= room) return Math.round((room - size) / 2 - from * zoom);
  const [first, last] = [MARGIN - from * zoom, room - MARGIN - to * zoom];
  return Math.round(Math.min(first, Math.max(last, room / 2 - middle * zoom)));
}

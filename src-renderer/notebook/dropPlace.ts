/** Computes where dragged cells would be dropped, from the boxes of the other cells. Pure. */

export interface Box {
  readonly id: string;
  readonly top: number;
  readonly bottom: number;
}

/** A gap between cells: `index` cells are above it. */
export interface Gap {
  readonly index: number;
  /** The cell below the gap; null at the end. */
  readonly beforeId: string | null;
  /** The height at which the line is drawn, in the coordinates of the boxes. */
  readonly y: number;
}

/**
 * The gap nearest to a height.
 * @param boxes the cells in order, without those that are dragged
 */
export function gapAt(boxes: readonly Box[], y: number): Gap | null {
  if (boxes.length === 0) return null;
  let low = 0;
  let high = boxes.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const box = boxes[middle];
    if (box !== undefined && y > (box.top + box.bottom) / 2) low = middle + 1;
    else high = middle;
  }
  return gapOf(boxes, low);
}

/** The gap with `index` cells above it. */
export function gapOf(boxes: readonly Box[], index: number): Gap {
  const at = Math.max(0, Math.min(boxes.length, index));
  const [above, below] = [boxes[at - 1], boxes[at]];
  const y =
    above === undefined
      ? (below?.top ?? 0) - 5
      : below === undefined
        ? above.bottom + 5
        : (above.bottom + below.top) / 2;
  return { index: at, beforeId: below?.id ?? null, y };
}

/** Computes which rows and columns of a large table are drawn, from the scroll position. */

/** Height of a row, in CSS px. */
export const ROW_HEIGHT = 25;
/** In CSS px. Browsers limit an element to about 33 million px, so beyond this height the scroll bar is scaled. */
export const MAX_HEIGHT = 8_000_000;
const ROWS_AHEAD = 12;
const COLUMNS_AHEAD = 400;

export interface Span {
  readonly first: number;
  /** Exclusive. */
  readonly end: number;
}

/** The rows in and near a view that begins `top` px below the top of all rows. */
export function rowSpan(count: number, top: number, height: number): Span {
  const first = Math.max(0, Math.floor(top / ROW_HEIGHT) - ROWS_AHEAD);
  const end = Math.min(count, Math.ceil((top + height) / ROW_HEIGHT) + ROWS_AHEAD);
  return { first: Math.min(first, Math.max(0, count - 1)), end: Math.max(end, Math.min(1, count)) };
}

/** The columns in and near a view that begins at `left`, out of those from `from` on; `edges` from `columnEdges`. */
export function columnSpan(
  edges: readonly number[],
  from: number,
  view: { left: number; width: number },
): Span {
  const count = edges.length - 1;
  const first = Math.max(from, firstAfter(edges, view.left - COLUMNS_AHEAD) - 1);
  const end = Math.min(count, firstAfter(edges, view.left + view.width + COLUMNS_AHEAD));
  return { first: Math.min(first, count), end: Math.max(end, Math.min(first, count)) };
}

/** Index of the first edge beyond `px`. */
function firstAfter(edges: readonly number[], px: number): number {
  let low = 0;
  let high = edges.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((edges[middle] ?? 0) > px) high = middle;
    else low = middle + 1;
  }
  return low;
}

/**
 * Converts between the scroll bar's position and the position among all rows. Up to MAX_HEIGHT the two are equal;
 * beyond it, the bar is scaled so that its ends are the ends of the table.
 */
interface Scale {
  /** Height of the scrolled content, in px. */
  readonly height: number;
  readonly toBar: (top: number) => number;
  readonly toTop: (bar: number) => number;
}

export function scaleOf(count: number, viewHeight: number): Scale {
  const whole = count * ROW_HEIGHT;
  if (whole <= MAX_HEIGHT) return { height: whole, toBar: (top) => top, toTop: (bar) => bar };
  const way = Math.max(1, MAX_HEIGHT - viewHeight);
  const ratio = Math.max(1, whole - viewHeight) / way;
  return { height: MAX_HEIGHT, toBar: (top) => top / ratio, toTop: (bar) => bar * ratio };
}

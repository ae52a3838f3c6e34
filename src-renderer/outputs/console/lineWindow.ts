/**
 * Computes which lines of a long console are in the page, from the scroll position and the wrapped heights of lines.
 */

/** Height of one row of a console, in CSS px. */
export const ROW_HEIGHT = 18;
/** A log with no more lines than this is completely in the page, where the browser's own find and selection see it. */
export const ALL_LINES = 500;
/** The number of rows drawn above and below the visible part. */
const AHEAD = 30;

/** The lines to draw, and their position in rows of ROW px. */
interface LineWindow {
  readonly first: number;
  readonly end: number;
  /** The number of rows before `first`, and of all rows. */
  readonly before: number;
  readonly rows: number;
}

/** How many rows the lines before each line take; null: each line takes one row. */
export type Starts = Uint32Array | null;

/** The number of rows before each line when lines wrap at `columns`; the last entry is the number of all rows. */
export function rowStarts(count: number, widthAt: (index: number) => number, columns: number): Uint32Array {
  const starts = new Uint32Array(count + 1);
  let rows = 0;
  for (let at = 0; at < count; at += 1) {
    starts[at] = rows;
    rows += Math.max(1, Math.ceil(widthAt(at) / columns));
  }
  starts[count] = rows;
  return starts;
}

/** The lines in and near a view of `view.height` px that begins at `view.top`; `top` null: at the end. */
export function windowOf(
  count: number,
  starts: Starts,
  view: { readonly top: number | null; readonly height: number },
): LineWindow {
  const rows = starts === null ? count : (starts[count] ?? 0);
  if (count <= ALL_LINES) return { first: 0, end: count, before: 0, rows };
  const visibleLines = Math.ceil(view.height / ROW_HEIGHT);
  const firstRow = view.top === null ? rows - visibleLines : Math.floor(view.top / ROW_HEIGHT);
  const first = lineAtRow(count, starts, firstRow - AHEAD);
  const end = Math.min(count, lineAtRow(count, starts, firstRow + visibleLines + AHEAD) + 1);
  return { first, end, before: starts === null ? first : (starts[first] ?? 0), rows };
}

/** The line that row `row` is part of. */
export function lineAtRow(count: number, starts: Starts, row: number): number {
  if (starts === null) return Math.min(Math.max(0, row), Math.max(0, count - 1));
  let low = 0;
  let high = Math.max(0, count - 1);
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((starts[middle] ?? 0) <= row) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Hook that computes which rows and columns of a table are drawn at the current scroll position. */

import { useEffect, useMemo, useRef, useState } from 'react';
import type { GridColumn } from './columnLayout.ts';
import { columnEdges } from './columnLayout.ts';
import type { Span } from './gridWindow.ts';
import { columnSpan, ROW_HEIGHT, rowSpan, scaleOf } from './gridWindow.ts';
import { headerHeight } from './headerHeight.ts';

/** With at most this many columns, all are drawn and share the available width. */
const FEW_COLUMNS = 40;

interface GridView {
  /** Rows to draw, as positions among the rows of the grid (from 0). */
  readonly rows: Span;
  /** Columns to draw after the pinned ones. */
  readonly columns: Span;
  readonly edges: readonly number[];
  readonly pinned: number;
  readonly few: boolean;
  /** Height of all rows in px; null if they are in the normal flow. */
  readonly height: number | null;
  /** Top of a row in px. */
  readonly rowTop: (row: number) => number;
  readonly pageRows: number;
  readonly onScroll: (event: React.UIEvent<HTMLElement>) => void;
  /** Scrolls as little as needed to show a cell; a row below 0 is the header. */
  readonly reveal: (row: number, column: number) => void;
  /** Scrolls to the first row. */
  readonly toTop: () => void;
}

/** The part of the grid to draw at the current scroll position. `scrolls`: rows outside the box are not in the page. */
export function useGridView(
  box: React.RefObject<HTMLElement | null>,
  grid: {
    readonly columns: readonly GridColumn[];
    readonly rowCount: number;
    readonly scrolls: boolean;
    readonly bars: boolean;
  },
): GridView {
  const { columns, rowCount, scrolls } = grid;
  const few = columns.length <= FEW_COLUMNS;
  const edges = useMemo(() => columnEdges(columns), [columns]);
  const pinned = columns.filter((column) => column.pinned).length;
  const [view, setView] = useState({ top: 0, bar: 0, left: 0, width: 900, height: 600 });
  const inner = Math.max(ROW_HEIGHT, view.height - headerHeight(grid.bars));
  const scale = scaleOf(rowCount, inner);
  const scaled = scrolls && scale.height < rowCount * ROW_HEIGHT;
  const limit = Math.max(0, rowCount * ROW_HEIGHT - inner);
  const place = useRef(view);
  place.current = view;

  useEffect(() => {
    const element = box.current;
    if (element === null || (few && !scrolls)) return;
    const observer = new ResizeObserver(() => {
      setView((now) => ({ ...now, width: element.clientWidth, height: element.clientHeight }));
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [box, few, scrolls]);

  /** Scrolls to a position. With a scaled scroll bar, the wheel still moves the rows by its own distance. */
  const moveTo = useRef<(top: number) => void>(() => undefined);
  moveTo.current = (wanted) => {
    const element = box.current;
    if (element === null) return;
    const top = Math.min(limit, Math.max(0, wanted));
    element.scrollTop = scale.toBar(top);
    const bar = element.scrollTop;
    setView((now) => ({ ...now, top: scaled ? top : bar, bar }));
  };
  useEffect(() => {
    const element = box.current;
    if (element === null || !scaled) return;
    const turn = (event: WheelEvent): void => {
      if (event.ctrlKey || event.shiftKey || event.deltaY === 0) return;
      event.preventDefault();
      const unit = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? ROW_HEIGHT : 1;
      if (event.deltaX !== 0) element.scrollLeft += event.deltaX * unit;
      moveTo.current(place.current.top + event.deltaY * unit);
    };
    element.addEventListener('wheel', turn, { passive: false });
    return () => element.removeEventListener('wheel', turn);
  }, [box, scaled]);

  const rows = scrolls ? rowSpan(rowCount, view.top, inner) : { first: 0, end: rowCount };
  const span = few
    ? { first: pinned, end: columns.length }
    : columnSpan(edges, pinned, { left: view.left + (edges[pinned] ?? 0), width: view.width });
  return {
    rows,
    columns: span,
    edges,
    pinned,
    few,
    height: scrolls ? scale.height : null,
    rowTop: (row) => (scaled ? view.bar + row * ROW_HEIGHT - view.top : row * ROW_HEIGHT),
    pageRows: Math.max(1, Math.floor(inner / ROW_HEIGHT) - 1),
    onScroll: (event) => {
      const { scrollTop, scrollLeft } = event.currentTarget;
      setView((now) => {
        const own = Math.abs(scrollTop - now.bar) < 1;
        if (own && now.left === scrollLeft) return now;
        return { ...now, left: scrollLeft, bar: scrollTop, top: own ? now.top : scale.toTop(scrollTop) };
      });
    },
    toTop: () => moveTo.current(0),
    reveal: (row, column) => {
      const element = box.current;
      if (element === null) return;
      if (scrolls && row >= 0) {
        const top = row * ROW_HEIGHT;
        if (top < view.top) moveTo.current(top);
        else if (top + ROW_HEIGHT > view.top + inner) moveTo.current(top + ROW_HEIGHT - inner);
      }
      if (column < pinned || element.scrollWidth <= element.clientWidth) return;
      const pinnedWidth = edges[pinned] ?? 0;
      const left = edges[column] ?? 0;
      const right = edges[column + 1] ?? left;
      if (left - pinnedWidth < element.scrollLeft) element.scrollLeft = left - pinnedWidth;
      else if (right > element.scrollLeft + element.clientWidth) {
        element.scrollLeft = right - element.clientWidth;
      }
    },
  };
}

/** The grid of a table result: a table with keyboard navigation, selection and column headers. */

import { useEffect, useId, useLayoutEffect, useRef, useState } from 'react';
import { TABLE_WORDS } from '../../words/table.ts';
import type { GridColumn } from './columnLayout.ts';
import { type ColumnActions, GridHeader } from './GridHeader.tsx';
import { GridBusy, GridRow } from './GridRow.tsx';
import type { GridPlace, Rectangle, Selection } from './gridSelection.ts';
import { cellAfterKey, HEADER_ROW, rectangleOf } from './gridSelection.ts';
import type { Row } from './tablePage.ts';
import type { TableQuery } from './tableQuery.ts';
import type { Distributions } from './useDistributions.ts';
import { useGridView } from './useGridView.ts';
import type { Summaries } from './useSummaries.ts';

/** The rectangle of an empty selection. */
const NOWHERE: Rectangle = { top: -1, bottom: -1, left: -1, right: -1 };
/** How far Alt with an arrow key moves the edge of a column, in px. */
const WIDTH_STEP = 16;

interface GridProps {
  readonly columns: readonly GridColumn[];
  /** The number of all rows of the answer. */
  readonly total: number;
  /** The rows in the grid, to before `endRow`: all, or those of one page. */
  readonly firstRow: number;
  readonly endRow: number;
  readonly row: (index: number) => Row | null;
  /** Whether the grid scrolls: then only rows that become visible are fetched and drawn. */
  readonly scrolls: boolean;
  /** Identifies the answer that contains the rows; for another one, the grid scrolls to the top and keeps the focus. */
  readonly answer?: string;
  readonly busy: boolean;
  readonly query: TableQuery;
  readonly summaries: Summaries | null;
  readonly spreads: Distributions | null;
  /** Whether headers have room for bars, even if the bars have not been loaded yet. */
  readonly bars: boolean;
  readonly actions: ColumnActions;
  readonly onSee?: (first: number, end: number) => void;
  readonly onCopy: (range: Rectangle) => void;
  /** Opens the dialog that asks for a row number. */
  readonly onGoTo?: () => void;
  /** A row to make active; each request is a new object. */
  readonly goTo?: { readonly row: number } | null;
  /** Called when the `goTo` request has been carried out. */
  readonly onWent?: () => void;
  /** Called with the selection, for copy commands outside the grid. */
  readonly onSelection?: (range: Rectangle | null) => void;
  readonly onOpenValue: (row: number, column: GridColumn) => void;
}

/**
 * A grid of cells by the ARIA pattern: one tab stop; arrow keys move the active cell, Shift extends the selection.
 * Enter on a header sorts by its column (with Shift, as a further key) and on a cell opens its value. Alt+Down opens a
 * column's menu; Alt with Left or Right changes its width, with Shift its position. Mod+C copies, Mod+G goes to a row.
 * Only visible rows and columns are in the page.
 */
export function TableGrid(props: GridProps) {
  const { columns, firstRow, endRow, query, summaries, spreads, bars, actions, onSee } = props;
  const gridId = useId();
  const box = useRef<HTMLDivElement>(null);
  const [selection, setSelection] = useState<Selection | null>(null);
  const [touched, setTouched] = useState(false);
  const view = useGridView(box, { columns, rowCount: endRow - firstRow, scrolls: props.scrolls, bars });
  const { first, end } = view.rows;
  useEffect(() => onSee?.(firstRow + first, firstRow + end), [onSee, firstRow, first, end]);
  const answer = useRef(props.answer);
  useLayoutEffect(() => {
    if (answer.current === props.answer) return;
    answer.current = props.answer;
    view.toTop();
    // The selected positions now have other rows. A header stays focused, as it was used to sort.
    setSelection((now) =>
      now?.active.row === HEADER_ROW ? { anchor: now.active, active: now.active } : null,
    );
  });

  const active = selection?.active ?? { row: HEADER_ROW, column: 0 };
  const range = selection === null ? null : rectangleOf(selection, firstRow);
  const inHeader = selection?.anchor.row === HEADER_ROW && active.row === HEADER_ROW;
  const select = (to: GridPlace, extend: boolean): void => {
    setSelection({ anchor: extend && selection !== null ? selection.anchor : to, active: to });
    view.reveal(to.row === HEADER_ROW ? HEADER_ROW : to.row - firstRow, to.column);
  };
  const press = (event: React.KeyboardEvent<HTMLDivElement>): void => {
    if (event.target !== event.currentTarget) return;
    const mod = event.ctrlKey || event.metaKey;
    const column = columns[active.column];
    if (mod && event.key.toLowerCase() === 'c' && range !== null && !inHeader) props.onCopy(range);
    else if (mod && event.key.toLowerCase() === 'a' && endRow > firstRow) {
      setSelection({
        anchor: { row: firstRow, column: 0 },
        active: { row: endRow - 1, column: columns.length - 1 },
      });
    } else if (mod && event.key.toLowerCase() === 'g' && props.onGoTo !== undefined) props.onGoTo();
    else if (event.altKey && event.key === 'ArrowDown') openMenu(gridId, active.column);
    else if (
      event.altKey &&
      event.shiftKey &&
      column !== undefined &&
      /^Arrow(Left|Right)$/.test(event.key)
    ) {
      const by = event.key === 'ArrowRight' ? 1 : -1;
      actions.onMove(column.name, by);
      // The active cell moves with its column.
      const to = Math.min(columns.length - 1, Math.max(0, active.column + by));
      select({ row: active.row, column: to }, false);
    } else if (event.altKey && column !== undefined && /^Arrow(Left|Right)$/.test(event.key)) {
      const step = event.key === 'ArrowRight' ? WIDTH_STEP : -WIDTH_STEP;
      actions.onWidth(column.name, column.width + step);
    } else if (event.key === 'Enter' && !mod && column !== undefined) {
      if (active.row === HEADER_ROW) actions.onNextSort?.(column.name, event.shiftKey);
      else if (!event.shiftKey) props.onOpenValue(active.row, column);
    } else if (event.key === 'Escape' && selection !== null && selection.anchor !== selection.active) {
      setSelection({ anchor: active, active });
    } else if (event.altKey) return;
    else {
      const bounds = { firstRow, lastRow: endRow - 1, columns: columns.length, pageRows: view.pageRows };
      const to = cellAfterKey(active, { key: event.key, far: mod }, bounds);
      if (to === null) return;
      select(to, event.shiftKey);
    }
    event.preventDefault();
    event.stopPropagation();
  };
  const { goTo = null, onSelection } = props;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each request
  useEffect(() => {
    if (goTo === null) return;
    select({ row: Math.min(endRow - 1, Math.max(firstRow, goTo.row)), column: active.column }, false);
    box.current?.focus();
    props.onWent?.();
  }, [goTo]);
  const { top, bottom, left, right } = inHeader || range === null ? NOWHERE : range;
  useEffect(() => {
    onSelection?.(top < 0 ? null : { top, bottom, left, right });
  }, [onSelection, top, bottom, left, right]);
  const drag = useDrag(box, select);
  const width = view.edges.at(-1) ?? 0;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a table element cannot be drawn in parts
    <div
      ref={box}
      role="grid"
      className={gridClass(props, view.few)}
      aria-label={TABLE_WORDS.table}
      aria-rowcount={props.total + 1}
      aria-colcount={columns.length}
      aria-multiselectable="true"
      aria-busy={props.busy}
      aria-activedescendant={selection === null ? undefined : `${gridId}-${active.row}-${active.column}`}
      tabIndex={0}
      onKeyDown={press}
      onScroll={view.onScroll}
      onPointerEnter={() => setTouched(true)}
      onFocus={(event) => {
        setTouched(true);
        const own = event.target === event.currentTarget;
        if (own && selection === null && !drag.pressed()) select({ row: HEADER_ROW, column: 0 }, false);
      }}
      onPointerDown={drag.onPointerDown}
      onDoubleClick={(event) => {
        const place = placeOf(event.target);
        const column = columns[place?.column ?? -1];
        if (place !== null && place.row !== HEADER_ROW && column !== undefined) {
          props.onOpenValue(place.row, column);
        }
      }}
    >
      {props.busy ? <GridBusy /> : null}
      {/* biome-ignore lint/a11y/useSemanticElements: as above */}
      <div role="rowgroup" className="grid-head" style={view.few ? undefined : { width }}>
        {/* biome-ignore lint/a11y/useSemanticElements: as above */}
        {/* biome-ignore lint/a11y/useFocusableInteractive: the grid holds the focus */}
        <div role="row" aria-rowindex={1} className="grid-row grid-head-row">
          {headerPlaces(view.pinned, view.columns).map((place) => {
            const column = columns[place];
            if (column === undefined) return null;
            const space =
              place === view.columns.first ? (view.edges[place] ?? 0) - (view.edges[view.pinned] ?? 0) : 0;
            return [
              space > 0 ? <span key="space" className="grid-space" style={{ width: space }} /> : null,
              <GridHeader
                key={place}
                id={`${gridId}-${HEADER_ROW}-${place}`}
                column={column}
                place={place}
                left={place < view.pinned ? (view.edges[place] ?? 0) : null}
                active={selection !== null && active.row === HEADER_ROW && active.column === place}
                query={query}
                summary={summaries?.[column.at] ?? null}
                spreads={spreads}
                bars={bars}
                actions={actions}
                touched={touched}
              />,
            ];
          })}
        </div>
      </div>
      {/* biome-ignore lint/a11y/useSemanticElements: as above */}
      <div
        role="rowgroup"
        className="grid-body"
        style={{
          ...(view.few ? {} : { width }),
          ...(view.height === null ? {} : { height: view.height }),
        }}
      >
        {Array.from({ length: end - first }, (_none, at) => {
          const index = firstRow + first + at;
          const marked = range !== null && !inHeader && index >= range.top && index <= range.bottom;
          return (
            <GridRow
              key={index}
              gridId={gridId}
              index={index}
              row={props.row(index)}
              columns={columns}
              edges={view.edges}
              pinned={view.pinned}
              first={view.columns.first}
              end={view.columns.end}
              top={props.scrolls ? view.rowTop(first + at) : null}
              left={marked ? range.left : -1}
              right={marked ? range.right : -2}
              active={selection !== null && active.row === index ? active.column : -1}
            />
          );
        })}
      </div>
    </div>
  );
}

function gridClass({ scrolls, bars }: GridProps, few: boolean): string {
  return ['grid', scrolls ? 'grid-scrolls' : '', few ? '' : 'grid-many', bars ? 'grid-bars' : '']
    .filter((name) => name !== '')
    .join(' ');
}

function headerPlaces(pinned: number, span: { first: number; end: number }): number[] {
  const places = Array.from({ length: pinned }, (_none, at) => at);
  for (let at = span.first; at < span.end; at += 1) places.push(at);
  return places;
}

/** Opens the menu of a column by an arrow key event on the menu's button. */
function openMenu(gridId: string, column: number): void {
  const button = document
    .getElementById(`${gridId}-${HEADER_ROW}-${column}`)
    ?.querySelector<HTMLElement>('.head-menu');
  button?.focus();
  button?.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowDown', bubbles: true }));
}

function placeOf(target: EventTarget | null): GridPlace | null {
  if (!(target instanceof Element)) return null;
  const cell = target.closest<HTMLElement>('[data-column]');
  if (cell === null) return null;
  return { row: Number(cell.dataset['row']), column: Number(cell.dataset['column']) };
}

/** Selects with the pointer: a press starts a selection, a move with the button held extends it. */
function useDrag(
  box: React.RefObject<HTMLDivElement | null>,
  select: (to: GridPlace, extend: boolean) => void,
) {
  const latest = useRef(select);
  latest.current = select;
  const down = useRef(false);
  return {
    pressed: () => down.current,
    onPointerDown: (event: React.PointerEvent): void => {
      const from = placeOf(event.target);
      if (event.button !== 0 || from === null || from.row === HEADER_ROW) return;
      down.current = true;
      latest.current(from, event.shiftKey);
      let last = from;
      const move = (moved: PointerEvent): void => {
        const to = placeOf(document.elementFromPoint(moved.clientX, moved.clientY));
        if (to === null || to.row === HEADER_ROW || !box.current?.contains(document.activeElement)) return;
        if (to.row === last.row && to.column === last.column) return;
        last = to;
        latest.current(to, true);
      };
      const end = (): void => {
        down.current = false;
        window.removeEventListener('pointermove', move);
      };
      window.addEventListener('pointermove', move);
      window.addEventListener('pointerup', end, { once: true });
      window.addEventListener('pointercancel', end, { once: true });
    },
  };
}

/** The header of one column of a table result: name, sort direction, summary, menu and resize handle. */

import { ArrowDown, ArrowUp, ChevronDown, Filter as FilterIcon } from 'lucide-react';
import { useRef } from 'react';
import type { MenuItem } from '../../ui/Menu.tsx';
import { Menu } from '../../ui/Menu.tsx';
import { TABLE_WORDS } from '../../words/table.ts';
import type { GridColumn } from './columnLayout.ts';
import { MIN_WIDTH, ROOM } from './columnLayout.ts';
import { HeaderFacts } from './HeaderFacts.tsx';
import type { ColumnSummary } from './summary.ts';
import { summarySentence } from './summary.ts';
import type { TableQuery } from './tableQuery.ts';
import { filteredColumns, sortOf } from './tableQuery.ts';
import { cutClass } from './textFits.ts';
import type { Distributions } from './useDistributions.ts';

/** What a person can do with a column. */
export interface ColumnActions {
  /** Null if the server cannot sort the table. */
  readonly onSort: ((column: string, dir: 'asc' | 'desc' | null, also: boolean) => void) | null;
  readonly onNextSort: ((column: string, also: boolean) => void) | null;
  readonly onFilter: ((column: string) => void) | null;
  /** Shows the statistics of a column. */
  readonly onFacts: ((column: string) => void) | null;
  /** Moves a column beside another one. */
  readonly onDrop: (column: string, to: { readonly beside: string; readonly after: boolean }) => void;
  /** Moves a column one place to the left or right. */
  readonly onMove: (column: string, by: -1 | 1) => void;
  readonly onPin: (column: string) => void;
  readonly onHide: (column: string) => void;
  /** Sets the width of a column; null: the width that fits its values. */
  readonly onWidth: (column: string, px: number | null) => void;
}

/** The header of one column: name, sort direction, summary, menu, and the edge that changes the width. */
export function GridHeader(props: {
  id: string;
  column: GridColumn;
  place: number;
  left: number | null;
  active: boolean;
  query: TableQuery;
  summary: ColumnSummary | null;
  spreads: Distributions | null;
  /** Whether the header has room for bars. */
  bars: boolean;
  actions: ColumnActions;
  /** Whether the table has been used: menus are created only then, because a long notebook has many columns. */
  touched: boolean;
}) {
  const { id, column, place, left, active, query, summary, spreads, bars, actions, touched } = props;
  const cell = useRef<HTMLDivElement>(null);
  const sort = sortOf(query, column.name);
  const dir = sort?.dir ?? null;
  const filtered = filteredColumns(query).has(column.name);
  const name = column.label === '' ? TABLE_WORDS.index : column.label;
  const classes = ['head-cell'];
  if (column.kind === 'number') classes.push('num');
  if (column.fixed) classes.push('fixed');
  if (left !== null) classes.push('pinned');
  if (active) classes.push('active');
  // The marks of a sort or filter take room from the name, so whether it fits cannot be computed then.
  const room = dir !== null || filtered ? 0 : column.width - ROOM;
  const label = (
    <>
      <span className={cutClass('head-name', column.label, { width: room, size: 12 })}>{column.label}</span>
      {dir === 'asc' ? <ArrowUp aria-hidden="true" /> : null}
      {dir === 'desc' ? <ArrowDown aria-hidden="true" /> : null}
      {sort !== null && query.sorts.length > 1 ? <span className="sort-place">{sort.at}</span> : null}
      {filtered ? <FilterIcon className="head-filtered" aria-hidden="true" /> : null}
    </>
  );
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the grid holds the focus and names its active cell
    // biome-ignore lint/a11y/useSemanticElements: a table element cannot be drawn in parts
    <div
      ref={cell}
      role="columnheader"
      id={id}
      className={classes.join(' ')}
      style={{ width: column.width, ...(left === null ? {} : { left }) }}
      aria-colindex={place + 1}
      aria-sort={dir === null ? 'none' : dir === 'asc' ? 'ascending' : 'descending'}
      title={summary === null ? undefined : summarySentence(summary)}
      data-name={column.name}
      data-row={-1}
      data-column={place}
      onDragOver={(event) => {
        if (!event.dataTransfer.types.includes(COLUMN_TYPE)) return;
        event.preventDefault();
        event.stopPropagation();
        event.currentTarget.dataset['drop'] = isAfter(event) ? 'after' : 'before';
      }}
      onDragLeave={(event) => delete event.currentTarget.dataset['drop']}
      onDrop={(event) => {
        const moved = event.dataTransfer.getData(COLUMN_TYPE);
        if (moved === '') return;
        event.preventDefault();
        event.stopPropagation();
        delete event.currentTarget.dataset['drop'];
        actions.onDrop(moved, { beside: column.name, after: isAfter(event) });
      }}
    >
      {/* biome-ignore lint/a11y/noStaticElementInteractions: Alt+Shift with an arrow key does the same */}
      <span
        className="head-line"
        draggable
        onDragStart={(event) => {
          event.stopPropagation();
          event.dataTransfer.setData(COLUMN_TYPE, column.name);
          event.dataTransfer.effectAllowed = 'move';
        }}
      >
        {actions.onNextSort === null ? (
          <span className="table-sort">{label}</span>
        ) : (
          <button
            type="button"
            className="table-sort"
            tabIndex={-1}
            title={TABLE_WORDS.sortBy(name)}
            aria-label={name}
            onClick={(event) => actions.onNextSort?.(column.name, event.shiftKey)}
          >
            {label}
          </button>
        )}
        {touched ? (
          <Menu
            label={TABLE_WORDS.columnMenu(name)}
            items={menuOf(column, actions, { dir, others: query.sorts.length > (sort === null ? 0 : 1) })}
            trigger={
              <button
                type="button"
                className="head-menu"
                tabIndex={-1}
                aria-label={TABLE_WORDS.columnMenu(name)}
              >
                <ChevronDown aria-hidden="true" />
              </button>
            }
          />
        ) : null}
      </span>
      <HeaderFacts
        column={column}
        summary={summary}
        spread={spreads?.columns[column.at] ?? null}
        total={spreads?.total ?? 0}
        bars={bars}
      />
      <span
        className="head-edge"
        aria-hidden="true"
        onDoubleClick={() => actions.onWidth(column.name, null)}
        onPointerDown={(event) => {
          event.preventDefault();
          event.stopPropagation();
          const edge = event.currentTarget;
          const start = event.clientX;
          const width = cell.current?.getBoundingClientRect().width ?? column.width;
          edge.setPointerCapture(event.pointerId);
          const move = (moved: PointerEvent): void =>
            actions.onWidth(column.name, Math.max(MIN_WIDTH, width + moved.clientX - start));
          const end = (): void => edge.removeEventListener('pointermove', move);
          edge.addEventListener('pointermove', move);
          edge.addEventListener('lostpointercapture', end, { once: true });
        }}
      />
    </div>
  );
}

/** The drag type of a header; the dragged data is the column's name. */
const COLUMN_TYPE = 'application/x-cellar-column';

function isAfter({ currentTarget, clientX }: React.DragEvent): boolean {
  const { left, width } = currentTarget.getBoundingClientRect();
  return clientX > left + width / 2;
}

function menuOf(
  column: GridColumn,
  actions: ColumnActions,
  { dir, others }: { readonly dir: 'asc' | 'desc' | null; readonly others: boolean },
): MenuItem[] {
  const { onSort, onFilter, onFacts, onPin, onHide, onWidth, onMove } = actions;
  const sorts: MenuItem[] =
    onSort === null
      ? []
      : [
          sortItem(TABLE_WORDS.sortUp, dir === 'asc', () => onSort(column.name, 'asc', false)),
          sortItem(TABLE_WORDS.sortDown, dir === 'desc', () => onSort(column.name, 'desc', false)),
          ...(others
            ? [
                sortItem(TABLE_WORDS.sortAlsoUp, false, () => onSort(column.name, 'asc', true)),
                sortItem(TABLE_WORDS.sortAlsoDown, false, () => onSort(column.name, 'desc', true)),
              ]
            : []),
          sortItem(TABLE_WORDS.sortNone, dir === null, () => onSort(column.name, null, others)),
          { kind: 'separator' },
        ];
  const filter: MenuItem[] =
    onFilter === null
      ? []
      : [
          { kind: 'item', label: TABLE_WORDS.filter, onSelect: () => onFilter(column.name) },
          ...(onFacts === null
            ? []
            : [{ kind: 'item', label: TABLE_WORDS.facts, onSelect: () => onFacts(column.name) } as const]),
          { kind: 'separator' },
        ];
  return [
    ...sorts,
    ...filter,
    {
      kind: 'item',
      label: column.pinned ? TABLE_WORDS.unpin : TABLE_WORDS.pin,
      onSelect: () => onPin(column.name),
    },
    { kind: 'item', label: TABLE_WORDS.moveLeft, onSelect: () => onMove(column.name, -1) },
    { kind: 'item', label: TABLE_WORDS.moveRight, onSelect: () => onMove(column.name, 1) },
    { kind: 'item', label: TABLE_WORDS.hide, onSelect: () => onHide(column.name) },
    { kind: 'item', label: TABLE_WORDS.fit, onSelect: () => onWidth(column.name, null) },
  ];
}

function sortItem(label: string, checked: boolean, onSelect: () => void): MenuItem {
  return { kind: 'check', label, checked, onSelect };
}

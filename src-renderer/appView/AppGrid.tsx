/**
 * The grid layout of an app view: cells side by side in 12 columns. In edit mode they are moved and resized by pointer
 * or keyboard.
 */

import './grid.css';
import { type CSSProperties, type KeyboardEvent, type ReactNode, useId, useMemo, useState } from 'react';
import { GridLayout, type Layout } from 'react-grid-layout';
import {
  compact,
  type GridCell,
  type GridItem,
  gridOf,
  readingOrder,
} from '../../src-shared/notebook/app/grid.ts';
import { gridCellsOf } from '../../src-shared/notebook/app/gridCells.ts';
import { GRID_COLUMNS } from '../../src-shared/wire/appLayout.ts';
import { appLayoutOf } from '../live/appLayout.ts';
import { useSession, useView, useViewSame } from '../notebook/context.ts';
import { reducedMotion } from '../theme/theme.ts';
import { APP_WORDS as W } from '../words/appLayout.ts';
import { AppPart } from './AppPart.tsx';
import { type Direction, gridEdit, moveItem, resizeItem } from './arrange/grid.ts';
import { partName } from './arrange/partName.ts';
import { useWidth } from './useWidth.ts';

/** In a view narrower than this, in CSS px, the cells are in one column. */
const NARROW = 720;
const GRID = { cols: GRID_COLUMNS, rowHeight: 30, margin: [16, 16], containerPadding: [0, 0] } as const;
const STEPS: Readonly<Record<string, Direction>> = {
  ArrowLeft: 'left',
  ArrowRight: 'right',
  ArrowUp: 'up',
  ArrowDown: 'down',
};

/** The cells of an app side by side. In edit mode they are moved and resized by pointer and by keyboard. */
export function AppGrid({ ids, editing }: { ids: readonly string[]; editing: boolean }) {
  const session = useSession();
  const help = useId();
  const [measure, width] = useWidth();
  const [said, setSaid] = useState('');
  const cells = useViewSame(
    (view) =>
      gridCellsOf(
        ids.flatMap((id) => view.model.cells[id]?.cell ?? []),
        appLayoutOf(view),
      ),
    sameCells,
  );
  const items = useMemo(() => gridOf(cells), [cells]);
  const isNarrow = width > 0 && width < NARROW;

  const write = (next: readonly GridItem[]): void => void session.appLayouts.change(gridEdit(next, cells));
  const onKey = (event: KeyboardEvent<HTMLElement>, id: string): void => {
    const direction = STEPS[event.key];
    const hasOther = event.ctrlKey || event.metaKey || event.altKey;
    if (direction === undefined || hasOther || event.target !== event.currentTarget) return;
    event.preventDefault();
    const next = (event.shiftKey ? resizeItem : moveItem)(items, id, direction);
    const name = partName(session.store.getState().model, id);
    const item = next.find((one) => one.id === id);
    const isSame = next === items || item === undefined;
    if (!isSame) write(next);
    setSaid(isSame ? W.gridStays(name) : W.gridMoved(name, W.gridPlace(item)));
  };

  if (isNarrow) {
    return (
      <div className="app-cells" ref={measure}>
        {editing ? <p className="app-note">{W.gridNarrow}</p> : null}
        {readingOrder(items).map((id) => (
          <AppPart key={id} id={id} kind="page" editing={editing} />
        ))}
      </div>
    );
  }
  return (
    <div className={editing ? 'app-grid app-grid-edited' : 'app-grid'} ref={measure}>
      {editing ? (
        <>
          <p className="app-help" id={help}>
            {W.gridHelp}
          </p>
          <p className="visually-hidden" role="status">
            {said}
          </p>
        </>
      ) : null}
      {width === 0 ? null : (
        <GridLayout
          width={width}
          layout={items.map(({ id, ...place }) => ({ i: id, ...place }))}
          gridConfig={GRID}
          dragConfig={{ enabled: editing, handle: '.app-grip', threshold: 3 }}
          resizeConfig={{ enabled: editing, handles: ['e', 's', 'se'] }}
          className={reducedMotion() ? 'app-still' : ''}
          onDragStop={(layout, _before, item) => write(afterPointer(items, layout, item?.i ?? null))}
          onResizeStop={(layout, _before, item) => write(afterPointer(items, layout, item?.i ?? null))}
        >
          {ids.map((id) => (
            <GridCellBox
              key={id}
              id={id}
              item={items.find((one) => one.id === id)}
              help={help}
              editing={editing}
              onKey={onKey}
            />
          ))}
        </GridLayout>
      )}
    </div>
  );
}

/** The grid after a drag, converted from the library's items: in our order and without the library's own fields. */
function afterPointer(
  items: readonly GridItem[],
  layout: Layout,
  movedId: string | null,
): readonly GridItem[] {
  const places = new Map(layout.map((one) => [one.i, one]));
  const next = items.map((item) => {
    const { x, y, w, h } = places.get(item.id) ?? item;
    return { id: item.id, x, y, w, h };
  });
  return compact(next, movedId);
}

function sameCells(a: readonly GridCell[], b: readonly GridCell[]): boolean {
  return (
    a.length === b.length &&
    a.every(({ id, place, rows }, at) => {
      const other = b[at];
      return id === other?.id && rows === other.rows && String(place) === String(other.place);
    })
  );
}

/** The box of a cell. The grid library adds its position, listeners and resize handles to it. */
function GridCellBox(props: {
  id: string;
  item: GridItem | undefined;
  help: string;
  editing: boolean;
  onKey: (event: KeyboardEvent<HTMLElement>, id: string) => void;
  /** Set by the grid. */
  className?: string;
  style?: CSSProperties;
  children?: ReactNode;
}) {
  const { id, item, help, editing, onKey, className = '', children, ...placed } = props;
  const name = useView((view) => partName(view.model, id));
  const focusable = editing
    ? {
        tabIndex: 0,
        role: 'group',
        'aria-label':
          item === undefined ? W.gridCell(name) : W.gridMoved(W.gridCell(name), W.gridPlace(item)),
        'aria-describedby': help,
        onKeyDown: (event: KeyboardEvent<HTMLElement>) => onKey(event, id),
      }
    : {};
  return (
    <div {...placed} {...focusable} className={`${className} app-grid-cell`} data-grid-cell={id}>
      <div className="app-grid-body">
        <AppPart id={id} kind="grid" editing={editing} />
      </div>
      {children}
    </div>
  );
}

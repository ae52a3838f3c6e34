/**
 * Moves and resizes cells in the grid of an app: a cell that is moved or grows pushes those below it down.
 */
import { compact, type GridCell, type GridItem } from '../../../src-shared/notebook/app/grid.ts';
import { type AppEdit, GRID_COLUMNS, type GridPlace } from '../../../src-shared/wire/appLayout.ts';

export type Direction = 'left' | 'right' | 'up' | 'down';

/**
 * The grid with a cell moved one column to a side, or past the next cell above or below it; the same grid if the cell
 * cannot move.
 */
export function moveItem(items: readonly GridItem[], id: string, direction: Direction): readonly GridItem[] {
  const item = items.find((one) => one.id === id);
  if (item === undefined) return items;
  const at = placeAfter(items, item, direction);
  return at === null ? items : compact(withItem(items, { ...item, ...at }), id);
}

function placeAfter(
  items: readonly GridItem[],
  item: GridItem,
  direction: Direction,
): Pick<GridItem, 'x' | 'y'> | null {
  if (direction === 'left') return item.x === 0 ? null : { x: item.x - 1, y: item.y };
  if (direction === 'right') {
    return item.x + item.w >= GRID_COLUMNS ? null : { x: item.x + 1, y: item.y };
  }
  const beside = items.filter(
    (one) => one.id !== item.id && one.x < item.x + item.w && item.x < one.x + one.w,
  );
  if (direction === 'up') {
    const above = beside.filter(({ y, h }) => y + h <= item.y);
    return above.length === 0 ? null : { x: item.x, y: Math.max(...above.map(({ y }) => y)) };
  }
  const below = beside.filter(({ y }) => y >= item.y + item.h);
  if (below.length === 0) return null;
  const next = below.reduce((first, one) => (one.y < first.y ? one : first));
  return { x: item.x, y: next.y + next.h };
}

/**
 * The grid with a cell one column or row larger or smaller. A cell has at least one of each, and is at most as wide as
 * the grid.
 */
export function resizeItem(
  items: readonly GridItem[],
  id: string,
  direction: Direction,
): readonly GridItem[] {
  const item = items.find((one) => one.id === id);
  if (item === undefined) return items;
  const columns = direction === 'left' ? -1 : direction === 'right' ? 1 : 0;
  const rows = direction === 'up' ? -1 : direction === 'down' ? 1 : 0;
  const w = Math.min(Math.max(item.w + columns, 1), GRID_COLUMNS - item.x);
  const h = Math.max(item.h + rows, 1);
  return w === item.w && h === item.h ? items : compact(withItem(items, { ...item, w, h }), id);
}

function withItem(items: readonly GridItem[], changed: GridItem): readonly GridItem[] {
  return items.map((item) => (item.id === changed.id ? changed : item));
}

/** The edit that stores this grid: the places of the cells that have another place in the file. */
export function gridEdit(items: readonly GridItem[], cells: readonly GridCell[]): AppEdit {
  const before = new Map(cells.map(({ id, place }) => [id, place]));
  const edits = items.flatMap(({ id, x, y, w, h }) => {
    const place = before.get(id) ?? null;
    const isSame = place !== null && [x, y, w, h].every((value, at) => place[at] === value);
    return isSame ? [] : [[id, { grid: [x, y, w, h] satisfies GridPlace }] as const];
  });
  return { cells: Object.fromEntries(edits) };
}

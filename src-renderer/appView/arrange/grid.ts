/**
 * The grid of an app view as pure data: 12 columns, rows of one height. Cells never overlap: each moves up as far as the
 * cells above it allow, and a cell that is moved or grows pushes those below it down.
 */
import { type AppEdit, GRID_COLUMNS, type GridPlace } from '../../../src-shared/wire/appLayout.ts';

/** A cell in the grid: column and row of its upper left corner, columns wide, rows high. */
export interface GridItem {
  readonly id: string;
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
}

export type Direction = 'left' | 'right' | 'up' | 'down';

/** A cell for the grid: its place in notebook.toml, and the rows it takes without one. */
export interface GridCell {
  readonly id: string;
  readonly place: GridPlace | null;
  readonly rows: number;
}

/** The grid of these cells, in their order. Cells without a place follow below the others, each over the whole width. */
export function gridOf(cells: readonly GridCell[]): readonly GridItem[] {
  const placedItems = cells.flatMap(({ id, place }): GridItem[] => {
    if (place === null) return [];
    const [x, y, w, h] = place;
    return [{ id, x, y, w, h }];
  });
  let bottom = placedItems.reduce((most, { y, h }) => Math.max(most, y + h), 0);
  const items = cells.map(({ id, place, rows }): GridItem => {
    if (place !== null) return { id, x: place[0], y: place[1], w: place[2], h: place[3] };
    const y = bottom;
    bottom += rows;
    return { id, x: 0, y, w: GRID_COLUMNS, h: rows };
  });
  return compact(items);
}

/**
 * The same cells without overlaps and without gaps above them, in the given order. Of two cells in one row the one that
 * was moved comes first, then the one to the left.
 */
export function compact(items: readonly GridItem[], movedId: string | null = null): readonly GridItem[] {
  const rank = ({ id }: GridItem): number => (id === movedId ? 0 : 1);
  const inTurn = [...items].sort((a, b) => a.y - b.y || rank(a) - rank(b) || a.x - b.x);
  const bottoms = new Array<number>(GRID_COLUMNS).fill(0);
  const rows = new Map<string, number>();
  for (const { id, x, w, h } of inTurn) {
    const y = Math.max(...bottoms.slice(x, x + w));
    bottoms.fill(y + h, x, x + w);
    rows.set(id, y);
  }
  return items.map((item) => ({ ...item, y: rows.get(item.id) ?? item.y }));
}

/** A cell one column to a side, or past the next cell above or below it. The same grid where it cannot move. */
export function moved(items: readonly GridItem[], id: string, direction: Direction): readonly GridItem[] {
  const item = items.find((one) => one.id === id);
  if (item === undefined) return items;
  const at = placeAfter(items, item, direction);
  return at === null ? items : compact(replaced(items, { ...item, ...at }), id);
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

/** A cell one column or row larger or smaller; at least one of each, at most the width of the grid. */
export function resized(items: readonly GridItem[], id: string, direction: Direction): readonly GridItem[] {
  const item = items.find((one) => one.id === id);
  if (item === undefined) return items;
  const columns = direction === 'left' ? -1 : direction === 'right' ? 1 : 0;
  const rows = direction === 'up' ? -1 : direction === 'down' ? 1 : 0;
  const w = Math.min(Math.max(item.w + columns, 1), GRID_COLUMNS - item.x);
  const h = Math.max(item.h + rows, 1);
  return w === item.w && h === item.h ? items : compact(replaced(items, { ...item, w, h }), id);
}

function replaced(items: readonly GridItem[], changed: GridItem): readonly GridItem[] {
  return items.map((item) => (item.id === changed.id ? changed : item));
}

/** What has to be written so that the file says this grid: the cells whose place is another one there. */
export function gridEdit(items: readonly GridItem[], cells: readonly GridCell[]): AppEdit {
  const before = new Map(cells.map(({ id, place }) => [id, place]));
  const edits = items.flatMap(({ id, x, y, w, h }) => {
    const place = before.get(id) ?? null;
    const isSame = place !== null && [x, y, w, h].every((value, at) => place[at] === value);
    return isSame ? [] : [[id, { grid: [x, y, w, h] satisfies GridPlace }] as const];
  });
  return { cells: Object.fromEntries(edits) };
}

/** The cells row by row: the order in which one column shows them. */
export function readingOrder(items: readonly GridItem[]): readonly string[] {
  return [...items].sort((a, b) => a.y - b.y || a.x - b.x).map(({ id }) => id);
}
